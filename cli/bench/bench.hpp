/// The parts of `riffle bench`, one file each.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/host/output_file.hpp"
#include "bench/judge/conclusions.hpp"
#include "bench/measure/run.hpp"
#include "bench/show/document.hpp"
#include "cli/command.hpp"
#include "text/shown.hpp"

namespace riffle::cli {

extern const command bench_command;
extern const command bench_reproduce_command;

/// An option with an argument, as a row of a command's table.
constexpr option valued(const char* name, const char* argument, const char* help, setter set,
                        const char* preset = "", std::vector<std::string_view> (*words)() = nullptr) {
  return {.name = name, .argument = argument, .help = help, .preset = preset, .words = words, .set = set};
}

/// The largest size of a generated input.
inline constexpr std::uint64_t largest_input = std::uint64_t{1} << 40U;

/// Drops repeated values, so that nothing is measured twice.
template <class T>
void drop_repeats(std::vector<T>& values) {
  for (auto each = values.begin(); each != values.end(); ++each)
    values.erase(std::remove(each + 1, values.end(), *each), values.end());
}

/// "a,b" is two items. Throws text::usage_error for an empty one.
std::vector<std::string_view> parse_list(std::string_view text);

/// Adds `parse(item)` of each item of "a,b" that is not there yet.
template <class T, class Parse>
void add_list(std::vector<T>& to, std::string_view text, Parse parse) {
  for (const std::string_view item : parse_list(text)) to.push_back(static_cast<T>(parse(item)));
  drop_repeats(to);
}

/// Variables of every command that measures.
inline constexpr std::array measuring_variables{
    definition{"TMPDIR", "where bench and advise make their files; default: /tmp"}};

/// Sets a file of a report, which is `path...` of the arguments.
template <auto... path>
void set_report(arguments& given, std::string_view value) {
  if (value.empty()) throw text::usage_error("no name; name a file");
  member_of(given, path...) = value;
}

/// What `--json --markdown --html --save` were given.
struct report_forms {
  std::string json, markdown, html, directory;
};

/// The files of a report, found first, so that a missing directory does not cost a minute of measuring.
class report_files {
 public:
  /// Finds them. Throws riffle::error, which names the file, if one cannot be written, and text::usage_error
  /// if one would overwrite an input, another report or a file that is no report, or if standard output would
  /// go into an input.
  report_files(const report_forms& wanted, const std::vector<std::filesystem::path>& inputs);
  /// Whether one of them is standard output, so that no table belongs there.
  [[nodiscard]] bool standard_output() const noexcept { return standard_output_; }
  /// Writes them all, in place of what they held. A file that fails is named on standard error, the others
  /// are still written; `flush_output` tells of standard output. Returns whether all files were written.
  [[nodiscard]] bool write(const bench::report& report, const bench::conclusions& conclusions);
  /// The path of the page; empty if there is none.
  [[nodiscard]] std::filesystem::path page() const;

 private:
  using writer = void (*)(const bench::report&, const bench::conclusions&, std::ostream&);
  struct form {
    std::filesystem::path path;
    writer write;
    std::optional<bench::output_file> file;  // nothing: standard output
  };
  void add(const std::filesystem::path& path, writer as);

  std::vector<form> forms_;
  bool standard_output_ = false;
};

/// What the table of `riffle bench` fills. The lists replace what stands in `bench`, if they hold anything.
struct bench_arguments : arguments {
  bench::bench_options bench;
  report_forms forms;
  std::vector<bench::cache_mode> caches;
  std::vector<unsigned> threads;
  unsigned latency = 0;  // microseconds; 0: the storage is the machine's own
  unsigned served = 0;   // 0: 32
  bool list = false;
  std::optional<int> plan;  // the descriptor that gives it
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
/// Runs a plan. Prints how long that takes, each table as soon as it is measured, and the warnings; without
/// `before` also the facts of the machine first. Writes the files at the end. Failures are said to be of
/// `command`. `line` shows what runs. Returns the exit status.
int show_run(const bench::bench_plan& plan, std::string_view command, const text::progress_line& line,
             report_files& files, const before_table& before = {});

}  // namespace riffle::cli
