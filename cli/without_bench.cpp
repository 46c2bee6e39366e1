/// The table of commands of a tool that is built without the benchmark, and its `advise`, which measures
/// nothing.
#include "cli/advise.hpp"
#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/output.hpp"
#include "cli/reading.hpp"

namespace riffle::cli {

namespace {

int run_advise(const advise_arguments& given) {
  return advise_each(given, [&](const std::string& name) {
    write(advice_lines(name, examine(input_of(name), given.reading)));
  });
}

}  // namespace

constexpr command advise_command{.name = "advise",
                                 .summary = "Show which method riffle picks for an input, and why",
                                 .options = guard_options,
                                 .operands = {.name = "FILE",
                                              .help = "Files to examine; '-' or no FILE: standard input",
                                              .preset = "-",
                                              .set = add_to<&advise_arguments::files>},
                                 .examples =
                                     "  riffle advise access.log\n"
                                     "  cat access.log | riffle advise -\n",
                                 .run = run<advise_arguments, run_advise>};

std::span<const command* const> commands() noexcept {
  static constexpr std::array table{&wc_command,     &count_command,   &sum_command,
                                    &freq_command,   &cat_command,     &split_command,
                                    &advise_command, &methods_command, &help_command};
  return table;
}

}  // namespace riffle::cli
