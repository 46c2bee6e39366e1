/// How a document is laid out on the terminal and in Markdown, letter for letter and measured in columns;
/// what it says is asked in document_test.cpp. JSON, letter for letter: what no number stands for is null.
#include <gmock/gmock.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "bench/show/document.hpp"
#include "tests/bench/given_report.hpp"
#include "text/shown.hpp"

namespace riffle::bench {

namespace {

using given::race;
using testing::HasSubstr;
using testing::Not;

std::string printed(const section& part, bool colour = false) {
  std::ostringstream out;
  print_section(part, colour, out);
  return out.str();
}

std::string table_of(const task_report& table, bool colour = false) {
  return printed(table_section(table, judge_table(table)), colour);
}

std::string all_text(const report& all, bool colour) {
  std::string text = printed(machine_section(all.facts, all.limits), colour);
  for (const task_report& table : all.tasks) text += table_of(table, colour);
  return text + printed(warnings_section(judge(all).warnings), colour);
}

std::size_t widest(const std::string& text) {
  std::size_t most = 0;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) most = std::max(most, text::columns_of(line));
  return most;
}

// "\x1b[36m" and the like.
std::string without_codes(std::string text) {
  for (std::size_t at = text.find('\x1b'); at != std::string::npos; at = text.find('\x1b')) {
    text.erase(at, text.find('m', at) - at + 1);
  }
  return text;
}

std::string json_of(const report& all, const conclusions& judged) {
  std::ostringstream out;
  write_json(all, judged, out);
  return out.str();
}

std::string markdown_of(const report& all, const conclusions& judged) {
  std::ostringstream out;
  write_markdown(document_of(all, judged), out);
  return out.str();
}

}  // namespace

// clang-format off

