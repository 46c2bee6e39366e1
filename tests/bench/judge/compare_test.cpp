/// Of two runs, just the rows that changed are found, whatever the machine's drift and the noise.
#include "bench/judge/compare.hpp"
#include "text/columns.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <sstream>

#include "bench/host/os/machine.hpp"
#include "bench/show/outputs.hpp"
#include "bench/stats/random.hpp"
#include "tests/support/given_report.hpp"
#include "tests/support/given_run.hpp"
#include "tests/support/growth.hpp"
#include "tests/support/support.hpp"

namespace riffle::bench {

namespace {

using given::given_run;
using given::line_of;
using given::steady;
using given::task_of;
using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

/// "riffle/a" of each row whose cell in the given later report has become that.
std::vector<std::string> rows_with(const comparison& found, change which, std::size_t report = 0) {
  std::vector<std::string> names;
  for (const compared_row& row : found.rows) {
    if (row.cells.at(report).change == which) names.push_back(row.program + "/" + row.label);
  }
  return names;
}

std::vector<std::string> changed(const comparison& found) {
  std::vector<std::string> names = rows_with(found, change::slower);
  for (std::string& name : rows_with(found, change::faster)) names.push_back(std::move(name));
  return names;
}

std::string printed(const std::vector<named_report>& reports, bool all = false) {
  std::ostringstream out;
  print_comparison(reports, compare_reports(reports), all, out);
  return out.str();
}

std::size_t widest_line(const std::string& text) {
  std::size_t widest = 0;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) widest = std::max(widest, text::columns_of(line));
  return widest;
}

/// Noise as it is measured: never below, sometimes far above. By Box and Muller.
double lognormal(random_numbers& random, double deviation) {
  const auto uniform = [&random] { return (static_cast<double>(random.next() >> 11U) + 0.5) * 0x1p-53; };
  const double normal = std::sqrt(-2 * std::log(uniform())) * std::cos(2 * std::numbers::pi * uniform());
  return std::exp(deviation * normal);
}

/// 60 rows of 20 samples with noise of 3 %, 36 of them riffle's; "riffle/r0" takes `slower` times as long.
report noisy_run(std::uint64_t seed, double slower, double drift) {
  random_numbers random(seed);
  std::vector<measurement> lines;
  for (int row = 0; row < 60; ++row) {
    const double median = 1e-3 * (1 + row) * drift * (row == 0 ? slower : 1);
    std::vector<double> seconds;
    for (int i = 0; i < 20; ++i) seconds.push_back(median * lognormal(random, 0.03));
    lines.push_back(line_of(row < 36 ? "riffle" : "nvwa", "r" + std::to_string(row), seconds));
  }
  return {.facts = {.processor = "Example", .os_release = "Linux 6.18"},
          .tasks = {task_of(std::move(lines))}};
}

/// The comparison of two noisy runs, the second on a machine drifting by 1.0 to 1.5.
comparison noisy_comparison(std::uint64_t seed, double slower) {
  const double drift = 1 + 0.5 * static_cast<double>(seed % 6) / 5;
  return compare_reports({{"A", noisy_run(2 * seed, 1, 1)}, {"B", noisy_run(2 * seed + 1, slower, drift)}});
}

}  // namespace

TEST(bench_compare, finds_nothing_between_identical_reports) {
  const report all = given::everything();
  const comparison same = compare_reports({{"A", all}, {"B", all}});
  EXPECT_THAT(changed(same), IsEmpty());
  EXPECT_THAT(rows_with(same, change::none), SizeIs(8 + 5 + 3 * 6));
  EXPECT_THAT(rows_with(same, change::failed), ElementsAre("ioaccess/fread", "riffle/uring"));
  EXPECT_THAT(rows_with(same, change::missing), ElementsAre("perl/perl-tr"));
  EXPECT_THAT(same.reports.at(0).facts, IsEmpty());
  EXPECT_TRUE(anything_compared(same));
  EXPECT_FALSE(answers_differ(same));
  EXPECT_FALSE(slower_by_more(same, 0));
}

