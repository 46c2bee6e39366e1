/// The figures of program 3, "Memory mapped files", beside a loop that does read. The published factor
/// of 92 is that of a loop which the compiler removes.
#include <fmt/core.h>

#include <cmath>

#include "bench/judge/figures.hpp"
#include "bench/reproduce/published_table.hpp"
#include "bench/show/in_words.hpp"
#include "text/numbers.hpp"

namespace riffle::bench {

namespace {

constexpr std::string_view by_stream = "mapped/ifstream-read-8";
constexpr std::string_view walk = "mapped/walk-as-published";
constexpr std::string_view half_walk = "mapped/walk-as-published-half";
constexpr std::string_view kept_walk = "mapped/walk-kept";
constexpr std::string_view touched = "mapped/mmap";

struct published_row {
  const char* label;
  std::string_view id;
  double published = 0;  // seconds; 0: not in his program
};

constexpr published_row rows[] = {
    {"ifstream::read of 8 bytes", by_stream, 0.503402},
    {"mmap, walked as published", walk, 0.0055},
    {"  the same, half of the file", half_walk},
    {"  the same, the loop kept", kept_walk},
    {"mmap, every value summed", touched},
    {"riffle", "riffle/automatic"},
};

constexpr double his_values = 50847534;

double values_of(const task_report& results) {
  return static_cast<double>(results.bytes) / sizeof(std::uint64_t);
}

std::string seconds_cell(double seconds) {
  return seconds > 0 ? three_figures(seconds) : "";
}

// A loop that looks at the file takes twice the time for twice the file.
std::string about_the_walk(const task_report& results) {
  const measurement* const whole = measured_line(results, walk);
  const measurement* const half = measured_line(results, half_walk);
  if (whole == nullptr || half == nullptr) return "The published walk was not measured.";
  const difference here = times_as_fast(*half, *whole);
  const double faults = whole->usage.minor_faults + whole->usage.major_faults;
  const std::string times =
      fmt::format("{} for the whole file and {} for half of it", text::human_seconds(whole->seconds.median),
                  text::human_seconds(half->seconds.median));
  const std::string seen =
      fmt::format("it causes {} page fault{}", text::with_commas(faults), std::round(faults) == 1 ? "" : "s");
  if (here.certain && here.ratio > 1.5) {
    return fmt::format(
        "The published walk takes {}, and {}: this build has kept the loop, though it touches no "
        "value.",
        times, seen);
  }
  return fmt::format(
      "The published walk takes {}, and {}: the compiler reduced the loop to one subtraction, "
      "and no byte is read.",
      times, seen);
}

}  // namespace

std::vector<std::string_view> mapped_ids() {
  std::vector<std::string_view> ids;
  for (const published_row& row : rows) ids.push_back(row.id);
  return ids;
}

table_text mapped_text(const task_report& results) {
  table_text table{.heading = "mapped: 64-bit primes counted (Glen Dayton, \"Memory Mapped Files\", 2022)"};
  table.heads = {{"seconds", "published", "scaled", "here", "GB/s", "page faults"}};
  const double scale = values_of(results) / his_values;
  for (const published_row& row : rows) {
    table.rows.push_back(
        {row.label, seconds_cell(row.published), seconds_cell(row.published * scale),
         cell_of(results, row.id, [](const measurement& line) { return three_figures(line.seconds.median); }),
         cell_of(results, row.id,
                 [&](const measurement& line) {
                   return row.id == half_walk ? "" : three_figures(gb_per_s(results, line));
                 }),
         cell_of(results, row.id, [](const measurement& line) {
           return text::with_commas(line.usage.minor_faults + line.usage.major_faults);
         })});
  }
  table.notes = {
      fmt::format(
          "Published for {} values; scaled to the {} of this file. The published program neither unmaps "
          "nor closes the file; here both are timed. The loop is kept by a volatile pointer.",
          text::with_commas(his_values), text::with_commas(values_of(results))),
      about_the_walk(results)};
  table.claims = {judged(results, {"walking a mapping is 92 times as fast as ifstream::read", touched,
                                   by_stream, 92, "the mapping with every value touched", "ifstream::read"})};
  return table;
}

}  // namespace riffle::bench
