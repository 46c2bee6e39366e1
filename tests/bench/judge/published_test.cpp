/// A published figure is only of use when its contenders exist here and are compared the right way round.
#include "bench/judge/conclusions.hpp"

#include <fmt/core.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <sstream>
#include <tuple>

#include "bench/contenders/registry.hpp"
#include "bench/show/document.hpp"
#include "tests/bench/given_report.hpp"

namespace riffle::bench {

namespace {

task_report report_of(std::string_view name, const char* lines, std::uint64_t bytes = 100000000) {
  const auto published = std::ranges::find(published_tables(), name, &published_table::name);
  task_report table = given::race(published->task, lines, cache_mode::hot, bytes);
  table.name = name;
  table.title = published->work;
  for (measurement& line : table.lines) {
    if (line.name.starts_with("walk")) line.role = role::limit;
  }
  return table;
}

// "fread: 124, 2.56": what was measured of a figure, and whether it holds.
std::string here(const task_report& table, std::string_view label) {
  for (const checked_figure& each : check_figures(published_for(table.name, table.task).front(), table)) {
    if (each.figure->label != label) continue;
    return fmt::format("{:.3g}, x {:.3g}, {}", each.here, each.times_here.value_or(0),
                       each.how ? name_of(*each.how) : "-");
  }
  return "no figure";
}

}  // namespace

TEST(published, names_contenders_that_exist_and_stands_together) {
  std::size_t found = 0;
  for (const published_table& table : published_tables()) {
    std::vector<contender> all = contenders_of(table.task, {});
    add_walks(table.task, all);
    for (const published_figure& figure : table.figures) {
      for (const std::string_view id :
           {figure.contender, figure.against.empty() ? table.base : figure.against})
        EXPECT_EQ(std::ranges::count(all, id, &contender::id), 1) << id;
      EXPECT_LE(figure.figure.low, figure.figure.high);
    }
    found += published_for(table.name, table.task).size();
  }
  EXPECT_EQ(published_for("ioaccess", task::ints).size(), 3U);
  EXPECT_EQ(found, published_tables().size() + 3);  // those of the Ryzen and the Jetson follow the first
  EXPECT_TRUE(published_for("ioaccess", task::commands).empty());
}

TEST(published, holds_or_not_beyond_the_noise) {
  const difference even{.ratio = 1, .certain = false, .rounds = 20, .within = interval{0.98, 1.02}};
  const auto times = [](double ratio) { return difference{.ratio = ratio, .certain = true, .rounds = 20}; };
  const std::vector<std::tuple<range, difference, holding>> cases{
      {{2}, times(2.2), holding::yes},
      {{2}, times(9), holding::more},
      {{92}, times(9), holding::less},
      {{2}, times(0.5), holding::reversed},
      {{0.5}, times(0.5), holding::yes},
      {{0.5}, times(0.05), holding::more},
      {{0.5}, times(2), holding::reversed},
      {{2}, even, holding::no},
      {{1.01}, even, holding::yes},
      {{1.01}, times(2), holding::no},
      {{14, 39}, times(50), holding::yes},
      {{14, 39}, times(60), holding::more},
      {{14, 39}, times(9), holding::less},
      {{1}, {.ratio = 1, .certain = false, .rounds = 20, .within = interval{0.9, 1.1}}, holding::open},
      {{2}, {.ratio = 2, .certain = false, .rounds = 20}, holding::open}};
  for (const auto& [published, measured, expected] : cases)
    EXPECT_EQ(hold(published, measured), expected) << published.low << " and " << measured.ratio;
}

TEST(published, stands_beside_the_same_two_contenders_here_in_the_authors_unit) {
  task_report arrays = report_of("ioaccess", "ioaccess/fread 0.2, ioaccess/mmap 0.1", 4 * 513 * 10000);
  for (measurement& line : arrays.lines) line.result.answer = answer{10000, 0};
  // 5,120,000 integers in 0.2 s of the processor's time, divided by ten.
  EXPECT_EQ(here(arrays, "fread"), "2.56, x 0, -");
  EXPECT_EQ(here(arrays, "mmap"), "5.12, x 2, no");
  EXPECT_EQ(here(arrays, "ifstream"), "0, x 0, -");
  arrays.lines.back().result.outcome = outcome::wrong;
  EXPECT_EQ(here(arrays, "mmap"), "5.12, x 0, -");
  EXPECT_EQ(here(report_of("nvwa, lines", "nvwa/cin-unsynced-getline 0.1, nvwa/cin-synced-getline 2"),
                 "cin, not synchronised"),
            "1e+03, x 20, yes");
  EXPECT_EQ(here(report_of("wc_measurements, one file", "wc_measurements/mmap 0.25", 110000000), "mmap"),
            "2.5, x 0, -");
}

// clang-format off

TEST(published, is_a_column_beside_what_was_measured) {
  const task_report table = report_of(
      "mapped", "mapped/ifstream-read-8 0.2, mapped/walk-as-published 0.00001, mapped/mmap 0.01 100, riffle/automatic 0.008 110");
  std::ostringstream out;
  print_section(table_section(table, judge_table(table)), false, out);
  EXPECT_EQ(out.str(), R"(mapped: 64-bit primes counted ("Memory Mapped Files")
input, 95.4 MiB, hot: in the page cache, filled by reading

Glen Dayton, 2022:

  seconds                      published      here x ifstream  here holds
  ifstream::read of 8 bytes        0.503     0.814
  mmap, walked as published      0.00550 0.0000407       91.5 20000 by more
    the same, half of the file                   -
    the same, the loop kept                      -
  mmap, every value summed                  0.0407       92.0  20.0 by less
> riffle                                    0.0325             25.0
Seconds for 50,847,534 values. The published program neither unmaps nor closes
  the file; here both are timed. The loop is kept by a volatile pointer. If the
  published walk takes no longer for the whole file than for half of it, the
  compiler removed the loop, and no byte is read.

The automatic choice is as fast as any. It is 1.2x faster than mapped/mmap, the
best that is not riffle.
    sum = riffle::sum<std::uint64_t>(path);
)");
}

// clang-format on

}  // namespace riffle::bench
