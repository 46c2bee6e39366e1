/// `riffle advise` without the benchmark: which method riffle picks for an input, and why.
#include <fmt/core.h>

#include "cli/advise.hpp"
#include "cli/command_line.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/reading.hpp"
#include "text/numbers.hpp"

namespace riffle::cli {

namespace {

int run_advise(const advise_arguments& given) {
  return advise_each(given, [&](const std::string& name) {
    const facts known = examine(input_of(name), given.reading);
    const choice chosen = choose(known);
    write(input_lines(name, known) + choice_lines(chosen) +
          fact_line("flags", fmt::format("--method {} --block-size {}", name_of(chosen.method),
                                         text::short_size(chosen.block_size))) +
          unavailable_lines());
  });
}

}  // namespace

constexpr command advise_command{.name = "advise",
                                 .summary = "Show which method riffle picks for an input, and why",
                                 .options = guard_options,
                                 .operands = {.name = "FILE",
                                              .help = "Files to examine; '-' or no FILE: standard input",
                                              .preset = "-",
                                              .set = add_advised_file},
                                 .examples =
                                     "  riffle advise access.log\n"
                                     "  cat access.log | riffle advise -\n",
                                 .run = run<advise_arguments, run_advise>};

}  // namespace riffle::cli