TEST(bench_compare, finds_just_the_slower_rows_on_a_machine_that_drifts) {
  const comparison found = compare_reports({{"A", given_run()}, {"B", given_run(3, 1.2)}});
  EXPECT_THAT(rows_with(found, change::slower), ElementsAre("riffle/a"));
  EXPECT_THAT(rows_with(found, change::faster), IsEmpty());
  EXPECT_NEAR(found.rows.at(0).cells.at(0).ratio, 3, 1e-9);
  EXPECT_NEAR(found.reports.at(0).memory.drift.value(), 1.2, 1e-9);
  EXPECT_EQ(found.reports.at(0).memory.rows, 8U);
}

TEST(bench_compare, finds_the_faster_row_where_all_else_drifts_the_other_way) {
  const comparison found = compare_reports({{"A", given_run(3)}, {"B", given_run(1, 1.5)}});
  EXPECT_THAT(rows_with(found, change::faster), ElementsAre("riffle/a"));
  EXPECT_THAT(rows_with(found, change::slower), IsEmpty());
  EXPECT_NEAR(found.rows.at(0).cells.at(0).ratio, 1 / 3.0, 1e-9);
}

TEST(bench_compare, takes_no_drift_out_on_another_machine) {
  report other = given_run(1, 1.2);
  other.facts.os_release = "Linux 6.19";
  const comparison found = compare_reports({{"A", given_run()}, {"B", other}});
  EXPECT_FALSE(found.reports.at(0).memory.drift.has_value());
  EXPECT_THAT(rows_with(found, change::slower), SizeIs(11));
  EXPECT_THAT(found.reports.at(0).facts, ElementsAre("kernel: Linux 6.18 -> Linux 6.19"));
  EXPECT_THAT(printed({{"a", given_run()}, {"b", other}}),
              HasSubstr("B differs from A in processors, OS kernel, compiler or flags"));
  other = given_run(1, 1.2);
  other.facts.processors_online = 64;
  EXPECT_FALSE(compare_reports({{"A", given_run()}, {"B", other}}).reports.at(0).memory.drift.has_value());
  other = given_run(1, 1.2);
  other.facts.processor = "Another";
  EXPECT_FALSE(compare_reports({{"A", given_run()}, {"B", other}}).reports.at(0).memory.drift.has_value());
  report nameless = given_run();
  nameless.facts.processor = other.facts.processor = os::unknown_processor;
  EXPECT_FALSE(compare_reports({{"A", nameless}, {"B", other}}).reports.at(0).memory.drift.has_value());
}

TEST(bench_compare, takes_no_drift_out_of_fewer_than_five_published_rows) {
  const std::vector<named_report> four{{"A", given_run(1, 1, 4)}, {"B", given_run(1, 1.2, 4)}};
  EXPECT_FALSE(compare_reports(four).reports.at(0).memory.drift.has_value());
  EXPECT_THAT(printed(four),
              HasSubstr("B's ratios for reading from memory are absolute: the machine's drift shows in 5"));
  const std::vector<named_report> five{{"A", given_run(1, 1, 5)}, {"B", given_run(1, 1.2, 5)}};
  EXPECT_TRUE(compare_reports(five).reports.at(0).memory.drift.has_value());
}

TEST(bench_compare, says_the_drift) {
  EXPECT_THAT(printed({{"a", given_run()}, {"b", given_run(1, 1.08)}}),
              HasSubstr("were 1.08x slower in B than in A"));
  EXPECT_THAT(printed({{"a", given_run(1, 1.08)}, {"b", given_run()}}), HasSubstr("1.08x faster in B than"));
  EXPECT_THAT(printed({{"a", given_run()}, {"b", given_run()}}), HasSubstr("as fast in B as in A"));
}

