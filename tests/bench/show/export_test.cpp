/// CSV and Markdown are compared as a whole, and what names may hold must not break them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "bench/show/outputs.hpp"
#include "tests/support/given_report.hpp"

namespace riffle::bench {

namespace {

using testing::HasSubstr;
using testing::Not;

std::string csv_of(const report& all) {
  std::ostringstream out;
  write_csv(all, judge(all), out);
  return out.str();
}

std::string markdown_of(const report& all) {
  std::ostringstream out;
  write_markdown(all, judge(all), out);
  return out.str();
}

/// Nine rounds whose figures are exact in binary: median 0.5, from 0.25 to 0.75, deviation 0.125.
report exact() {
  result measured{.answer = answer{42, 7}, .settled = true, .runs_per_sample = 2};
  for (unsigned round = 1; round <= 9; ++round) {
    measured.samples.push_back({round, 0.1875 + round * 0.0625, usage{0.25, 0.125, 480, 1, 2, 3, 4096}});
  }
  result limit = measured;
  for (sample& each : limit.samples) each.seconds /= 2;
  const std::vector<contender> contenders{given::named(task::gc, "limit", "scan", "memory"),
                                          given::named(task::gc, "riffle", "mmap", "mmap", 1 << 20),
                                          given::named(task::gc, "perl", "perl-tr", "process")};
  const result missing{.outcome = outcome::unavailable, .reason = "perl, \"5\", is not installed"};
  return {.tasks = {{.task = task::gc,
                     .input = "a,b.txt",
                     .files = 2,
                     .bytes = 1000000000,
                     .faults_per_mib = 0.5,
                     .lines = in_order(contenders, {limit, measured, missing}, cache_mode::hot)}}};
}

report named(const std::string& input) {
  report all = exact();
  all.tasks[0].input = input;
  return all;
}

}  // namespace

// clang-format off

TEST(csv, has_one_line_a_contender) {
  EXPECT_EQ(csv_of(exact()),
R"(task,input,bytes,cache,program,label,outcome,median,ci95_low,ci95_high,gb_per_s,of_limit
gc,"a,b.txt",1000000000,hot,limit,scan,measured,0.25,0.15625,0.34375,4,
gc,"a,b.txt",1000000000,hot,riffle,mmap 1M,measured,0.5,0.3125,0.6875,2,0.5
gc,"a,b.txt",1000000000,hot,perl,perl-tr,unavailable,,,,,
)");
}

TEST(markdown, of_the_whole_report) {
  report all = exact();
  all.started = "2026-11-21T10:00:00Z";
  all.seed = 42;
  all.complete = false;
  all.stopped_by = "cannot evict 'x': use a file on a disk";
  all.facts.os_release = "Linux 6.18.0";
  all.facts.mitigations = {"spectre_v2"};
  all.limits.device = 1.1e9;
  std::ostringstream out;
  write_markdown(all, given::concluded(all, {frequency_scaling{"powersave"}}), out);
  EXPECT_EQ(out.str(),
R"(# riffle bench

- system: Linux 6.18.0, mitigations spectre\_v2
- limits: device 1.10 GB/s
- run: 2026-11-21T10:00:00Z, seed 42, **not complete: cannot evict 'x': use a file on a disk**

## gc: count c, C, g and G

Input: a,b.txt (2 files), 953.7 MiB, hot: in the page cache, filled by reading; 0.50 faults a MiB

| rank | contender | from | median | 95% | GB/s | of its limit | minor faults |
|--:|---|---|--:|--:|--:|--:|--:|
| limit | scan | limit | 250 ms | ±38% | 4.00 |  | 480 |
| 1 | **mmap 1M** | riffle | 500 ms | ±38% | 2.00 | 50% scan | 480 |

Contenders that do not differ share a rank.

- not run: perl/perl-tr: perl, "5", is not installed

riffle/mmap 1M has the shortest median: 2.00 GB/s, 50 % of the scan limit.

```cpp
count = riffle::count_any_of(path, "cCgG", {}, {.method = riffle::method::mmap, .block_size = 1 << 20});
```

## Warnings

- The processor may change its frequency between two runs: its governor is powersave. As root: cpupower frequency-set -g performance
)");
}

// clang-format on

TEST(csv, is_utf_8_whatever_a_file_is_called) {
  EXPECT_THAT(csv_of(named("Gr\xC3\xB6\xC3\x9F\xff")),
              HasSubstr("\ngc,Gr\xC3\xB6\xC3\x9F\xEF\xBF\xBD,1000000000,"));
}

TEST(csv, quotes_what_would_end_a_cell) {
  EXPECT_THAT(csv_of(named("a\"b")), HasSubstr("\ngc,\"a\"\"b\",1000000000,"));
  EXPECT_THAT(csv_of(named("a b")), HasSubstr("\ngc,a b,1000000000,"));
}

TEST(csv, has_one_line_a_contender_and_nothing_that_a_terminal_obeys) {
  const std::string csv = csv_of(named("a\x1b[2J\r\n\t\x7f\xC2\x9B\xE2\x80\xAE"));
  EXPECT_THAT(csv, HasSubstr(R"(,a\u001b[2J\u000d\u000a\u0009\u007f\u009b\u202e,1000000000,)"));
  EXPECT_EQ(std::ranges::count(csv, '\n'), 4);
  EXPECT_EQ(csv.find('\x1b'), std::string::npos);
}

TEST(csv, gives_a_spreadsheet_no_formula) {
  for (const std::string first : {"=", "+", "-", "@", "＝", "＋", "－", "＠"})
    EXPECT_THAT(csv_of(named(first + "1+1")), HasSubstr("\ngc,'" + first + "1+1,1000000000,"));
  EXPECT_THAT(csv_of(named("1=1")), HasSubstr("\ngc,1=1,1000000000,"));
}

TEST(markdown, says_whose_code_it_is_where_a_published_program_leads) {
  report all;
  all.tasks = {
      given::race(task::words, {{"riffle", "read", "read", 1}, {"ioaccess", "read-64K", "read", 0.5}})};
  EXPECT_THAT(markdown_of(all), HasSubstr("\n\nThe fastest of riffle's contenders:\n\n```cpp\n"));
  EXPECT_THAT(markdown_of(exact()), Not(HasSubstr("of riffle's")));
}

TEST(markdown, takes_no_name_for_markup) {
  EXPECT_THAT(markdown_of(named("a|b_c*d`<e>&\n# f")),
              HasSubstr("\n\nInput: a\\|b\\_c\\*d\\`&lt;e&gt;&amp;?\\# f (2 files), "));
  report all = exact();
  all.tasks[0].lines[1].label = "cin|>>word";
  EXPECT_THAT(markdown_of(all), HasSubstr("| 1 | **cin\\|&gt;&gt;word** | riffle |"));
  EXPECT_THAT(markdown_of(all), Not(HasSubstr("n|>")));
}

}  // namespace riffle::bench
