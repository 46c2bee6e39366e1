/// Sets each published ratio beside the same two contenders here: whether it holds, and if not, why.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/data/report.hpp"
#include "bench/data/task.hpp"
#include "bench/stats/statistics.hpp"

namespace riffle::bench {

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

/// The units in which authors gave their figures.
enum class speed_unit : std::uint8_t {
  mb_per_s,
  gb_per_s,
  seconds,               // for `published_table::bytes`
  tenth_of_million_ints  // a second of processor time, as program 2 counts: it divides one pass by ten
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
  speed_unit unit;
  double bytes;                 // of the author's input, if the unit is seconds
  std::string_view base;        // the contender that the others are compared with
  std::string_view base_label;  // "fread"
  std::span<const published_figure> figures;
  std::string_view note;  // what to know of the published program
};

/// All of them. Those of one program, task and number of files follow each other. Valid for ever.
std::span<const published_table> published_tables();

/// How many times as fast as its base a contender was; 0: not published.
range published_times(const published_table& table, const published_figure& figure);

/// Whether a published ratio holds here. `more`, `less`: over 1.5 times as large or small. `open`: too few
/// rounds.
enum class holding : std::uint8_t { yes, more, less, no, reversed, open };
/// "yes", "by more", "by less", "no", "reversed" or "too few rounds".
std::string_view in_words(holding how) noexcept;

/// A figure of a table, with its contender and its base as they were measured here.
struct checked_claim {
  const published_table* table;
  const published_figure* figure;
  range times;      // as fast as the base, as published; 0: not published, there is nothing to judge
  difference here;  // `ratio` is times as fast
  holding how = holding::open;
};

/// The measured line of that "program/name", of one thread; nullptr if there is none. Points into `table`.
const measurement* measured_line(const task_report& table, std::string_view id);

/// Whether the published ratio holds, by what was measured.
holding hold(const range& published, const difference& here);

/// The figures of one published table of which the contender and its base were both measured.
std::vector<checked_claim> check_figures(const published_table& published, const task_report& table);

/// Why a ratio is another one here, by what the processor was charged for: ": 2.00 ms longer, 75 % of that in
/// the OS kernel, for page faults (1,030 against 8)". Empty if it is not known.
std::string cause_of(const checked_claim& claim, const task_report& table);

/// User and system seconds of a run: their mean, as many systems count them in ticks longer than a run.
struct processor_seconds {
  double user = 0;
  double system = 0;
};
processor_seconds mean_processor_seconds(const measurement& line);

}  // namespace riffle::bench
