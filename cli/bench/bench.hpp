/// The parts of `riffle bench`, one file each.
#ifndef RIFFLE_CLI_BENCH_BENCH_HPP
#define RIFFLE_CLI_BENCH_BENCH_HPP

#include <functional>
#include <string>
#include <string_view>

#include "bench/judge/conclusions.hpp"
#include "bench/measure/run.hpp"
#include "cli/bench/forms.hpp"
#include "cli/command.hpp"
#include "text/terminal.hpp"

namespace riffle::cli {

extern const command bench_command;
extern const command bench_compare_command;
extern const command bench_reproduce_command;

/// Variables of every command that measures.
inline constexpr std::array measuring_variables{
    definition{"TMPDIR", "where bench and advise make their files; default: /tmp"}};

/// From now on Ctrl-C and the like, and a standard output that is lost, only end the measuring, so that files
/// are written and the temporary ones removed. What runs is shown in a line, which an empty text clears.
void watch(bench::surroundings& outside, const text::progress_line& line);
/// Ends the program by the signal that was noted, if there was one. Throws like `flush_output`.
void end_if_interrupted();

/// Printed before a table, whose verdict it may change.
using before_table = std::function<std::string(const bench::report&, bench::table_conclusions&)>;
/// Runs a plan, and prints each table as soon as it is measured, and the warnings. With `files` it also
/// prints the facts of the machine first, and writes the files at the end. Failures are said to be of
/// `command`. Returns the exit status.
int show_run(const bench::bench_plan& plan, std::string_view command, report_files* files,
             const before_table& before = {});

}  // namespace riffle::cli

#endif
