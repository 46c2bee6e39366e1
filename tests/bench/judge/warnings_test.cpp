/// Each warning comes at its boundary and not before it, and says what to do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "bench/judge/warnings.hpp"
#include "tests/support/given_report.hpp"

namespace riffle::bench {

namespace {

using given::race;
using testing::ElementsAre;
using testing::IsEmpty;

/// "name: text" of each warning about the report.
std::vector<std::string> said_of(const report& all) {
  std::vector<std::string> said;
  for (const warning& each : warnings_of(all)) {
    said.push_back(std::string(name_of(each)) + ": " + text_of(each));
  }
  return said;
}

report with(task_report table) {
  return {.facts = {.processors = 2, .governor = "performance"}, .tasks = {std::move(table)}};
}

/// One contender with exactly these seconds, one a round.
task_report timed(const std::vector<double>& seconds, const char* name = "read") {
  result all{.answer = answer{1, 1}, .settled = true};
  for (unsigned round = 1; round <= seconds.size(); ++round) {
    all.samples.push_back({round, seconds[round - 1], {}});
  }
  return {.task = task::gc,
          .input = "input",
          .files = 1,
          .bytes = 1000,
          .lines = in_order({given::named(task::gc, "riffle", name, "read")}, {all}, cache_mode::hot)};
}

}  // namespace

TEST(warnings, say_nothing_about_a_good_run) {
  EXPECT_THAT(said_of(with(given::hot())), IsEmpty());
  EXPECT_THAT(said_of({}), IsEmpty());
}

TEST(warnings, tell_of_others_who_take_half_of_the_processors) {
  report all{.facts = {.processors = 1, .processors_online = 2}, .load = 1};
  EXPECT_THAT(said_of(all), IsEmpty());
  all.load = 1.01;
  EXPECT_THAT(
      said_of(all),
      ElementsAre(
          "busy_machine: The machine was busy: its load was 1.0 on 2 processors when the run began."));
  all.facts.processors_online = 4;
  EXPECT_THAT(said_of(all), IsEmpty());
  all.facts.processors_online = 0;  // unknown
  EXPECT_THAT(
      said_of(all),
      ElementsAre("busy_machine: The machine was busy: its load was 1.0 on 1 processor when the run began."));
}

TEST(warnings, tell_of_time_that_the_host_took) {
  EXPECT_THAT(said_of({.stolen_share = 0.02}), IsEmpty());
  EXPECT_THAT(
      said_of({.stolen_share = 0.021}),
      ElementsAre("stolen_time: The host gave 2.1 % of this machine's time to others during the run."));
}

TEST(warnings, tell_of_a_governor_other_than_performance) {
  EXPECT_THAT(said_of({.facts = {.governor = "performance"}}), IsEmpty());
  EXPECT_THAT(said_of({.facts = {.governor = "schedutil"}}),
              ElementsAre("frequency_scaling: The processor may change its frequency between two runs: its "
                          "governor is schedutil."));
}

TEST(warnings, tell_of_an_input_that_fills_three_quarters_of_free_memory) {
  report all = with(given::hot());
  all.tasks[0].bytes = 3 << 20;
  all.facts.memory_available = 4 << 20;
  EXPECT_THAT(said_of(all), IsEmpty());
  ++all.tasks[0].bytes;
  all.tasks.push_back(all.tasks[0]);  // another task on the same input
  EXPECT_THAT(said_of(all), ElementsAre("exceeds_cache: genome has 3.0 MiB, too much to cache in 4.0 "
                                        "MiB of free memory."));
  EXPECT_EQ(remedy_of(warnings_of(all).at(0)),
            "Use less than 3.0 MiB (--size for generated inputs), or measure it with --cache cold.");
  for (task_report& each : all.tasks) each.cache = cache_mode::written;
  EXPECT_EQ(said_of(all).size(), 1U);
  for (task_report& each : all.tasks) each.cache = cache_mode::cold;
  EXPECT_THAT(said_of(all), IsEmpty());
  for (task_report& each : all.tasks) each.cache = cache_mode::hot;
  all.facts.memory_available = 0;  // unknown
  EXPECT_THAT(said_of(all), IsEmpty());
}

TEST(warnings, tell_of_an_input_that_did_not_stay_in_the_cache) {
  report all = with(given::hot());
  measurement& read = *std::ranges::find(all.tasks[0].lines, "read", &measurement::name);
  read.usage.bytes_read = 0.01 * static_cast<double>(all.tasks[0].bytes);
  EXPECT_THAT(said_of(all), IsEmpty());
  read.usage.bytes_read += 1;
  EXPECT_THAT(said_of(all), ElementsAre("not_cached: genome was evicted from the page cache during the "
                                        "measurement: gc riffle/read read from storage."));
  all.tasks[0].cache = cache_mode::cold;
  EXPECT_THAT(said_of(all), IsEmpty());
  all.tasks[0].cache = cache_mode::written;
  read.method = "direct";  // it never asks the cache
  EXPECT_THAT(said_of(all), IsEmpty());
}

TEST(warnings, tell_of_a_cold_run_that_was_faster_than_the_device) {
  const auto cold = [](double device, double contender) {
    report all =
        with(race(task::gc, {{"limit", "device", "direct", device}, {"riffle", "read", "read", contender}},
                  cache_mode::cold));
    all.limits.device = 1;  // the device's row, on the very input, is better known
    return all;
  };
  EXPECT_THAT(said_of(cold(1.15, 1)), IsEmpty());
  EXPECT_THAT(
      said_of(cold(1.25, 1)),
      ElementsAre("host_cache: input was read at 1.00 GB/s with a cold cache, from a device that gives "
                  "0.80: the bytes came from a cache of the host or of the controller."));
  report hot = cold(2, 1);
  hot.tasks[0].cache = cache_mode::hot;
  EXPECT_THAT(said_of(hot), IsEmpty());
  report uncached = cold(2, 1);
  uncached.tasks[0].cache = cache_mode::uncached;
  EXPECT_EQ(said_of(uncached).size(), 1U);
}

TEST(warnings, know_the_device_from_the_limits_too) {
  report all = with(race(task::gc, {{"riffle", "read", "read", 1}}, cache_mode::cold));
  EXPECT_THAT(said_of(all), IsEmpty());  // unknown
  all.limits.device = 0.84e9;
  EXPECT_THAT(said_of(all), IsEmpty());
  all.limits.device = 0.83e9;
  EXPECT_EQ(said_of(all).size(), 1U);
  all.tasks.push_back(race(task::lines, {{"riffle", "read", "read", 0.5}}, cache_mode::cold));
  all.tasks.push_back(all.tasks[0]);
  EXPECT_THAT(said_of(all), ElementsAre(testing::HasSubstr("input was read at 2.00 GB/s")));
}

TEST(warnings, tell_of_a_clock_that_ticks_fewer_than_a_hundred_times) {
  report all = with(timed({1e-6, 1e-6, 1e-6, 1e-6, 1e-6, 1e-6}));
  all.tick_ns = 10;
  EXPECT_THAT(said_of(all), IsEmpty());
  all.tick_ns = 10.1;
  EXPECT_THAT(said_of(all),
              ElementsAre("coarse_clock: The clock ticks every 10 ns, and a run of gc riffle/read "
                          "takes fewer than 100 ticks."));
  all.tasks[0].lines[0].result.runs_per_sample = 2;
  EXPECT_THAT(said_of(all), IsEmpty());
}

TEST(warnings, take_the_shortest_run_for_the_clock) {
  report all = with(timed({1e-6, 1e-6, 1e-6, 1e-6, 1e-6, 1e-6}, "slow"));
  all.tasks.push_back(timed({5e-7, 5e-7, 5e-7, 5e-7, 5e-7, 5e-7}, "fast"));
  all.tasks.push_back(all.tasks[0]);
  all.tick_ns = 1000;
  EXPECT_THAT(said_of(all), ElementsAre(testing::HasSubstr("riffle/fast")));
}

TEST(warnings, tell_of_contenders_that_varied_by_more_than_a_tenth) {
  // A median of 64, and half of the values so far away from it.
  const auto spread = [](double by) {
    return with(timed({64 - by, 64 - by, 64 - by, 64, 64 + by, 64 + by, 64 + by}));
  };
  EXPECT_THAT(said_of(spread(6.375)), IsEmpty());
  EXPECT_THAT(said_of(spread(6.5)),
              ElementsAre("unsteady: 1 contender varied by more than 10 %: gc riffle/read."));
}

TEST(warnings, tell_of_contenders_with_too_few_rounds) {
  EXPECT_THAT(said_of(with(timed({1, 1, 1, 1, 1, 1}))), IsEmpty());
  EXPECT_THAT(
      said_of(with(timed({1, 1, 1, 1, 1}))),
      ElementsAre(
          "too_few_rounds: 1 contender had too few runs for a narrow 95 % interval: gc riffle/read."));
  report open = with(timed({1, 1, 1, 1, 1, 1}));
  open.tasks[0].lines[0].result.settled = false;
  EXPECT_EQ(said_of(open).size(), 1U);
  open.tasks[0].lines[0].result.samples.clear();  // it had no turn: the table says so
  open.tasks[0].lines[0].seconds = {};
  EXPECT_THAT(said_of(open), IsEmpty());
}

TEST(warnings, of_one_kind_are_one_warning_that_lists_all_contenders_and_names_three) {
  report all = with(given::hot());
  all.tasks.push_back(given::cold());
  all.tasks.push_back(given::sized(4096));
  for (task_report& table : all.tasks) {
    for (measurement& line : table.lines) line.result.settled = false;
  }
  EXPECT_THAT(
      said_of(all),
      ElementsAre(
          "too_few_rounds: 9 contenders in 2 tasks (gc, lines) had too few runs for a narrow 95 % interval: "
          "gc riffle/automatic, gc riffle/mmap, gc riffle/read and 6 more."));
  const std::vector<warning> found = warnings_of(all);
  EXPECT_THAT(std::get<too_few_rounds>(found.at(0)).tasks, ElementsAre("gc", "lines"));
  EXPECT_EQ(std::get<too_few_rounds>(found.at(0)).contenders.size(), 9U);
  EXPECT_EQ(std::get<too_few_rounds>(found.at(0)).contenders.at(5), "lines riffle/read 64K x2");
}

TEST(warnings, of_a_machine_where_all_goes_wrong_are_one_of_each_kind) {
  report all = given::everything();
  all.load = 9;
  all.stolen_share = 0.5;
  all.facts.memory_available = 5;
  all.tick_ns = 1e9;
  for (task_report& table : all.tasks) {
    for (measurement& line : table.lines) {
      line.usage.bytes_read = 1e12;
      line.result.settled = false;
      line.seconds.mad = line.seconds.median;
    }
  }
  all.tasks.push_back(all.tasks[2]);
  all.tasks.back().input = "another text";
  all.tasks.back().task = task::words;
  std::set<std::string_view> names;
  const std::vector<warning> found = warnings_of(all);
  for (const warning& each : found) names.insert(name_of(each));
  EXPECT_EQ(names.size(), found.size());
  EXPECT_EQ(found.size(), std::variant_size_v<warning> - 1);  // the device is not faster than itself
  EXPECT_THAT(said_of(all),
              testing::Contains("exceeds_cache: genome, text, another text have up to 953.7 MiB, "
                                "too much to cache in 5 B of free memory."));
  EXPECT_THAT(said_of(all), testing::Contains(testing::HasSubstr(
                                "not_cached: genome, text, another text were evicted from the page cache")));
  EXPECT_THAT(said_of(all), testing::Contains(testing::HasSubstr("in 3 tasks (gc, lines, words) varied by")));
}

TEST(warnings, ask_no_fine_figures_of_who_is_four_times_slower) {
  report all = with(given::hot());
  for (measurement& line : all.tasks[0].lines) {
    if (line.name == "getc" || line.is_limit()) line.result.settled = false;
  }
  EXPECT_THAT(said_of(all), IsEmpty());
}

TEST(warnings, each_have_a_name_of_their_own_and_a_remedy) {
  const std::vector<warning> one_of_each{busy_machine{}, stolen_time{},   frequency_scaling{},
                                         not_cached{},   exceeds_cache{}, host_cache{},
                                         coarse_clock{}, unsteady{},      too_few_rounds{}};
  std::set<std::string_view> names;
  std::set<std::string> remedies;
  for (const warning& each : one_of_each) {
    names.insert(name_of(each));
    remedies.insert(remedy_of(each));
    EXPECT_GT(remedy_of(each).size(), 20U);
  }
  EXPECT_EQ(names.size(), std::variant_size_v<warning>);
  EXPECT_EQ(remedies.size(), std::variant_size_v<warning>);
  EXPECT_EQ(remedy_of(frequency_scaling{}), "As root: cpupower frequency-set -g performance");
}

}  // namespace riffle::bench
