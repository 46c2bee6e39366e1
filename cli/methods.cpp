/// `riffle methods`: lists the methods and the SIMD kernels, and which of them work here.
#include <fmt/core.h>
#include <riffle/decoders.hpp>
#include <riffle/kernels.hpp>
#include <riffle/methods.hpp>

#include "cli/command_line.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"

namespace riffle::cli {

namespace {

int list(const arguments& /*given*/) {
  std::string text = "Methods (--method)\n";
  for (const method_info& info : methods()) {
    text += fmt::format("  {:<10} {}\n  {:<10} reads {}\n", info.name, info.description, "", info.inputs);
    if (const auto reason = info.unavailable())
      text += fmt::format("  {:<10} not available: {}\n", "", *reason);
  }
  text += "Formats (--decode)\n";
  for (const decoder_info& info : decoders()) {
    if (info.unavailable.empty()) {
      text += fmt::format("  {:<10} by {}{}{}\n", info.name, info.library,
                          info.parts.empty() ? "" : "; several threads decode ", info.parts);
    } else {
      text += fmt::format("  {:<10} not available: {}\n", info.name, info.unavailable);
    }
  }
  text += "SIMD kernels (RIFFLE_KERNEL)\n";
  for (const kernel_info& kernel : kernels()) {
    text += fmt::format("  {:<12} {:<10} {}\n", kernel.name, kernel.active ? "active" : "available",
                        kernel.description);
  }
  write(text);
  return success;
}

}  // namespace

constexpr command methods_command{
    .name = "methods",
    .summary = "List the reading methods, the formats that are decoded, and the SIMD kernels",
    .options = {},
    .examples =
        "  riffle methods\n"
        "  RIFFLE_KERNEL=scalar riffle methods   for any command: use this SIMD kernel\n",
    .run = run<arguments, list>};

}  // namespace riffle::cli
