/// What a person reads is compared as a whole, letter for letter, and measured in columns.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "bench/show/in_words.hpp"
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
  all.tasks[0].lines[3].result.settled = false;
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

}  // namespace riffle::bench