TEST(bench_compare, blames_the_machine_for_what_riffle_does_not_touch) {
  report after = given_run();
  after.tasks.at(0).lines.back() = line_of("nvwa", "p7", steady(0.5));
  const std::vector<named_report> reports{{"a", given_run()}, {"b", after}};
  const comparison found = compare_reports(reports);
  EXPECT_THAT(rows_with(found, change::machine), ElementsAre("nvwa/p7"));
  EXPECT_FALSE(slower_by_more(found, 0.1));
  EXPECT_THAT(printed(reports),
              AllOf(HasSubstr("Changed with the machine, not with riffle"), HasSubstr("1.67x"),
                    HasSubstr("B: 0 slower, 0 faster, 10 unchanged, 1 changed with the machine,")));
  after.facts.flags = "-O0";  // which may well be why
  EXPECT_THAT(changed(compare_reports({{"a", given_run()}, {"b", after}})), ElementsAre("nvwa/p7"));
}

TEST(bench_compare, takes_the_drift_of_the_device_from_cold_rows_alone) {
  const auto hot_and_cold = [](double hot_slower, double device_drift) {
    report all = given_run(hot_slower);
    all.tasks.push_back(given_run(1, device_drift).tasks.at(0));
    all.tasks.back().cache = cache_mode::cold;
    return all;
  };
  const std::vector<named_report> reports{{"a", hot_and_cold(1, 1)}, {"b", hot_and_cold(1.3, 1.5)}};
  const comparison found = compare_reports(reports);
  EXPECT_NEAR(found.reports.at(0).memory.drift.value(), 1, 1e-9);
  EXPECT_NEAR(found.reports.at(0).device.drift.value(), 1.5, 1e-9);
  EXPECT_THAT(changed(found), ElementsAre("riffle/a"));
  EXPECT_TRUE(slower_by_more(found, 0.25));
  EXPECT_THAT(printed(reports), HasSubstr("1.50x slower in B than"));
}

TEST(bench_compare, blames_the_machine_for_its_limits) {
  report after = given_run();
  after.tasks.at(0).lines.at(2) = line_of("limit", "scan", steady(0.1));
  after.tasks.at(0).lines.push_back(line_of("limit", "copy", steady(0.1)));
  report before = given_run();
  before.tasks.at(0).lines.push_back(line_of("limit", "copy", steady(0.05)));
  const comparison found = compare_reports({{"A", before}, {"B", after}});
  EXPECT_THAT(rows_with(found, change::machine), ElementsAre("limit/copy"));
  EXPECT_THAT(rows_with(found, change::slower), ElementsAre("limit/scan")) << "riffle's kernel";
  EXPECT_FALSE(slower_by_more(found, 0.1)) << "but no way of reading";
}

TEST(bench_compare, calls_no_change_what_is_below_five_percent) {
  EXPECT_THAT(changed(compare_reports({{"A", given_run()}, {"B", given_run(1.045)}})), IsEmpty());
  EXPECT_THAT(changed(compare_reports({{"A", given_run()}, {"B", given_run(1.055)}})),
              ElementsAre("riffle/a"));
}

TEST(bench_compare, calls_no_change_what_the_published_programs_vary_by_too) {
  report varied = given_run(1.2);
  // Half of the yardsticks 10 % off, to either side: a spread of 0.1, so 1.2 is within three times that.
  for (std::size_t i = 3; i < 11; ++i) {
    measurement& line = varied.tasks.at(0).lines.at(i);
    line = line_of("nvwa", line.name, steady(0.3 * (i % 2 == 0 ? 1.1 : 1 / 1.1)));
  }
  EXPECT_THAT(rows_with(compare_reports({{"A", given_run()}, {"B", varied}}), change::slower),
              Not(testing::Contains("riffle/a")));
}

TEST(bench_compare, calls_no_change_what_has_intervals_that_overlap) {
  const double drift = 1.3;
  report wide = given_run(1, drift);
  std::vector<double> seconds = steady(0.11 * drift);
  for (std::size_t i = 0; i < 4; ++i) seconds.at(i) = 0.1 * drift;  // the interval reaches the base's
  wide.tasks.at(0).lines.at(0) = line_of("riffle", "a", seconds);
  EXPECT_THAT(changed(compare_reports({{"A", given_run()}, {"B", wide}})), IsEmpty());
}

