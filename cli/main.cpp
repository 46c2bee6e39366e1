/// The command-line tool: it reads the command line, and the subcommand does the rest.
#include <riffle/error.hpp>
#include <riffle/kernels.hpp>
#include <riffle/methods.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <string_view>

#include "cli/command.hpp"

namespace {

struct command {
  std::string_view name;
  void (*add)(CLI::App& tool, int& status);
};

constexpr command commands[] = {{"wc", riffle::cli::add_wc},          {"count", riffle::cli::add_count},
                                {"sum", riffle::cli::add_sum},        {"cat", riffle::cli::add_cat},
                                {"bench", riffle::cli::add_bench},    {"advise", riffle::cli::add_advise},
                                {"methods", riffle::cli::add_methods}};

// Just the command that is asked for by name, as describing all of them takes longer than counting a small
// file; all of them where the first argument names none.
void add_commands(CLI::App& tool, std::string_view first, int& status) {
  const auto* const named = std::ranges::find(commands, first, &command::name);
  if (named != std::end(commands)) return named->add(tool, status);
  for (const command& each : commands) each.add(tool, status);
}

// One line on standard error, and where the help is.
int refuse(const CLI::App& tool, const CLI::ParseError& failure) {
  std::string command = "riffle";
  for (auto chosen = tool.get_subcommands(); !chosen.empty(); chosen = chosen.front()->get_subcommands())
    command += " " + chosen.front()->get_name();
  riffle::cli::complain(fmt::format("riffle: {} (see {} --help)", failure.what(), command));
  return riffle::cli::usage;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App tool("riffle reads files as fast as the machine allows, from any kind of input.", "riffle");
  tool.set_version_flag("--version", "riffle " + std::string(riffle::version()));
  tool.set_help_flag("-h,--help", "This text");
  tool.require_subcommand(1);
  tool.footer("Each command has examples: riffle wc --help");
  int status = riffle::cli::success;
  add_commands(tool, argc > 1 ? argv[1] : "", status);
  try {
    tool.parse(argc, argv);
    riffle::cli::flush_output();
    return status;
  } catch (const CLI::Success& answered) {  // --help, --version
    return tool.exit(answered);
  } catch (const CLI::ParseError& failure) {
    return refuse(tool, failure);
  } catch (const std::exception& failure) {
    riffle::cli::complain(failure);
    return riffle::cli::failure;
  }
}
