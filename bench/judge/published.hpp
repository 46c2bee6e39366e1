/// Published figures beside what was measured here, and whether a ratio holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
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

/// Whether a published ratio holds here. `more`, `less`: over 1.5 times as large or small. `open`: too few
/// rounds.
enum class holding : std::uint8_t { yes, more, less, no, reversed, open };
/// "MB/s"
std::string_view in_words(speed_unit unit) noexcept;
/// "yes", "by more", "by less", "no", "reversed" or "too few rounds".
std::string_view in_words(holding how) noexcept;

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
