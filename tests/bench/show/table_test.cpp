/// The golden pages: the table, Markdown and JSON are compared as a whole, letter for letter, and
/// measured in columns; and what names may hold must not break them.
#include <gmock/gmock.h>

#include <algorithm>
#include <sstream>

#include "bench/show/outputs.hpp"
#include "tests/support/given_report.hpp"
#include "text/columns.hpp"

namespace riffle::bench {

namespace {

using given::race;
using testing::HasSubstr;
using testing::Not;

template <class Print>
std::string printed(Print print) {
  std::ostringstream out;
  print(out);
  return out.str();
}

std::string table_of(const task_report& table, bool colour = false) {
  return printed([&](std::ostream& out) { print_table(table, judge_table(table), colour, out); });
}

std::string all_text(const report& all, bool colour) {
  return printed([&](std::ostream& out) {
    print_machine(all.facts, out);
    print_limits(all.limits, out);
    for (const task_report& table : all.tasks) print_table(table, judge_table(table), colour, out);
    print_warnings(judge(all).warnings, colour, out);
  });
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::size_t widest(const std::string& text) {
  std::size_t most = 0;
  for (const std::string& line : lines_of(text)) most = std::max(most, text::columns_of(line));
  return most;
}

// "\x1b[36m" and the like.
std::string without_codes(std::string text) {
  for (std::size_t at = text.find('\x1b'); at != std::string::npos; at = text.find('\x1b')) {
    text.erase(at, text.find('m', at) - at + 1);
  }
  return text;
}

std::string markdown_of(const report& all) {
  return printed([&](std::ostream& out) { write_markdown(all, judge(all), out); });
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

TEST(table, of_a_hot_genome) {
  EXPECT_EQ(table_of(given::hot()),
R"(gc: count c, C, g and G
genome, 953.7 MiB, hot: in the page cache, filled by reading; 0.50 faults a MiB

     contender from       median   95%  GB/s                        of its limit
=    scan      limit      100 ms ±1.0%  10.0 ██████████████████████████
=    copy      limit      160 ms ±1.0%  6.25 ████████████████▎

>  1 automatic riffle     125 ms ±1.0%  8.00 ████████████████████▊      80% scan
>  1 mmap      riffle     125 ms ±1.0%  8.00 ████████████████████▊      80% scan
>  3 read      riffle     200 ms ±1.0%  5.00 █████████████              80% copy
   4 read-64K  ioaccess   210 ms ±1.0%  4.76 ████████████▍              76% copy
   5 mmap      ioaccess   250 ms ±1.0%  4.00 ██████████▍                40% scan
   6 getc      nvwa       4.00 s ±1.0%  0.25 ▋                           4% copy
= limit, > riffle. Contenders that do not differ share a rank.
wrong: ioaccess/fread: gives count 41, sum 7, where limit/scan and 7 more give
  count 42, sum 7
not run: perl/perl-tr: perl is not installed
failed: riffle/uring: cannot set up a ring: Operation not permitted

On this file, hot, mmap is 1.6x faster than read: 478 page faults, large folios.
The automatic choice is as fast as any, at 80 % of the scan limit. It is 1.7x
faster than ioaccess/read-64K, the best that is not riffle.
    count = riffle::count_any_of(path, "cCgG");
)");
}

TEST(machine_facts, and_limits) {
  const report all = given::everything();
  EXPECT_EQ(printed([&](std::ostream& out) {
    print_machine(all.facts, out);
    print_limits(all.limits, out);
  }),
R"(processor Example Processor @ 2.50GHz, 2 of 4 processors, L1d 32 KiB, L2 1 MiB,
          L3 35.8 MiB
memory    20.0 GiB available
system    Linux 6.18.0, governor powersave
storage   ext4 on vda (virtio), read-ahead 128.0 KiB
riffle    0.1.0, avx2 kernels, g++ 12.2.0 -O3 -DNDEBUG
limits    RAM scan 11.0, RAM copy 9.00, device 1.10 GB/s
)");
}

TEST(machine_facts, leave_out_what_is_not_known) {
  EXPECT_EQ(printed([&](std::ostream& out) {
    print_machine({.processor = "Some", .processors = 1, .file_system = "xfs"}, out);
    print_limits({.device = 5e8}, out);
    print_machine({}, out);
    print_limits({}, out);
  }),
R"(processor Some, 1 processor
storage   xfs
limits    device 0.50 GB/s
)");
}

TEST(warnings_text, has_each_remedy_under_its_warning) {
  EXPECT_EQ(printed([](std::ostream& out) { print_warnings(given::two_warnings(), false, out); }),
R"(warning: The processor may change its frequency between two runs: its governor
    is powersave.
    As root: cpupower frequency-set -g performance
warning: 1 contender varied by more than 10 %: gc ioaccess/mmap.
    Compare their minima, or run them again on a quiet machine.
)");
  EXPECT_EQ(printed([](std::ostream& out) { print_warnings({}, false, out); }), "");
}

// clang-format on

TEST(table, in_colour_has_the_same_text) {
  report all = given::everything();
  all.tasks[0].lines[3].seconds.samples = 5;
  const std::string coloured = all_text(all, true);
  EXPECT_EQ(without_codes(coloured), all_text(all, false));
  EXPECT_THAT(all_text(all, false), Not(HasSubstr("\x1b")));
  EXPECT_THAT(coloured, HasSubstr("\x1b[36m>  3 read      riffle "));  // riffle's rows
  EXPECT_THAT(coloured, HasSubstr("\x1b[2m=    copy      limit "));    // limits
  EXPECT_THAT(coloured, HasSubstr("\n   4 read-64K  ioaccess "));      // the others
  EXPECT_THAT(coloured, HasSubstr("\x1b[31mwrong: ioaccess/fread"));   // failures
  EXPECT_THAT(coloured, HasSubstr("\x1b[33mwarning: 1 contender"));    // warnings
}

TEST(table, fits_eighty_columns_with_the_longest_names) {
  const char* const japanese = "読み込み-読み込み-読み込み-読み込み";
  task_report table = race(task::lines,
                           {{"limit", "scan", "memory", 0.0999},
                            {"limit", "device", "direct", 123.4},
                            {"riffle", "automatic-range-for", "automatic", 123.4, 0, 64 << 10, 16},
                            {"wordcount", "cin-unsynced-getline", "iostream", 999.9},
                            {"wordcount", "a-name-so-long-that-nothing-is-left-for-bars", "read", 1000},
                            {"wordcount", japanese, "direct", 300}},
                           cache_mode::cold, std::uint64_t{1} << 40);
  table.input = std::string(200, '/') + japanese;
  table.files = 123456;
  table.faults_per_mib = 255.99;
  result failed{.outcome = outcome::failed, .reason = std::string(300, 'x') + ' ' + japanese + japanese};
  table.lines.push_back({.name = japanese, .program = "p", .label = japanese, .result = failed});
  report all = given::everything();
  all.tasks.push_back(table);
  all.facts.processor = std::string(90, 'P');
  all.facts.memory_available = 1 << 20;
  EXPECT_EQ(widest(all_text(all, false)), 80U);
  EXPECT_THAT(table_of(table), HasSubstr(" cin-unsynced-getline "));
  EXPECT_THAT(table_of(table), HasSubstr("…"));
  EXPECT_THAT(table_of(table), HasSubstr("100% device\n"));
}

TEST(table, aligns_by_columns_and_not_by_bytes) {
  const std::vector<std::string> lines = lines_of(table_of(
      race(task::gc, {{"limit", "scan", "memory", 1}, {"p", "größe", "read", 2}, {"p", "読む", "read", 4}})));
  for (const std::size_t i : {6U, 7U}) EXPECT_EQ(text::columns_of(lines.at(i)), 80U) << lines.at(i);
}

TEST(table, lets_no_file_name_talk_to_the_terminal) {
  task_report table = given::hot();
  table.input = "a\x1b[31m\nb\xff\u202Ec";
  EXPECT_THAT(table_of(table), HasSubstr("\na?[31m?b??c, 953.7 MiB"));
}

TEST(table, draws_bars_for_the_limits_that_bind_alone) {
  const std::string text = table_of(given::cold());
  EXPECT_THAT(text, HasSubstr("=    scan      limit      100 ms ±1.0%  10.0\n"));
  EXPECT_THAT(text, HasSubstr("=    device    limit      900 ms ±1.0%  1.11 ███"));
}

TEST(table, says_who_had_no_turn_in_a_run_that_was_interrupted) {
  task_report table = given::hot();
  for (std::size_t i = 3; i < 8; ++i) {
    table.lines[i].result.samples.clear();
    table.lines[i].seconds = {};
  }
  EXPECT_THAT(table_of(table),
              HasSubstr("not timed: riffle/mmap, riffle/read, ioaccess/read-64K and 2 more\n"));
  for (measurement& line : table.lines) line.seconds = {};
  EXPECT_THAT(table_of(table), Not(HasSubstr("contender from")));
  EXPECT_THAT(table_of(table), HasSubstr("\nNothing was measured.\n"));
}

TEST(table, gives_no_rank_for_one_or_two_rounds) {
  task_report table = given::hot();
  given::keep_rounds(table, 2);
  EXPECT_THAT(table_of(table), HasSubstr("\n   - getc      nvwa       4.02 s     -  0.25 "));
  EXPECT_THAT(table_of(table), HasSubstr("\n- instead of a rank: it cannot be told from another.\n"));
}

// Results are read from files, which may hold any name. The bar took all memory.
TEST(table, of_a_program_whose_name_fills_the_line_has_no_bar) {
  task_report table = given::hot();
  for (measurement& line : table.lines) line.program = std::string(100, 'p');
  const std::string text = table_of(table);
  EXPECT_THAT(text, HasSubstr(std::string(100, 'p')));
  EXPECT_LT(text.size(), 10'000U);
}

TEST(table, of_commands_shows_what_they_used_and_counts_runs_if_there_are_no_files) {
  task_report table = given::race(task::commands, {{"limit", "scan", "memory", 0.1},
                                                   {"command", "wc -l f", "process", 0.25},
                                                   {"command", "cat f", "process", 0.5},
                                                   {"command", "cat g", "process", 0.5}});
  for (measurement& line : table.lines) line.usage.peak_memory = line.is_limit() ? 0 : 3 << 20;
  EXPECT_THAT(table_of(table),
              AllOf(HasSubstr("CPU time      peak"), HasSubstr("250 ms   3.0 MiB"),
                    HasSubstr("`wc -l f` is 2.0x faster than `cat f`."), HasSubstr("40% scan")));
  table.files = table.bytes = 0;
  EXPECT_THAT(table_of(table), AllOf(HasSubstr("runs/s"), HasSubstr(" 4.00 "), Not(HasSubstr("GB/s"))));
}

// clang-format off

TEST(json, of_the_whole_report) {
  report all = exact();
  const report everything = given::everything();
  all.started = everything.started;
  all.seed = 42;
  all.facts = everything.facts;
  all.facts.governor = "";
  all.limits.ram_scan = 11e9;
  all.limits.device = 1.1e9;
  EXPECT_EQ(printed([&](std::ostream& out) { write_json(all, given::concluded(all, given::two_warnings()), out); }),
R"json({
"schema": "riffle-bench",
"version": 5,
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
  {"task":"gc","contender":"scan","program":"limit","method":"memory","label":"scan","description":"reads by scan","input":"a,b.txt","files":2,"bytes":1000000000,"made":false,"cache":"hot","faults_per_mib":0.5,"threads":1,"block_size":0,"queue_depth":0,"outcome":"measured","reason":null,"seconds":{"median":0.25,"min":0.125,"max":0.375,"mad":0.0625,"ci95":[0.15625,0.34375],"samples":[0.125,0.15625,0.1875,0.21875,0.25,0.28125,0.3125,0.34375,0.375]},"gb_per_s":4.0,"limit":null,"of_limit":null,"answer":{"count":42,"sum":7},"user_seconds":0.25,"system_seconds":0.125,"minor_faults":480.0,"major_faults":1.0,"bytes_read":4096.0,"peak_memory":null,"delayed_seconds":0.0,"rounds":[1,2,3,4,5,6,7,8,9],"runs_per_sample":2,"failed_runs":0,"settled":true},
  {"task":"gc","contender":"mmap","program":"riffle","method":"mmap","label":"mmap 1M","description":"reads by mmap","input":"a,b.txt","files":2,"bytes":1000000000,"made":false,"cache":"hot","faults_per_mib":0.5,"threads":1,"block_size":1048576,"queue_depth":0,"outcome":"measured","reason":null,"seconds":{"median":0.5,"min":0.25,"max":0.75,"mad":0.125,"ci95":[0.3125,0.6875],"samples":[0.25,0.3125,0.375,0.4375,0.5,0.5625,0.625,0.6875,0.75]},"gb_per_s":2.0,"limit":{"name":"scan","seconds":0.25},"of_limit":0.5,"answer":{"count":42,"sum":7},"user_seconds":0.25,"system_seconds":0.125,"minor_faults":480.0,"major_faults":1.0,"bytes_read":4096.0,"peak_memory":null,"delayed_seconds":0.0,"rounds":[1,2,3,4,5,6,7,8,9],"runs_per_sample":2,"failed_runs":0,"settled":true},
  {"task":"gc","contender":"perl-tr","program":"perl","method":"process","label":"perl-tr","description":"reads by perl-tr","input":"a,b.txt","files":2,"bytes":1000000000,"made":false,"cache":"hot","faults_per_mib":0.5,"threads":1,"block_size":0,"queue_depth":0,"outcome":"unavailable","reason":"perl, \"5\", is not installed","seconds":null,"gb_per_s":null,"limit":{"name":"scan","seconds":0.25},"of_limit":null,"answer":null,"user_seconds":null,"system_seconds":null,"minor_faults":null,"major_faults":null,"bytes_read":null,"peak_memory":null,"delayed_seconds":null,"rounds":[],"runs_per_sample":1,"failed_runs":0,"settled":false}
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
  const conclusions judged = given::concluded(all, {given::two_warnings().at(0)});
  EXPECT_EQ(printed([&](std::ostream& out) { write_markdown(all, judged, out); }),
R"(# riffle bench

- system: Linux 6.18.0
- limits: device 1.10 GB/s
- run: 2026-11-21T10:00:00Z, seed 42, **not complete: cannot evict 'x': use a file on a disk**

## gc: count c, C, g and G

Input: a,b.txt (2 files), 953.7 MiB, hot: in the page cache, filled by reading; 0.50 faults a MiB

| rank | contender | from | median | 95% | GB/s | of its limit | minor faults | processor time | peak |
|--:|---|---|--:|--:|--:|--:|--:|--:|--:|
| limit | scan | limit | 250 ms | ±38% | 4.00 |  | 480 | 250 ms + 125 ms | - |
| 1 | **mmap 1M** | riffle | 500 ms | ±38% | 2.00 | 50% scan | 480 | 250 ms + 125 ms | - |

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

TEST(markdown, takes_no_name_for_markup) {
  EXPECT_THAT(markdown_of(named("a|b_c*d`<e>&\n# f")),
              HasSubstr("\n\nInput: a\\|b\\_c\\*d\\`&lt;e&gt;&amp;?\\# f (2 files), "));
  report all = exact();
  all.tasks[0].lines[1].label = "cin|>>word";
  EXPECT_THAT(markdown_of(all), HasSubstr("| 1 | **cin\\|&gt;&gt;word** | riffle |"));
  EXPECT_THAT(markdown_of(all), Not(HasSubstr("n|>")));
}

}  // namespace riffle::bench