TEST(a_terminal, of_a_hot_genome) {
  EXPECT_EQ(table_of(given::hot()),
R"(gc: count c, C, g and G
genome, 953.7 MiB, hot: in the page cache, filled by reading; 0.50 faults a MiB

   # contender from     median   95% GB/s                           of its limit
=    scan      limit    100 ms ±1.0% 10.0 █████████████████████████████
=    copy      limit    160 ms ±1.0% 6.25 ██████████████████▏

>  1 automatic riffle   125 ms ±1.0% 8.00 ███████████████████████▎      80% scan
>  1 mmap      riffle   125 ms ±1.0% 8.00 ███████████████████████▎      80% scan
>  3 read      riffle   200 ms ±1.0% 5.00 ██████████████▌               80% copy
   4 read-64K  ioaccess 210 ms ±1.0% 4.76 █████████████▊                76% copy
   5 mmap      ioaccess 250 ms ±1.0% 4.00 ███████████▋                  40% scan
   6 getc      nvwa     4.00 s ±1.0% 0.25 ▊                              4% copy
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

TEST(a_terminal, has_each_remedy_under_its_warning_and_facts_under_each_other) {
  EXPECT_EQ(printed(warnings_section(given::two_warnings())),
R"(warning: The processor may change its frequency between two runs: its governor
    is powersave.
    As root: cpupower frequency-set -g performance
warning: 1 contender varied by more than 10 %: gc ioaccess/mmap.
    Compare their minima, or run them again on a quiet machine.
)");
  EXPECT_EQ(printed(machine_section({.processor = std::string(60, 'P'), .processors = 1, .file_system = "xfs"})),
            "processor " + std::string(60, 'P') + ", 1\n          processor\nstorage   xfs\n");
  EXPECT_EQ(printed({}), "");
}

// clang-format on

TEST(a_terminal, in_colour_has_the_same_text) {
  report all = given::everything();
  all.tasks[0].lines[3].seconds.samples = 5;
  const std::string coloured = all_text(all, true);
  EXPECT_EQ(without_codes(coloured), all_text(all, false));
  EXPECT_THAT(all_text(all, false), Not(HasSubstr("\x1b")));
  for (const char* const part :
       {"\x1b[36m>  3 read      riffle ", "\x1b[2m=    copy      limit ", "\n   4 read-64K  ioaccess ",
        "\x1b[31mwrong: ioaccess/fread", "\x1b[33mwarning: 1 contender"})
    EXPECT_THAT(coloured, HasSubstr(part));
}

TEST(a_terminal, fits_eighty_columns_with_the_longest_names) {
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
  result failed{.outcome = outcome::failed, .reason = std::string(300, 'x') + ' ' + japanese + japanese};
  table.lines.push_back({.name = japanese, .program = "p", .label = japanese, .result = failed});
  report all = given::everything();
  all.tasks.push_back(table);
  all.facts.processor = std::string(90, 'P');
  EXPECT_EQ(widest(all_text(all, false)), 80U);
  EXPECT_THAT(table_of(table), HasSubstr(" cin-unsynced-getline "));
  EXPECT_THAT(table_of(table), HasSubstr("…"));
  EXPECT_THAT(table_of(table), HasSubstr("100% device\n"));
}

// Results come from files too, which may hold any name. The bar took all memory.
TEST(a_terminal, aligns_by_columns_shows_names_as_text_and_leaves_out_what_tells_least) {
  const std::string aligned = table_of(race(task::gc, "limit/scan 1, p/größe 2, p/読む 4"));
  EXPECT_THAT(aligned, HasSubstr("\n   1 größe     p     "));
  EXPECT_THAT(aligned, HasSubstr("\n   2 読む      p     "));
  task_report table = given::hot();
  table.input = "a\x1b[31m\nb\xff\u202Ec";
  for (measurement& line : table.lines) line.program = std::string(100, 'p');
  const std::string text = table_of(table);
  EXPECT_THAT(text, HasSubstr("\na?[31m?b??c, 953.7 MiB"));
  EXPECT_THAT(text, HasSubstr("\n>  3 read      200 ms ±1.0% 5.00     80% copy\n"));
  EXPECT_EQ(widest(text), 80U);
}

// clang-format off

TEST(markdown, of_the_whole_report) {
  report all = given::exact();
  all.started = "2026-11-21T10:00:00Z";
  all.seed = 42;
  all.complete = false;
  all.stopped_by = "cannot evict 'x': use a file on a disk";
  all.facts = given::everything().facts;
  all.limits = given::everything().limits;
  EXPECT_EQ(markdown_of(all, given::concluded(all, {given::two_warnings().at(0)})),
R"(# riffle bench

**Not complete: cannot evict 'x': use a file on a disk**

## Before you trust these figures

- The processor may change its frequency between two runs: its governor is powersave. As root: cpupower frequency-set -g performance

## gc on a,b.txt, hot: count c, C, g and G

a,b.txt (2 files), 953.7 MiB, hot: in the page cache, filled by reading; 0.50 faults a MiB

| \# | contender | from | median | 95% | GB/s | of its limit | CPU time | minor faults |
|--:|---|---|--:|--:|--:|--:|--:|--:|
|  | scan | limit | 250 ms | ±38% | 4.00 |  | 375 ms (125 ms system) | 480 |
| 1 | **mmap 1M** | riffle | 500 ms | ±38% | 2.00 | 50% scan | 375 ms (125 ms system) | 480 |

Contenders that do not differ share a rank.

- not run: perl/perl-tr: perl, "5", is not installed

riffle/mmap 1M has the shortest median: 2.00 GB/s, 50 % of the scan limit.

```cpp
count = riffle::count_any_of(path, "cCgG", {}, {.method = riffle::method::mmap, .block_size = 1 << 20});
```

## The machine

- processor: Example Processor \@ 2.50GHz, 2 of 4 processors, L1d 32 KiB, L2 1 MiB, L3 35.8 MiB
- memory: 20.0 GiB available
- system: Linux 6.18.0, governor powersave
- storage: ext4 on vda (virtio), read-ahead 128.0 KiB
- riffle: 0.1.0, avx2 kernels, g++ 12.2.0 -O3 -DNDEBUG
- limits: RAM scan 11.0, RAM copy 9.00, device 1.10 GB/s
- run: 2026-11-21T10:00:00Z, seed 42, load 0.00 as it began, 0.00 % of the time taken by the host

)");
}

// clang-format on

TEST(markdown, takes_no_name_for_markup) {
  report all = given::exact();
  all.tasks[0].input = "a|b_c*d`<e>&\n# f";
  all.tasks[0].lines[1].label = "cin|>>word";
  const std::string text = markdown_of(all, judge(all));
  EXPECT_THAT(text, HasSubstr("\n\na\\|b\\_c\\*d\\`&lt;e&gt;&amp;?\\# f (2 files), "));
  EXPECT_THAT(text, HasSubstr("| 1 | **cin\\|&gt;&gt;word** | riffle |"));
  EXPECT_THAT(text, Not(HasSubstr("n|>")));
}

TEST(bench_json, is_json_whatever_a_report_holds) {
  report odd = given::everything();
  odd.started = "a\xff\x1b[2J\x7f\xC2\x9B\u202E\"\\\n";
  odd.load = std::numeric_limits<double>::quiet_NaN();
  odd.limits.device = std::numeric_limits<double>::infinity();
  const std::string out = json_of(odd, judge(odd));
  for (const char* obeyed_by_a_terminal : {"\x1b", "\x7f", "\xC2\x9B", "\u202E"})
    EXPECT_EQ(out.find(obeyed_by_a_terminal), std::string::npos);
  const nlohmann::json all = nlohmann::json::parse(out);
  EXPECT_EQ(all["started"], "a\uFFFD\x1b[2J\x7f\xC2\x9B\u202E\"\\\n");
  EXPECT_TRUE(all["load"].is_null() && all["limits"]["device"].is_null());
  EXPECT_EQ(all["results"].size(), 34U);
}

// clang-format off

TEST(bench_json, of_the_whole_report) {
  report all = given::exact();
  const report everything = given::everything();
  all.started = everything.started;
  all.seed = 42;
  all.facts = everything.facts;
  all.facts.governor = "";
  all.limits.ram_scan = 11e9;
  all.limits.device = 1.1e9;
  const conclusions concluded = given::concluded(all, given::two_warnings());
  all.title = "a plan";
  all.tasks[0].base = "mmap 1M";
  all.tasks[0].lines[1].wanted = 2;
  EXPECT_EQ(json_of(all, concluded),
R"json({
"schema": "riffle-bench",
"version": 6,
"title": "a plan",
"started": "2026-11-21T10:00:00Z",
"complete": true,
"stopped_by": null,
"seed": 42,
"machine": {"processor":"Example Processor @ 2.50GHz","processors":2,"processors_online":4,"caches":["L1d 32 KiB","L2 1 MiB","L3 35.8 MiB"],"memory_available":21474836480,"kernel":"Linux 6.18.0","governor":null,"file_system":"ext4","device":"vda (virtio)","read_ahead":131072,"compiler":"g++ 12.2.0","flags":"-O3 -DNDEBUG","version":"0.1.0","active_kernel":"avx2 kernels"},
"limits": {"ram_scan":11000000000.0,"ram_copy":null,"device":1100000000.0},
"load": 0.0,
"stolen_share": 0.0,
"verdicts": [
  {"task":"gc","table":"gc","input":"a,b.txt","bytes":1000000000,"cache":"hot","text":"riffle/mmap 1M has the shortest median: 2.00 GB/s, 50 % of the scan limit.","code":"count = riffle::count_any_of(path, \"cCgG\", {}, {.method = riffle::method::mmap, .block_size = 1 << 20});"}
],
"warnings": [
  {"name":"frequency_scaling","text":"The processor may change its frequency between two runs: its governor is powersave.","remedy":"As root: cpupower frequency-set -g performance","tasks":[],"inputs":[],"contenders":[]},
  {"name":"unsteady","text":"1 contender varied by more than 10 %: gc ioaccess/mmap.","remedy":"Compare their minima, or run them again on a quiet machine.","tasks":["gc"],"inputs":["genome"],"contenders":["gc ioaccess/mmap"]}
],
"results": [
  {"task":"gc","table":"gc","base":"mmap 1M","contender":"scan","program":"limit","method":"memory","label":"scan","description":"reads by scan","input":"a,b.txt","files":2,"bytes":1000000000,"made":false,"cache":"hot","faults_per_mib":0.5,"threads":1,"block_size":0,"queue_depth":0,"outcome":"measured","reason":null,"seconds":{"median":0.25,"min":0.125,"max":0.375,"mad":0.0625,"ci95":[0.15625,0.34375],"samples":[0.125,0.15625,0.1875,0.21875,0.25,0.28125,0.3125,0.34375,0.375]},"wanted":null,"gb_per_s":4.0,"limit":null,"of_limit":null,"answer":{"count":42,"sum":7},"user_seconds":0.25,"system_seconds":0.125,"minor_faults":480.0,"major_faults":1.0,"bytes_read":4096.0,"peak_memory":null,"delayed_seconds":0.0,"rounds":[1,2,3,4,5,6,7,8,9],"runs_per_sample":2,"failed_runs":0,"settled":true},
  {"task":"gc","table":"gc","base":"mmap 1M","contender":"mmap","program":"riffle","method":"mmap","label":"mmap 1M","description":"reads by mmap","input":"a,b.txt","files":2,"bytes":1000000000,"made":false,"cache":"hot","faults_per_mib":0.5,"threads":1,"block_size":1048576,"queue_depth":0,"outcome":"measured","reason":null,"seconds":{"median":0.5,"min":0.25,"max":0.75,"mad":0.125,"ci95":[0.3125,0.6875],"samples":[0.25,0.3125,0.375,0.4375,0.5,0.5625,0.625,0.6875,0.75]},"wanted":2.0,"gb_per_s":2.0,"limit":{"name":"scan","seconds":0.25},"of_limit":0.5,"answer":{"count":42,"sum":7},"user_seconds":0.25,"system_seconds":0.125,"minor_faults":480.0,"major_faults":1.0,"bytes_read":4096.0,"peak_memory":null,"delayed_seconds":0.0,"rounds":[1,2,3,4,5,6,7,8,9],"runs_per_sample":2,"failed_runs":0,"settled":true},
  {"task":"gc","table":"gc","base":"mmap 1M","contender":"perl-tr","program":"perl","method":"process","label":"perl-tr","description":"reads by perl-tr","input":"a,b.txt","files":2,"bytes":1000000000,"made":false,"cache":"hot","faults_per_mib":0.5,"threads":1,"block_size":0,"queue_depth":0,"outcome":"unavailable","reason":"perl, \"5\", is not installed","seconds":null,"wanted":null,"gb_per_s":null,"limit":{"name":"scan","seconds":0.25},"of_limit":null,"answer":null,"user_seconds":null,"system_seconds":null,"minor_faults":null,"major_faults":null,"bytes_read":null,"peak_memory":null,"delayed_seconds":null,"rounds":[],"runs_per_sample":1,"failed_runs":0,"settled":false}
]
}
)json");
}

// clang-format on

}  // namespace riffle::bench
