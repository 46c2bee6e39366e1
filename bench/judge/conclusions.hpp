/// The conclusions from a report, drawn once. Every output format shows the same ones.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <riffle/options.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/data/report.hpp"
#include "bench/stats/statistics.hpp"

namespace riffle::bench {

/// The fastest that competes and of which `wanted` is true; nullptr if there is none. Points into `table`.
template <class Wanted>
const measurement* fastest(const task_report& table, Wanted wanted) {
  const auto found = std::ranges::find_if(
      table.lines, [&](const measurement& line) { return line.competes() && wanted(line); });
  return found == table.lines.end() ? nullptr : &*found;
}
const measurement* fastest_of(const task_report& table, role wanted);
/// The fastest of all.
const measurement* best_of(const task_report& table);
/// riffle's automatic choice with one thread and its own block size; the faster form if a task has two;
/// nullptr if it was not measured. Points into `table`.
const measurement* automatic_of(const task_report& table);

/// "a, b, c and 12 more"; all of them if there are three or fewer.
std::string first_few(const std::vector<std::string>& all);

/// "1 contender", "3 contenders"
std::string counted(std::size_t count, std::string_view noun);

/// "{a} is faster" with a = "mmap": "mmap is faster". A name without words stands for nothing.
using named_words = std::vector<std::pair<std::string_view, std::string>>;
std::string filled(std::string_view text, const named_words& words);

/// What a table needs for enough rounds: "--rounds 18" if it was given fewer; else "--time 240", of which it
/// gets its share; "a longer --time" if that is not known, or was not what it lacked. Of a plan, which has no
/// options: "a plan of 18 rounds", "24 s", "more time".
std::string need_for_rounds(const task_report& table);

/// How the automatic choice did against the contenders with one thread. `slower`: by over 5 %. `undecided`:
/// it cannot be told from the fastest, or it has too few runs. `unknown`: it was not measured.
enum class automatic_choice : std::uint8_t { unknown, right, slower, undecided };

struct verdict {
  /// Sentences on one line: which method is fastest and why, whether automatic found it, and whose the code
  /// is.
  std::string text = {};
  std::string of_automatic = {};  // the part of the text about the automatic choice; empty: not measured
  automatic_choice automatic = automatic_choice::unknown;
  std::string code = {};  // C++ on one line, by the winner's method; empty: nothing was measured
};

verdict verdict_of(const task_report& table);

/// The C++ statements, on one line, that do the task on `path` as the fastest of riffle's contenders did:
/// without options if the automatic choice is not slower beyond the noise. If riffle had none, by the
/// method of the fastest contender whose method riffle has. Empty if nothing was measured.
std::string winning_code(const task_report& table);

/// Whether a published program leads and the code does not do as it does, which is said before it.
bool introduces_code(const task_report& table);

/// "{.method = riffle::method::mmap, .block_size = 1 << 20}": what is not as by default of the method, the
/// block size, the queue depth and the decoding; empty if all of it is.
std::string options_as_code(const read_options& reading);

/// Where a contender stands in its table.
struct standing {
  unsigned rank = 0;  // 0: a limit, not measured, or not told from others
  /// How many times as long as the fastest contender it takes.
  /// Nothing: a limit, not measured, or the fastest itself.
  std::optional<difference> against_fastest = {};
};

/// What one table shows.
struct table_conclusions {
  std::vector<standing> standings = {};     // one for each of `lines`, in their order
  std::optional<std::size_t> fastest = {};  // its place in `lines`; nothing: no contender was measured
  bench::verdict verdict = {};
};

struct conclusions {
  std::vector<table_conclusions> tables = {};  // one for each of the report's `tasks`, in their order
  std::vector<warning> warnings = {};
};

/// The rank of each of `table.lines`, as in a race with dead heats: 1 1 1 4 5. Any two with ranks were told
/// apart, as their ranks say: they share a rank if they are alike, and the later rank is certain to be
/// slower. 0: a limit, or not measured; or it cannot be told from a steadier contender that has a rank. One
/// with fewer than `rounds_to_judge` runs has to be told from all.
std::vector<unsigned> ranks_of(const task_report& table);

/// What a table shows by itself, whatever else was measured.
table_conclusions judge_table(const task_report& table);
/// The warnings of a report, at most one of each kind. docs/methodology.md says what each means.
std::vector<warning> warnings_of(const report& report);

/// A published figure, from `low` to `high`; 0: none was published.
struct range {
  double low = 0;
  double high = low;
};

/// One contender's figure.
struct published_figure {
  std::string_view label;         // "fread, 4 KiB buffer"
  std::string_view contender;     // "ioaccess/fread-4K", as it is called here
  range figure = {};              // in the unit of its table
  std::string_view against = {};  // of which the speed is a multiple; empty: the table's `base`
  range times = {};               // as fast as `against`; 0: as the two figures give it
};

struct published_table;

/// A unit in which authors gave their figures, and how a measurement is expressed in it; 0: unknown.
struct speed_unit {
  std::string_view name;  // "MB/s"
  double (*of)(const published_table&, const task_report&, const measurement&);
};

/// The figures of one author, from one machine.
struct published_table {
  std::string_view program;  // "nvwa", "ioaccess", "mapped", "wc_measurements" or "bitflux"
  std::string_view name;     // of the table: "nvwa, lines"
  int year;                  // of the measurement
  std::string_view author;
  std::string_view work;   // what was counted, and where it was published
  std::string_view where;  // the machine; empty: the author's, or any
  bench::task task;
  bool many_files;  // measured over many small files; false: over one large file
  double share;     // of the time, beside the other tables' shares: what its slow rows need
  const speed_unit& unit;
  double bytes;                 // of the author's input, if the unit is seconds
  std::string_view base;        // the contender that the others are compared with
  std::string_view base_label;  // "fread"
  std::span<const published_figure> figures;
  std::string_view note;  // what to know of the published program
};

/// All of them. Those of one program, task and number of files follow each other. Valid for ever.
std::span<const published_table> published_tables();

/// Whether a published ratio holds here. `more`, `less`: over 1.5 times as large or small. `open`: too few
/// rounds.
enum class holding : std::uint8_t { yes, more, less, no, reversed, open };
template <>
inline constexpr std::array<named_value, 6> named_values<holding>{
    {{"yes"}, {"by more"}, {"by less"}, {"no"}, {"reversed"}, {"too few rounds"}}};

/// Whether the published ratio holds, by what was measured.
holding hold(const range& published, const difference& here);

/// The published tables of what a table repeats: it has the name of the first of them. Empty: none.
std::span<const published_table> published_for(std::string_view name, task which);

/// A figure beside what was measured here.
struct checked_figure {
  const published_figure* figure;
  const measurement* line;  // nullptr: not measured
  double here;              // in the author's unit; 0: unknown
  range times;              // as fast as its base, as published; 0: not published
  std::optional<double> times_here = {};
  std::optional<holding> how = {};
};
std::vector<checked_figure> check_figures(const published_table& published, const task_report& table);

}  // namespace riffle::bench