TEST(bench_compare, wants_a_plain_difference_where_samples_are_few) {
  report before = given_run();
  report after = given_run();
  before.tasks.at(0).lines.at(0) = line_of("riffle", "a", {0.1, 0.101, 0.102});
  after.tasks.at(0).lines.at(0) = line_of("riffle", "a", {0.14, 0.14, 0.14});
  EXPECT_THAT(changed(compare_reports({{"A", before}, {"B", after}})), IsEmpty());
  after.tasks.at(0).lines.at(0) = line_of("riffle", "a", {0.16, 0.16, 0.16});
  EXPECT_THAT(changed(compare_reports({{"A", before}, {"B", after}})), ElementsAre("riffle/a"));
  after.tasks.at(0).lines.at(0) = line_of("riffle", "a", {0.05, 0.05, 0.05});
  EXPECT_THAT(changed(compare_reports({{"A", before}, {"B", after}})), ElementsAre("riffle/a"));
  after.tasks.at(0).lines.at(0) = line_of("riffle", "a", {16, 16});
  EXPECT_THAT(changed(compare_reports({{"A", before}, {"B", after}})), IsEmpty());
}

TEST(bench_compare, trusts_no_few_samples_against_the_slowest_of_many) {
  std::vector<double> two_kinds = steady(0.1);
  two_kinds.back() = 1;  // as where it lost the processor to another program
  report before = given_run();
  report after = given_run();
  before.tasks.at(0).lines.at(0) = line_of("riffle", "a", two_kinds);
  after.tasks.at(0).lines.at(0) = line_of("riffle", "a", {1, 1, 1});
  EXPECT_THAT(changed(compare_reports({{"A", before}, {"B", after}})), IsEmpty());
}

TEST(bench_compare, calls_nothing_the_same_that_was_measured_once) {
  report before = given_run();
  report after = given_run();
  before.tasks.at(0).lines.at(0) = line_of("riffle", "a", steady(0.007));
  after.tasks.at(0).lines.at(0) = line_of("riffle", "a", {0.103});
  const std::vector<named_report> reports{{"a", before}, {"b", after}};
  EXPECT_THAT(rows_with(compare_reports(reports), change::undecided), ElementsAre("riffle/a"));
  EXPECT_TRUE(anything_undecided(compare_reports(reports)));
  EXPECT_TRUE(anything_undecided(compare_reports({{"B", after}, {"A", before}})));
  EXPECT_THAT(printed(reports),
              AllOf(HasSubstr("Too few runs to tell"), HasSubstr("7.00 ms    103 ms  too few\n"),
                    HasSubstr("B: 0 slower, 0 faster, 10 unchanged, 1 with too few runs, 0 not in"),
                    HasSubstr("UNDECIDED: ")));
  after.tasks.at(0).lines.at(0) = line_of("riffle", "a", {0.007});  // by luck, maybe
  EXPECT_TRUE(anything_undecided(compare_reports({{"A", before}, {"B", after}})));
  EXPECT_FALSE(anything_undecided(compare_reports({{"A", before}, {"B", before}})));
}

TEST(bench_compare, is_undecided_where_more_runs_could_show_a_change) {
  const auto after = [](std::size_t runs) {
    report all = given_run();
    std::vector<double> seconds(runs, 0.12);
    seconds.at(0) = seconds.at(1) = seconds.at(2) = seconds.at(3) = 0.1;  // the interval reaches the base's
    if (runs > 17) seconds.at(4) = seconds.at(5) = 0.1;
    all.tasks.at(0).lines.at(0) = line_of("riffle", "a", seconds);
    return all;
  };
  report before = given_run();
  before.tasks.at(0).lines.at(0) = line_of("riffle", "a", std::vector<double>(18, 0.1));
  EXPECT_THAT(rows_with(compare_reports({{"A", before}, {"B", after(10)}}), change::undecided),
              ElementsAre("riffle/a"));
  EXPECT_THAT(rows_with(compare_reports({{"A", before}, {"B", after(18)}}), change::undecided), IsEmpty());
}

