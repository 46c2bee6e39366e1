/// The published tables share their outline, and the words for whether a claim holds.
#ifndef RIFFLE_BENCH_REPRODUCE_TABLE_TEXT_HPP
#define RIFFLE_BENCH_REPRODUCE_TABLE_TEXT_HPP

#include <string>
#include <string_view>
#include <vector>

#include "bench/data/report.hpp"
#include "bench/judge/claims.hpp"

namespace riffle::bench {

using cells = std::vector<std::string>;

/// The parts of a published table.
struct table_text {
  std::string heading;                   // the program, its author, the year
  std::vector<cells> heads = {};         // one or two lines over the columns
  std::vector<cells> rows = {};          // the first cell to the left, the others to the right
  std::vector<std::string> notes = {};   // what to know of the published program
  std::vector<std::string> claims = {};  // whether they hold here, and why
};

/// All of it in at most 80 columns: the heading, what it was measured on, the table, why some were not
/// measured, the notes, the claims.
std::string in_80_columns(const table_text& table, const task_report& results);

/// What `measured` says of the line of that "program/name";
/// "wrong", "fails" or "-" if it has no figure.
template <class Measured>
std::string cell_of(const task_report& results, std::string_view id, Measured measured);
std::string why_no_cell(const task_report& results, std::string_view id);

/// "124", "12.4", "1.24", "0.0124": three significant figures.
std::string three_figures(double value);

/// User and system seconds of a run: their mean, as many systems count them in ticks longer than a run.
struct processor_seconds {
  double user = 0;
  double system = 0;
};
processor_seconds mean_processor_seconds(const measurement& line);

/// A claim in words, of two lines of the table.
struct worded_claim {
  std::string_view text;       // completes "The claim that ..."
  std::string_view fast;       // "ioaccess/mmap", said to be `times` as fast as
  std::string_view slow;       // "ioaccess/fread"
  double times;                // as published
  std::string_view fast_name;  // "mmap"
  std::string_view slow_name;
};

/// One sentence: whether the claim holds here, beyond the noise, and what the slower one spends its time on.
std::string judged(const task_report& results, const worded_claim& claim);

template <class Measured>
std::string cell_of(const task_report& results, std::string_view id, Measured measured) {
  const measurement* const line = measured_line(results, id);
  return line == nullptr ? why_no_cell(results, id) : measured(*line);
}

}  // namespace riffle::bench

#endif
