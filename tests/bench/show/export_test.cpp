/// CSV, Markdown and JSON are compared as a whole, and what names may hold must not break them.
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
    measured.samples.push_back({round, 0.1875 + round * 0.0625, usage{0.25, 0.125, 480, 1, 4096}});
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

TEST(json, of_the_whole_report) {
  report all = exact();
  const report everything = given::everything();
  all.started = everything.started;
  all.seed = 42;
  all.facts = everything.facts;
  all.facts.governor = "";
  all.limits.ram_scan = 11e9;
  all.limits.device = 1.1e9;
  std::ostringstream out;
  write_json(all, given::concluded(all, given::two_warnings()), out);
  EXPECT_EQ(out.str(),
R"json({
"schema": "riffle-bench",
"version": 4,
"started": "2026-11-21T10:00:00Z",
"complete": true,
"stopped_by": null,
"seed": 42,
"machine": {"processor":"Example Processor @ 2.50GHz","processors":2,"processors_online":4,"caches":["L1d 32 KiB","L2 1 MiB","L3 35.8 MiB"],"memory_available":21474836480,"kernel":"Linux 6.18.0","governor":null,"file_system":"ext4","device":"vda (virtio)","read_ahead":131072,"compiler":"g++ 12.2.0","flags":"-O3 -DNDEBUG","version":"0.1.0","active_kernel":"avx2 kernels"},
"limits": {"ram_scan":11000000000.0,"ram_copy":null,"device":1100000000.0},
"load": 0.0,
"stolen_share": 0.0,
"verdicts": [
  {"task":"gc","input":"a,b.txt","bytes":1000000000,"cache":"hot","text":"riffle/mmap 1M has the shortest median: 2.00 GB/s, 50 % of the scan limit.","code":"count = riffle::count_any_of(path, \"cCgG\", {}, {.method = riffle::method::mmap, .block_size = 1 << 20});"}
],
"warnings": [
  {"name":"frequency_scaling","text":"The processor may change its frequency between two runs: its governor is powersave.","remedy":"As root: cpupower frequency-set -g performance","tasks":[],"inputs":[],"contenders":[]},
  {"name":"unsteady","text":"1 contender varied by more than 10 %: gc ioaccess/mmap.","remedy":"Compare their minima, or run them again on a quiet machine.","tasks":["gc"],"inputs":["genome"],"contenders":["gc ioaccess/mmap"]}
],
"results": [
  {"task":"gc","contender":"scan","program":"limit","method":"memory","label":"scan","description":"reads by scan","input":"a,b.txt","files":2,"bytes":1000000000,"made":false,"cache":"hot","faults_per_mib":0.5,"threads":1,"block_size":0,"queue_depth":0,"outcome":"measured","reason":null,"seconds":{"median":0.25,"min":0.125,"max":0.375,"mad":0.0625,"ci95":[0.15625,0.34375],"samples":[0.125,0.15625,0.1875,0.21875,0.25,0.28125,0.3125,0.34375,0.375]},"gb_per_s":4.0,"limit":null,"of_limit":null,"answer":{"count":42,"sum":7},"user_seconds":0.25,"system_seconds":0.125,"minor_faults":480.0,"major_faults":1.0,"bytes_read":4096.0,"rounds":[1,2,3,4,5,6,7,8,9],"runs_per_sample":2,"settled":true},
  {"task":"gc","contender":"mmap","program":"riffle","method":"mmap","label":"mmap 1M","description":"reads by mmap","input":"a,b.txt","files":2,"bytes":1000000000,"made":false,"cache":"hot","faults_per_mib":0.5,"threads":1,"block_size":1048576,"queue_depth":0,"outcome":"measured","reason":null,"seconds":{"median":0.5,"min":0.25,"max":0.75,"mad":0.125,"ci95":[0.3125,0.6875],"samples":[0.25,0.3125,0.375,0.4375,0.5,0.5625,0.625,0.6875,0.75]},"gb_per_s":2.0,"limit":{"name":"scan","seconds":0.25},"of_limit":0.5,"answer":{"count":42,"sum":7},"user_seconds":0.25,"system_seconds":0.125,"minor_faults":480.0,"major_faults":1.0,"bytes_read":4096.0,"rounds":[1,2,3,4,5,6,7,8,9],"runs_per_sample":2,"settled":true},
  {"task":"gc","contender":"perl-tr","program":"perl","method":"process","label":"perl-tr","description":"reads by perl-tr","input":"a,b.txt","files":2,"bytes":1000000000,"made":false,"cache":"hot","faults_per_mib":0.5,"threads":1,"block_size":0,"queue_depth":0,"outcome":"unavailable","reason":"perl, \"5\", is not installed","seconds":null,"gb_per_s":null,"limit":{"name":"scan","seconds":0.25},"of_limit":null,"answer":null,"user_seconds":null,"system_seconds":null,"minor_faults":null,"major_faults":null,"bytes_read":null,"rounds":[],"runs_per_sample":1,"settled":false}
]
}
)json");
}

TEST(markdown, of_the_whole_report) {
  report all = exact();
  all.started = "2026-11-21T10:00:00Z";
  all.seed = 42;
  all.complete = false;
  all.stopped_by = "cannot evict 'x': use a file on a disk";
  all.facts.os_release = "Linux 6.18.0";
  all.limits.device = 1.1e9;
  std::ostringstream out;
  write_markdown(all, given::concluded(all, {given::two_warnings().at(0)}), out);
  EXPECT_EQ(out.str(),
R"(# riffle bench

- system: Linux 6.18.0
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

TEST(csv, takes_no_name_for_another_cell_a_formula_or_a_command_to_the_terminal) {
  const std::vector<std::pair<std::string, std::string>> cells{
      {"Gr\xC3\xB6\xC3\x9F\xff", "Gr\xC3\xB6\xC3\x9F\xEF\xBF\xBD"},
      {"a\"b", "\"a\"\"b\""},
      {"a b", "a b"},
      {"1=1", "1=1"},
      {"=1", "'=1"},
      {"+1", "'+1"},
      {"-1", "'-1"},
      {"@1", "'@1"},
      {"＝1", "'＝1"},
      {"＋1", "'＋1"},
      {"－1", "'－1"},
      {"＠1", "'＠1"},
      {"a\x1b[2J\r\n\t\x7f\xC2\x9B\xE2\x80\xAE", R"(a\u001b[2J\u000d\u000a\u0009\u007f\u009b\u202e)"}};
  for (const auto& [name, cell] : cells) {
    EXPECT_THAT(csv_of(named(name)), HasSubstr("\ngc," + cell + ",1000000000,"));
    EXPECT_EQ(std::ranges::count(csv_of(named(name)), '\n'), 4);
  }
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