TEST(bench_compare, lists_what_riffle_has_too_few_runs_of_and_counts_the_others) {
  report after = given_run();
  after.tasks.at(0).lines.at(0) = line_of("riffle", "a", {0.1});
  after.tasks.at(0).lines.back() = line_of("nvwa", "p7", {0.3});
  const std::vector<named_report> reports{{"a", given_run()}, {"b", after}};
  EXPECT_THAT(printed(reports),
              AllOf(HasSubstr("riffle/a"), Not(HasSubstr("nvwa/p7")), HasSubstr("2 with too few runs, ")));
  EXPECT_THAT(printed(reports, true), HasSubstr("nvwa/p7"));
}

TEST(bench_compare, does_not_take_noise_for_a_change) {
  int with_false_rows = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    if (!changed(noisy_comparison(seed, 1)).empty()) ++with_false_rows;
  }
  EXPECT_LE(with_false_rows, 1);
}

TEST(bench_compare, finds_ten_percent_in_noise) {
  int found = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    if (changed(noisy_comparison(seed, 1.1)) == std::vector<std::string>{"riffle/r0"}) ++found;
  }
  EXPECT_GE(found, 19);
}

TEST(bench_compare, fails_only_on_rows_slower_by_more_and_beyond_the_noise) {
  const comparison slower = compare_reports({{"A", given_run()}, {"B", given_run(1.12, 1.3)}});
  EXPECT_TRUE(slower_by_more(slower, 0.10));
  EXPECT_TRUE(slower_by_more(slower, 0.119));
  EXPECT_FALSE(slower_by_more(slower, 0.121));
  const comparison faster = compare_reports({{"A", given_run(1.5)}, {"B", given_run()}});
  EXPECT_FALSE(slower_by_more(faster, 0));
  const comparison noise = compare_reports({{"A", given_run()}, {"B", given_run(1.04)}});
  EXPECT_FALSE(slower_by_more(noise, 0.01));
}

TEST(bench_compare, fails_on_any_later_report) {
  const comparison found =
      compare_reports({{"A", given_run()}, {"B", given_run()}, {"C", given_run(1.5)}, {"D", given_run()}});
  EXPECT_TRUE(slower_by_more(found, 0.1));
}

TEST(bench_compare, compares_each_of_several_reports_with_the_first) {
  const std::vector<named_report> three{
      {"a.json", given_run()}, {"b.json", given_run(3)}, {"c.json", given_run(0.5, 1.1)}};
  const comparison found = compare_reports(three);
  EXPECT_THAT(rows_with(found, change::slower, 0), ElementsAre("riffle/a"));
  EXPECT_THAT(rows_with(found, change::faster, 1), ElementsAre("riffle/a"));
  const std::string text = printed(three);
  EXPECT_THAT(text, AllOf(HasSubstr("B: 1 slower, 0 faster, 10 unchanged"),
                          HasSubstr("C: 0 slower, 1 faster, 10 unchanged")));
  EXPECT_THAT(text, HasSubstr("100 ms    300 ms    3.00x   55.0 ms    0.50x"));
  EXPECT_EQ(widest_line(text), 99U);
}

TEST(bench_compare, counts_rows_that_only_one_report_has) {
  report less = given_run();
  std::erase_if(less.tasks.at(0).lines, [](const measurement& line) { return line.name == "b"; });
  report more = given_run();
  more.tasks.at(0).lines.push_back(line_of("riffle", "new", steady(1)));
  const comparison found = compare_reports({{"A", less}, {"B", more}});
  EXPECT_THAT(rows_with(found, change::missing), ElementsAre("riffle/b", "riffle/new"));
  EXPECT_FALSE(anything_lost(found));
  EXPECT_THAT(printed({{"a", less}, {"b", more}}), HasSubstr("10 unchanged, 2 not in both"));
  EXPECT_THAT(printed({{"a", less}, {"b", more}}), Not(HasSubstr("riffle/new")));
  EXPECT_THAT(printed({{"a", less}, {"b", more}}, true), HasSubstr("riffle/new"));
}

