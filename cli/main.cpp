/// Why this file exists: the command-line tool: it reads the command line, and the subcommand does the rest.
#include <riffle/error.hpp>
#include <riffle/kernels.hpp>
#include <riffle/methods.hpp>

#include <fmt/format.h>

#include "cli/command.hpp"

namespace {

// One line on standard error, and where the help is.
int refuse(const CLI::App& tool, const CLI::ParseError& failure) {
  const auto chosen = tool.get_subcommands();
  const std::string command = chosen.empty() ? "riffle" : "riffle " + chosen.front()->get_name();
  fmt::print(stderr, "riffle: {} (see {} --help)\n", failure.what(), command);
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
  riffle::cli::add_wc(tool, status);
  riffle::cli::add_count(tool, status);
  riffle::cli::add_sum(tool, status);
  riffle::cli::add_cat(tool, status);
  riffle::cli::add_bench(tool, status);
  riffle::cli::add_advise(tool, status);
  riffle::cli::add_methods(tool, status);
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
