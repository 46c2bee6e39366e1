/// `riffle methods`: the methods and kernels there are, and which of them work here.
#include <fmt/core.h>
#include <riffle/kernels.hpp>
#include <riffle/methods.hpp>

#include "cli/command.hpp"

namespace riffle::cli {

void add_methods(CLI::App& tool, int& status) {
  CLI::App* command = tool.add_subcommand("methods", "List the methods of reading and the SIMD kernels");
  command->footer(
      "Examples:\n"
      "  riffle methods\n"
      "  RIFFLE_KERNEL=scalar riffle methods      force a kernel, for this and every other command");
  command->callback([&status] {
    std::string text = "Methods (--method)\n";
    for (const method_info& info : methods()) {
      text += fmt::format("  {:<10} {}\n  {:<10} reads {}\n", info.name, info.description, "", info.inputs);
      if (const auto reason = info.unavailable()) text += fmt::format("  {:<10} NOT HERE: {}\n", "", *reason);
    }
    text += "Kernels (RIFFLE_KERNEL)\n";
    for (const kernel_info& kernel : kernels()) {
      text += fmt::format("  {:<10} {}\n", kernel.name, kernel.active ? "active" : "available");
    }
    write(text);
    status = success;
  });
}

}  // namespace riffle::cli