TEST(bench_compare, names_what_was_not_measured_again) {
  report less = given_run();
  std::erase_if(less.tasks.at(0).lines, [](const measurement& line) { return line.name == "b"; });
  const std::vector<named_report> reports{{"a", given_run()}, {"b", less}};
  EXPECT_TRUE(anything_lost(compare_reports(reports)));
  EXPECT_THAT(printed(reports), AllOf(HasSubstr("Not measured again"), HasSubstr("riffle/b"),
                                      HasSubstr("1 not measured again, 0 not in both")));
  less.tasks.at(0) = given::hot();  // a run of something else, as was asked for
  EXPECT_FALSE(anything_lost(compare_reports({{"a", given_run()}, {"b", less}})));
  less.complete = false;  // one that ended before it came so far
  EXPECT_TRUE(anything_lost(compare_reports({{"a", given_run()}, {"b", less}})));
}

TEST(bench_compare, tells_rows_apart_by_input_size_cache_and_block_size) {
  report before = given_run();
  before.tasks.push_back(given::hot());
  before.tasks.push_back(given::sized(4096));
  before.tasks.push_back(given::sized(64 << 20));
  report after = before;
  after.tasks.at(1).cache = cache_mode::written;
  const comparison found = compare_reports({{"A", before}, {"B", after}});
  EXPECT_THAT(rows_with(found, change::missing),
              SizeIs(2 * 11 - 2));  // but for the two that failed
  EXPECT_THAT(rows_with(found, change::none), SizeIs(11 + 6 + 6));
}

TEST(bench_compare, does_not_compare_what_failed) {
  report after = given_run();
  after.tasks.at(0).lines.at(0).result = {.outcome = outcome::wrong, .reason = "gives count 1"};
  after.tasks.at(0).lines.at(0).seconds = {};
  const comparison found = compare_reports({{"A", given_run()}, {"B", after}});
  EXPECT_THAT(rows_with(found, change::failed), ElementsAre("riffle/a"));
  EXPECT_THAT(printed({{"a", given_run()}, {"b", after}}), HasSubstr("1 failed or wrong."));
}

TEST(bench_compare, names_what_broke_since) {
  report after = given_run();
  after.tasks.at(0).lines.at(0).result = {.outcome = outcome::failed, .reason = "Input/output error"};
  after.tasks.at(0).lines.at(0).seconds = {};
  EXPECT_TRUE(anything_broke(compare_reports({{"A", given_run()}, {"B", after}})));
  EXPECT_FALSE(anything_broke(compare_reports({{"A", after}, {"B", given_run()}})));  // it was mended
  EXPECT_FALSE(anything_broke(compare_reports({{"A", after}, {"B", after}})));
  const std::string text = printed({{"a", given_run()}, {"b", after}});
  EXPECT_LT(text.find("Failed or wrong"), text.find("riffle/a"));
}

TEST(bench_compare, does_not_divide_by_a_time_of_zero) {
  report zero = given_run();
  zero.tasks.at(0).lines.at(0) = line_of("riffle", "a", std::vector<double>(10, 0.0));
  EXPECT_THAT(rows_with(compare_reports({{"A", zero}, {"B", given_run()}}), change::lost),
              ElementsAre("riffle/a"));
  EXPECT_THAT(rows_with(compare_reports({{"A", given_run()}, {"B", zero}}), change::lost),
              ElementsAre("riffle/a"));
}

TEST(bench_compare, says_when_there_is_nothing_to_compare) {
  report other = given_run();
  other.tasks.at(0).task = task::words;
  EXPECT_FALSE(anything_compared(compare_reports({{"A", given_run()}, {"B", other}})));
  EXPECT_THAT(printed({{"a", given_run()}, {"b", other}}),
              HasSubstr("ERROR: no contender was measured in both"));
}

TEST(bench_compare, reports_answers_that_differ_on_a_made_input) {
  report other = given_run();
  for (measurement& line : other.tasks.at(0).lines) line.result.answer = answer{43, 7};
  const std::vector<named_report> reports{{"a", given_run()}, {"b", other}};
  EXPECT_TRUE(answers_differ(compare_reports(reports)));
  EXPECT_THAT(printed(reports), AllOf(HasSubstr("ERROR: A and B give different answers"),
                                      HasSubstr("count 42, sum 7 -> count 43,")));
  other.tasks.at(0).made = false;  // a user's file may have changed
  EXPECT_FALSE(answers_differ(compare_reports({{"a", given_run()}, {"b", other}})));
  EXPECT_FALSE(answers_differ(compare_reports({{"b", other}, {"a", given_run()}})));
}

