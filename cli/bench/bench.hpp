/// The parts of `riffle bench`, one file each.
#ifndef RIFFLE_CLI_BENCH_BENCH_HPP
#define RIFFLE_CLI_BENCH_BENCH_HPP

#include <functional>
#include <string>
#include <string_view>
#include <vector>

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

/// What the table of `riffle bench` fills. The lists replace what stands in `bench`, if they hold anything.
struct bench_arguments : progress_arguments {
  bench::bench_options bench;
  report_forms forms;
  std::vector<bench::cache_mode> caches;
  std::vector<unsigned> threads;
  unsigned latency = 0;  // microseconds; 0: the storage is the machine's own
  unsigned served = 0;   // 0: 32
  bool list = false;
};

/// Runs the benchmark, or lists its contenders. Throws text::usage_error for options that do not go together.
int run_bench(const bench_arguments& given);

/// From now on Ctrl-C and the like, and a standard output that is lost, only end the measuring, so that files
/// are written and the temporary ones removed. What runs is shown in a line, which an empty text clears.
void watch(bench::surroundings& outside, const text::progress_line& line);
/// Ends the program by the signal that was noted, if there was one. Throws like `flush_output`.
void end_if_interrupted();

/// Printed before a table, whose verdict it may change.
using before_table = std::function<std::string(const bench::report&, bench::table_conclusions&)>;
/// Runs a plan, and prints each table as soon as it is measured, and the warnings. With `files` it also
/// prints the facts of the machine first, and writes the files at the end. Failures are said to be of
/// `command`. `line` shows what runs. Returns the exit status.
int show_run(const bench::bench_plan& plan, std::string_view command, const text::progress_line& line,
             report_files* files, const before_table& before = {});

}  // namespace riffle::cli

#endif
