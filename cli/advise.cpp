/// Why this file exists: `riffle advise`: what the automatic choice would do with an input, and why.
#include <fmt/format.h>
#include <riffle/methods.hpp>

#include <memory>

#include "cli/command.hpp"

namespace riffle::cli {

namespace {

std::string_view kind_text(input_kind kind) {
  switch (kind) {
    case input_kind::regular_file:
      return "regular file";
    case input_kind::block_device:
      return "block device";
    case input_kind::stream:
      return "pipe, socket, terminal or device";
    case input_kind::file_pointer:
      return "FILE*";
    case input_kind::istream:
      return "std::istream";
    case input_kind::memory:
      return "memory";
  }
  return "unknown";
}

std::string report(const std::string& name, const facts& known, const choice& chosen) {
  std::string text = name + "\n";
  const auto add = [&](std::string_view what, std::string_view value) {
    text += fmt::format("  {:<12} {}\n", what, value);
  };
  add("kind", kind_text(known.kind));
  if (known.size != 0) add("size", size_text(known.size));
  if (!known.file_system.empty()) add("file system", known.file_system);
  if (known.resident) add("in cache", fmt::format("{:.0f} %", *known.resident * 100));
  add("method", name_of(chosen.method));
  add("block size", size_text(chosen.block_size));
  add("why", chosen.reason);
  for (const method_info& info : methods()) {
    if (const auto reason = info.unavailable())
      text += fmt::format("  {:<12} not here: {}\n", info.name, *reason);
  }
  return text;
}

}  // namespace

void add_advise(CLI::App& tool, int& status) {
  auto arguments = std::make_shared<reading_arguments>();
  CLI::App* command =
      tool.add_subcommand("advise", "Say what the automatic choice would do with an input, and why");
  command->add_option("FILE", arguments->files, "Files to look at; '-' or none: standard input");
  command->add_flag_callback(
      "--no-guard", [arguments] { arguments->options.fault_guard = false; },
      "As if the fault guard were off");
  command->footer(
      "Examples:\n"
      "  riffle advise access.log\n"
      "  cat access.log | riffle advise");
  command->callback([arguments, &status] {
    status = for_each_file(arguments->files, [&](const std::string& name) {
      const facts known = examine(input_of(name), arguments->options);
      write(report(name == "-" ? "standard input" : name, known, riffle::choose(known)));
    });
  });
}

}  // namespace riffle::cli