TEST(bench_compare, lists_the_facts_that_differ_but_the_free_memory) {
  report before = given_run();
  report after = given_run();
  before.facts.active_kernel = "avx2";
  after.facts.active_kernel = "scalar";
  before.facts.mitigations = {"mds", "spectre_v2"};
  after.facts.read_ahead = 4096;
  after.facts.memory_available = 1;
  EXPECT_THAT(compare_reports({{"A", before}, {"B", after}}).reports.at(0).facts,
              ElementsAre("mitigations: mds, spectre_v2 -> none", "read ahead: unknown -> 4096",
                          "active kernel: avx2 -> scalar"));
}

TEST(bench_compare, lists_only_what_changed_slower_first) {
  report after = given_run(3);
  after.tasks.at(0).lines.at(1) = line_of("riffle", "b", steady(0.1));
  const std::string text = printed({{"a", given_run()}, {"b", after}});
  EXPECT_LT(text.find("Slower than A"), text.find("riffle/a"));
  EXPECT_LT(text.find("riffle/a"), text.find("Faster than A"));
  EXPECT_LT(text.find("Faster than A"), text.find("riffle/b"));
  EXPECT_THAT(text, AllOf(HasSubstr("lines, text, 1.0 MiB, hot\n"), Not(HasSubstr("nvwa/p0")),
                          HasSubstr("B: 1 slower, 1 faster, 9 unchanged")));
  EXPECT_THAT(printed({{"a", given_run()}, {"b", after}}, true), HasSubstr("nvwa/p0"));
}

TEST(bench_compare, fits_80_columns_and_shows_no_terminal_codes) {
  report before = given::everything();
  report after = before;
  after.complete = false;
  after.stopped_by = "interrupted";
  after.facts.mount_options =
      "rw,relatime,errors=remount-ro,lazytime and then\x1b[2J some more words on that";
  after.facts.flags = "-O3 -DNDEBUG -march=native -fno-plt -flto -fuse-linker-plugin -pipe -g2 -Wall -Wextra";
  for (report* each : {&before, &after}) {
    each->tasks.at(0).input = "/a/path/that/is/long/" + std::string(100, 'x') + "\x1b[2J";
    each->tasks.at(0).lines.at(3).label = std::string(100, 'y');
  }
  const std::string text = printed({{"results/before.json", before}, {"results/after.json", after}}, true);
  EXPECT_LE(widest_line(text), 80U);
  EXPECT_THAT(text, AllOf(Not(HasSubstr("\x1b")), HasSubstr("not complete: interrupted")));
}

TEST(bench_compare, counts_columns_and_not_characters) {
  report before = given_run();
  before.tasks.at(0).input.clear();
  for (int i = 0; i < 50; ++i) before.tasks.at(0).input += "読";
  before.tasks.at(0).lines.at(0).label = before.tasks.at(0).input;
  before.tasks.at(0).lines.at(1).label =
      "\xC2\x9B"
      "2J\xE2\x80\xAE";  // CSI in one character; right to left
  const std::string text = printed({{"a", before}, {"b", before}}, true);
  EXPECT_EQ(widest_line(text), 80U);
  EXPECT_THAT(text, HasSubstr("riffle/?2J? "));
}

// A file of 64 MiB may hold 100,000 tables. A search for each of them among all took minutes.
TEST(bench_compare, takes_time_in_proportion_to_the_tables) {
  const auto compare_tables = [](std::size_t count) {
    report many;
    for (std::size_t i = 0; i < count; ++i) {
      many.tasks.push_back(task_of({line_of("riffle", "a", {0.1})}));
      many.tasks.back().input = std::to_string(i);
    }
    report other = many;
    for (task_report& table : other.tasks) table.lines[0].label = "b";
    EXPECT_THAT(rows_with(compare_reports({{"a", many}, {"b", other}}), change::lost), SizeIs(count));
  };
  EXPECT_LT(test::growth(2000, compare_tables), 8);
}

}  // namespace riffle::bench
