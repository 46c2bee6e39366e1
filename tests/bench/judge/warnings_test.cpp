/// Each warning comes at its boundary and not before it, and says what to do.
#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "bench/judge/conclusions.hpp"
#include "tests/support/given_report.hpp"
#include "text/shown.hpp"

namespace riffle::bench {

namespace {

using given::but;
using given::race;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

/// "name: text" of each warning about the report.
std::vector<std::string> said_of(const report& all) {
  std::vector<std::string> said;
  for (const warning& each : warnings_of(all)) said.push_back(each.name + ": " + each.text);
  return said;
}

report with(task_report table) {
  return {.facts = {.processors = 2, .governor = "performance"}, .tasks = {std::move(table)}};
}
/// riffle/read and riffle/mmap with exactly these seconds, one a round.
report timed(const std::vector<std::vector<double>>& seconds, bool settled = true) {
  const std::vector<contender> both{given::named(task::gc, "riffle", "read", "read"),
                                    given::named(task::gc, "riffle", "mmap", "mmap")};
  std::vector<result> results;
  for (const std::vector<double>& runs : seconds) {
    results.push_back({.answer = answer{1, 1}, .settled = settled || !results.empty()});
    for (unsigned round = 1; round <= runs.size(); ++round)
      results.back().samples.push_back({round, runs[round - 1], {}});
  }
  const auto count = static_cast<std::ptrdiff_t>(results.size());
  return with({.task = task::gc,
               .name = "gc",
               .input = "input",
               .files = 1,
               .bytes = 1000,
               .lines = in_order({both.begin(), both.begin() + count}, results, cache_mode::hot)});
}
// One contender that varies, and `others` of a steady one.
report two(const std::vector<double>& others) {
  return timed({{1.2, 1.1, 1.3, 1.2, 1.1, 1.3}, others}, false);
}
// A median of 64, and half of the values so far away from it.
report spread(double by) {
  return timed({{64 - by, 64 - by, 64 - by, 64, 64 + by, 64 + by, 64 + by}});
}
report loaded(double load, unsigned online) {
  return {.facts = {.processors = 1, .processors_online = online}, .load = load};
}
/// One contender that reads so much from storage.
report evicted(double share, cache_mode cache = cache_mode::hot, const char* method = "read") {
  report all = with(given::hot());
  measurement& read = *std::ranges::find(all.tasks[0].lines, "read", &measurement::name);
  read.usage.bytes_read = share * static_cast<double>(all.tasks[0].bytes);
  read.method = method;
  all.tasks[0].cache = cache;
  return all;
}
/// A device as measured in the table, or else as the limits have it.
report cold(const char* lines, double device, cache_mode cache = cache_mode::cold) {
  report all = with(race(task::gc, lines, cache_mode::cold));
  all.tasks[0].cache = cache;
  if (device > 0) all.limits.device = device;
  return all;
}

}  // namespace

TEST(warnings, come_at_their_boundary_and_not_before_it) {
  const std::string busy = "busy_machine: The machine was busy: its load was 1.0 on ";
  const std::string from_cache =
      ", from a device that gives 0.80: the bytes came from a cache of the host or of the controller.";
  const std::string few = "too_few_rounds: 1 contender had too few runs for a rank: gc riffle/read.";
  const std::vector<double> steady(6, 1);
  const auto other_tasks = [](report& all) {
    all.tasks.push_back(race(task::lines, "riffle/read 0.5", cache_mode::cold));
    all.tasks.push_back(all.tasks[0]);
  };
  const auto settled_but_getc = [](report& all) {
    for (measurement& line : all.tasks[0].lines)
      line.result.settled = line.name != "getc" && !line.is_limit();
  };
  // Also those of a command that a busy machine made ten times slower than the other one.
  const auto failed = [](report& all) {
    for (measurement& line : all.tasks[0].lines) line.result.samples[0].failed = true;
  };
  // clang-format off
  const std::vector<std::pair<report, std::string>> rows{
      {with(given::hot()), ""},
      {{}, ""},
      {loaded(1, 2), ""},
      {loaded(1.01, 2), busy + "2 processors when the run began."},
      {loaded(1.01, 4), ""},
      {loaded(1.01, 0), busy + "1 processor when the run began."},  // unknown
      {{.stolen_share = 0.02}, ""},
      {{.stolen_share = 0.021}, "stolen_time: The host gave 2.1 % of this machine's time to others during the run."},
      {{.facts = {.governor = "performance"}}, ""},
      {{.facts = {.governor = "schedutil"}},
       "frequency_scaling: The processor may change its frequency between two runs: its governor is schedutil."},
      {evicted(0.01), ""},
      {evicted(0.0101),
       "not_cached: genome was evicted from the page cache during the measurement: gc riffle/read read from storage."},
      {evicted(0.0101, cache_mode::cold), ""},
      {evicted(0.0101, cache_mode::written, "direct"), ""},  // it never asks the cache
      {cold("limit/device 1.15, riffle/read 1", 1), ""},
      {cold("limit/device 1.25, riffle/read 1", 1), "host_cache: input was read at 1.00 GB/s with a cold cache" + from_cache},
      {cold("limit/device 2, riffle/read 1", 1, cache_mode::hot), ""},
      {cold("riffle/read 1", 0), ""},  // unknown
      {cold("riffle/read 1", 0.84e9), ""},
      {but(cold("riffle/read 1", 0.8e9), other_tasks), "host_cache: input was read at 2.00 GB/s with a cold cache" + from_cache},
      {spread(6.375), ""},
      {spread(6.5), "unsteady: 1 contender varied by more than 10 %: gc riffle/read."},
      {timed({steady}), ""},
      {timed({std::vector<double>(5, 1)}), few},
      {timed({steady}, false), ""},  // there is no other
      {two({2, 2, 2, 2, 2, 2}), ""},
      {two({1.05, 1, 1.15, 1, 1.1, 1.2}), few},
      {timed({std::vector<double>()}, false), ""},  // it had no turn: the table says so
      {but(with(given::hot()), settled_but_getc), ""},  // no fine figures of who is four times slower
      {but(timed({std::vector<double>(6, 10), steady}), failed),
       "failed_runs: 2 contenders failed in some runs or all, which count: gc riffle/mmap, gc riffle/read."}};
  // clang-format on
  for (const auto& [given, said] : rows) EXPECT_EQ(text::joined(said_of(given), "; "), said);
}

TEST(warnings, say_how_long_to_run_if_the_rounds_were_too_few) {
  report all = timed({std::vector<double>(5, 1)});
  EXPECT_THAT(warnings_of(all).at(0).remedy, HasSubstr("Use a longer --time on a quiet machine"));
  all.tasks.push_back(all.tasks[0]);
  for (task_report& table : all.tasks) table.round_seconds = 0.3;
  EXPECT_THAT(warnings_of(all, 2).at(0).remedy, HasSubstr("Use --time 15 on a quiet machine"));
  report varied = two({1.05, 1, 1.15, 1, 1.1, 1.2});
  for (measurement& line : varied.tasks[0].lines) {
    line.seconds.samples = 18;
    line.result.settled = false;
  }
  varied.tasks[0].round_seconds = 0.3;  // more rounds than enough
  varied.tasks[0].base = "read";
  EXPECT_EQ(said_of(varied).at(0), "too_few_rounds: 1 contender varied too much for a rank: gc mmap.");
  EXPECT_THAT(warnings_of(varied).at(0).remedy, HasSubstr("Use a longer --time"));
}

TEST(warnings, of_one_kind_are_one_warning_that_lists_all_contenders_and_names_three) {
  report all = with(given::hot());
  all.tasks.push_back(given::cold());
  all.tasks.push_back(given::sized(4096));
  for (task_report& table : all.tasks) {
    for (measurement& line : table.lines) line.seconds.samples = 5;
  }
  EXPECT_THAT(said_of(all),
              ElementsAre("too_few_rounds: 9 contenders in 2 tasks (gc, lines) had too few runs for a "
                          "rank: gc riffle/automatic, gc riffle/mmap, gc riffle/read and 6 more."));
  const std::vector<warning> found = warnings_of(all);
  EXPECT_THAT(found.at(0).tasks, ElementsAre("gc", "lines"));
  EXPECT_THAT(found.at(0).inputs, ElementsAre("genome", "text"));
  EXPECT_EQ(found.at(0).contenders.size(), 9U);
  EXPECT_EQ(found.at(0).contenders.at(5), "lines riffle/read 64K x2");
}

}  // namespace riffle::bench
