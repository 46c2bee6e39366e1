/// Each situation that a reader may meet is decided, and no verdict ranks within the noise: a rank is shared
/// by those that do not differ, and given only to those that were told apart. The golden tables of
/// tests/bench/show have whole sentences. Each warning comes at its boundary and says what to do.
#include <gmock/gmock.h>

#include <algorithm>

#include "bench/judge/conclusions.hpp"
#include "bench/stats/statistics.hpp"
#include "tests/bench/given_report.hpp"
#include "text/shown.hpp"

namespace riffle::bench {

namespace {

using given::but;
using given::keep_rounds;
using given::race;
using testing::ElementsAre;
using testing::HasSubstr;

/// automatic as fast as mmap, and read.
task_report mapped(double mmap, double read, cache_mode cache = cache_mode::hot) {
  const std::string seconds = std::to_string(mmap);
  return race(task::gc,
              ("riffle/automatic " + seconds + " 480, riffle/mmap " + seconds + " 1350, riffle/read " +
               std::to_string(read) + " 70")
                  .c_str(),
              cache);
}
task_report waiting(cache_mode cache, usage used) {
  task_report table = race(task::gc, "riffle/automatic 1, readahead/willneed-8M 0.5", cache);
  table.lines.at(1).usage = used;
  return table;
}

auto faults(double per_mib) {
  return [per_mib](task_report& table) { table.faults_per_mib = per_mib; };
}
auto sized(std::uint64_t bytes, std::size_t files) {
  return [=](task_report& table) {
    table.bytes = bytes;
    table.files = files;
  };
}
// Runs that take from (1 - by) to (1 + by) times as long, in an order of the seed.
void vary(measurement& line, double by, std::uint64_t seed = 1) {
  random_numbers random(seed);
  for (sample& one : line.result.samples)
    one.seconds *= 1 + by * (static_cast<double>(random.below(2001)) / 1000 - 1);
  line.seconds = summarise(seconds_of(line.result.samples));
}

void three_rounds_of_the_first(task_report& table) {
  keep_rounds(table.lines.front(), 3);
}

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

TEST(verdict, decides_each_situation) {
  // clang-format off
  constexpr std::uint64_t small = 8 << 20;
  constexpr auto right = automatic_choice::right;
  constexpr auto slower = automatic_choice::slower;
  constexpr auto undecided = automatic_choice::undecided;
  constexpr auto unknown = automatic_choice::unknown;
  constexpr cache_mode cold = cache_mode::cold;
  constexpr usage waits{.user_seconds = 0.05, .system_seconds = 0.02};
  constexpr usage delayed{.user_seconds = 0.05, .system_seconds = 0.02, .delayed_seconds = 0.43};
  const auto gc = [](const char* lines, cache_mode cache = cache_mode::hot) { return race(task::gc, lines, cache); };
  const auto mmap_varies = [](task_report& table) {
    vary(*std::ranges::find(table.lines, "mmap", &measurement::name), 0.73);
  };
  const auto seven_rounds = [](task_report& table) { keep_rounds(table, 7); };
  struct row {
    task_report table;
    automatic_choice automatic;
    std::vector<const char*> said;
  };
  const std::vector<row> rows{
      // Why mmap is faster or slower than read.
      {but(mapped(0.1, 0.21), faults(0.5)), right,
       {"On this file, hot, mmap is 2.1x faster than read: 1,350 page faults, large folios. "}},
      {but(mapped(0.1, 0.21), faults(2)), right, {"1,350 page faults. "}},
      {but(mapped(0.1, 0.21), faults(8)), right, {"page faults, 4 KiB pages."}},
      {but(mapped(0.1, 0.21), sized(1000000000, 2)), right, {"On these files, hot"}},
      {gc("riffle/mmap 0.1, riffle/read 0.2"), unknown,
       {"than read: read spends 25 % of its time copying. riffle/mmap has the shortest median: 10.0 GB/s."}},
      {but(mapped(0.22, 0.2), faults(16)), slower,
       {"read is 10 % faster than mmap: 1,350 page faults", "choice is 10 % slower than riffle/read."}},
      {but(mapped(0.0002, 0.0001), sized(small - 1, 1)), slower, {"mmap: setting up a mapping costs more"}},
      {but(mapped(0.0002, 0.0001), sized(small, 2)), slower, {"mmap: setting up a mapping costs more"}},
      {but(mapped(0.0002, 0.0001), sized(small, 1)), slower, {"mmap: 1,350 page"}},
      {mapped(1, 1.015), right, {"mmap does not differ from read. "}},
      {but(mapped(1, 1.4), seven_rounds), undecided,
       {"mmap had too few rounds beside read: 7 of 18.", "choice has the shortest median. For 18 rounds, use a longer --time."}},
      {but(mapped(1, 1.3), mmap_varies), right, {"from read: mmap's runs spread by 23 %."}},
      {mapped(1, 2, cold), right, {"On this file, cold, mmap is 2.0x faster than read. "}},  // faults are no cause
      // Who waits for storage, if it is cold.
      {waiting(cold, waits), slower, {"automatic waited for storage for 93 % of its time. "}},
      {waiting(cold, delayed), slower, {"automatic waited for storage for 50 % of its time."}},
      {waiting(cache_mode::hot, waits), slower,
       {"choice is 2.0x slower than readahead/willneed-8M. The fastest of riffle's contenders:"}},
      // The limits.
      {gc("limit/scan 0.1, riffle/automatic 0.099"), right, {"as fast as any, at 101 % of the scan limit."}},
      {gc("limit/scan 0.1, riffle/automatic 0.125, ioaccess/mmap 0.25"), right,
       {"any, at 80 % of the scan limit. It is 2.0x faster than ioaccess/mmap, the best that is not riffle."}},
      {gc("limit/scan 1"), unknown, {"Nothing was measured."}},
      {{}, unknown, {"Nothing was measured."}},
      // riffle's choice, or its best, beside the others.
      {gc("riffle/automatic 1, ioaccess/mmap 1.015"), right, {"It does not differ from ioaccess"}},
      {gc("riffle/automatic 1.015, ioaccess/mmap 1"), right,
       {"It does not differ from ioaccess", "The fastest of riffle's contenders:"}},
      {gc("riffle/automatic 1.05, ioaccess/mmap 1"), right, {"choice is 5 % slower than ioaccess/mmap."}},
      {gc("riffle/automatic 1.06, ioaccess/mmap 1"), slower, {"choice is 6 % slower than ioaccess/mmap."}},
      {but(gc("riffle/automatic 1.01, ioaccess/mmap 1"), three_rounds_of_the_first), undecided,
       {"choice had too few rounds beside ioaccess/mmap: 3 of 18."}},
      {gc("riffle/automatic 0.3, riffle/uring 0.2, ioaccess/mmap 0.6"), slower,
       {"choice is 1.5x slower than riffle/uring. It is 2.0x faster than ioaccess/mmap"}},
      {gc("riffle/automatic 0.3, riffle/automatic 0.15 x2"), right,
       {"any with one thread. 2 threads (riffle/automatic x2) are 2.0x faster than riffle/automatic."}},
      {gc("riffle/mmap 0.1 x2, riffle/mmap 0.2, riffle/read 0.3 b4096, riffle/read 0.8"), unknown,
       {"mmap is 4.0x faster than read: ", "x2 has the shortest", "2.0x faster than riffle/mmap."}},
      {gc("mapped/mmap 0.1, ioaccess/mmap 0.2 300, ioaccess/read-4K 0.5 b4096, ioaccess/read-64K 0.4 b65536"), unknown,
       {"ioaccess/mmap is 2.0x faster than ioaccess/read-64K: 300 page faults", "mapped/mmap has the"}},
      {gc("riffle/read 1, ioaccess/read-64K 0.5"), unknown,
       {"ioaccess/read-64K has the shortest median: 2.00 GB/s. The fastest of riffle's contenders:"}},
      {but(gc("riffle/read 0.1"), sized(100000, 1000)), unknown, {"riffle/read has the shortest median: 10000 files/s."}}};
  // clang-format on
  for (const row& each : rows) {
    const verdict found = verdict_of(each.table);
    EXPECT_EQ(found.automatic, each.automatic) << found.text;
    for (const char* const part : each.said) EXPECT_THAT(found.text, HasSubstr(part));
  }
}

// On a busy machine two that are far apart may have had two rounds.
TEST(verdict, says_how_long_to_run_if_the_rounds_were_too_few) {
  task_report table =
      race(task::words, {{"riffle", "automatic", "automatic", 0.3}, {"wc", "wc -w", "process", 6}});
  keep_rounds(table.lines[1], 2);
  table.lines[1].result.samples[1].seconds = 0.3;
  table.round_seconds = 2.45;
  table.share = 0.25;
  table.seconds = 5;
  const verdict found = verdict_of(table);
  EXPECT_THAT(found.text,
              HasSubstr("It had too few rounds beside wc/wc -w, the best that is not riffle: 2 of 18. "
                        "For 18 rounds, use --time 240."));
  EXPECT_THAT(found.of_automatic, HasSubstr("For 18 rounds, use --time 240."));
  struct row {
    double round_seconds, seconds, share;
    unsigned rounds;
    const char *said, *of_plan;
  };
  // clang-format off
  for (const auto& [round_seconds, seconds, share, rounds, said, of_plan] : {
           row{2.45, 5, 1, 18, "For 18 rounds, use --time 59.", "For 18 rounds it needs 59 s."},
           row{0.01, 0, 1, 0, "For 18 rounds, use --time 1.", "For 18 rounds it needs 1 s."},
           row{2.45, 5, 1, 17, "For 18 rounds, use --rounds 18.", "For 18 rounds it needs a plan of 18 rounds."},
           row{1, 2, 15.0 / 195, 50, "For 18 rounds, use --time 320.", "For 18 rounds it needs 320 s."},
           // It was interrupted, or others took the time.
           row{0.01, 5, 1, 50, "For 18 rounds, use a longer --time.", "For 18 rounds it needs more time."},
           row{2, 48, 0.5, 50, "For 18 rounds, use a longer --time.", "For 18 rounds it needs more time."}}) {
    table.round_seconds = round_seconds, table.seconds = seconds, table.share = share, table.rounds = rounds;
    table.base = "";
    EXPECT_THAT(verdict_of(table).text, HasSubstr(said));
    table.base = "automatic";
    EXPECT_THAT(verdict_of(table).text, HasSubstr(of_plan));
  }
  // clang-format on
}

TEST(verdict, of_a_plan_compares_riffle_with_the_best_peer_and_names_who_cannot_be_told) {
  const auto plan = [](double riffle, double best) {
    task_report table = race(task::commands, {{"riffle", "riffle wc", "process", riffle},
                                              {"peer", "GNU wc", "process", best},
                                              {"peer", "uwc", "process", riffle * 1.01},
                                              {"peer", "busybox wc", "process", 5}});
    table.base = "riffle wc";
    return table;
  };
  // clang-format off
  const auto without = [](std::ptrdiff_t line) {
    return [line](task_report& table) { table.lines.erase(table.lines.begin() + line); };
  };
  const auto twin = [](double riffle, double best, double before) {
    task_report table = race(task::commands, {{"riffle", "riffle wc", "process", riffle},
                                              {"riffle", "riffle wc, before", "process", before},
                                              {"peer", "GNU wc", "process", best}});
    std::ranges::find(table.lines, "riffle wc, before", &measurement::label)->role = role::earlier;
    table.base = "riffle wc";
    return table;
  };
  for (const auto& [table, said] : std::vector<std::pair<task_report, const char*>>{
           {plan(1, 1.002), "riffle wc does not differ from GNU wc, the best that is not riffle. uwc does not differ from riffle wc either."},
           {twin(1, 1.5, 1.1), "riffle wc is 1.5x faster than GNU wc, the best that is not riffle. riffle wc is 10 % faster than riffle wc, before."},
           {twin(1, 1.5, 0.5), "riffle wc is 1.5x faster than GNU wc, the best that is not riffle. riffle wc is 2.0x slower than riffle wc, before."},
           {but(twin(1, 1.5, 1.1), without(2)), "riffle wc has the shortest median: 1.00 GB/s. riffle wc is 10 % faster than riffle wc, before."},
           {plan(0.5, 0.4), "riffle wc is 1.2x slower than GNU wc, the best that is not riffle. uwc does not differ from riffle wc either."},
           {but(plan(1, 2), three_rounds_of_the_first),
            "riffle wc had too few rounds beside uwc, the best that is not riffle: 3 of 18. For 18 rounds it needs more time."},
           {but(but(plan(1, 1.5), without(1)), [](task_report& one) { one.lines.front().usage = {}; }),  // of a worker
            "riffle wc is 1.5x faster than GNU wc, the best that is not riffle."},
           {but(plan(1, 1.5), without(0)), "uwc has the shortest median: 0.99 GB/s."}})
    EXPECT_EQ(verdict_of(table).text, said);
  // clang-format on
}

TEST(verdict, never_disagrees_with_the_ranks) {
  random_numbers random(1);
  const auto up_to = [&](double most) { return most * static_cast<double>(random.below(1000)) / 1000; };
  int told = 0;
  for (int i = 0; i < 500; ++i) {
    task_report table = race(task::gc, {{"riffle", "mmap", "mmap", 1 + up_to(0.1)},
                                        {"riffle", "read", "read", 1 + up_to(0.1)},
                                        {"ioaccess", "mmap", "mmap", 1 + up_to(0.1)},
                                        {"riffle", "uring", "uring", 1 + up_to(0.1)}});
    for (measurement& line : table.lines) vary(line, up_to(0.1), random.below(1000));
    std::ranges::sort(table.lines, {}, [](const measurement& line) { return line.seconds.median; });
    const std::vector<unsigned> ranks = ranks_of(table);
    const auto rank_of = [&](std::string_view name) {
      const auto found = std::ranges::find_if(table.lines, [&](const measurement& line) {
        return line.role == role::riffle && line.name == name;
      });
      return ranks.at(static_cast<std::size_t>(found - table.lines.begin()));
    };
    const unsigned mmap = rank_of("mmap");
    const unsigned read = rank_of("read");
    if (mmap == 0 || read == 0) continue;
    ++told;
    const char* const said = mmap == read  ? "mmap does not differ from read"
                             : mmap < read ? "faster than read"
                                           : "faster than mmap";
    EXPECT_THAT(verdict_of(table).text, HasSubstr(said)) << mmap << " and " << read;
  }
  EXPECT_GT(told, 100);
}

TEST(ranks, are_shared_within_the_noise_and_given_to_what_was_told_apart) {
  const auto in = [](std::size_t rounds, task_report table) {
    keep_rounds(table, rounds);
    return table;
  };
  const auto of = [](const char* lines) { return race(task::gc, lines); };
  task_report varied = in(3, of("p/a 0.0277, p/b 0.0461, p/c 0.0747"));
  varied.lines[0].result.samples[2].seconds = 0.08;  // once each
  task_report second = of("p/a 1, p/b 1.01, p/c 3");
  keep_rounds(second.lines[1], 3);
  task_report twice = of("p/a 1, p/b 3");
  keep_rounds(twice.lines[1], 2);
  using ranks = std::vector<unsigned>;
  struct row {
    const char* about;
    task_report table;
    ranks expected;
  };
  for (const row& each :
       {row{"within the noise, e from d and d from a",
            of("p/a 1, p/b 1.01, p/c 1.015, p/d 1.03, p/e 1.045, p/f 2"),
            {1, 1, 1, 0, 5, 6}},
        {"limits, and what was not measured", given::hot(), {0, 0, 1, 1, 3, 4, 5, 6, 0, 0, 0}},
        {"nothing", {}, {}},
        {"three rounds: only what is plain", in(3, given::hot()), {0, 0, 0, 0, 0, 0, 0, 6, 0, 0, 0}},
        {"two rounds", in(2, given::hot()), ranks(11, 0)},
        {"two rounds beside twenty", twice, {1, 0}},
        {"three that vary in three rounds", varied, {0, 0, 0}},
        {"few rounds, but plain", in(3, of("p/a 1, p/b 2, p/c 4")), {1, 2, 3}},
        {"eight rounds have an interval", in(8, of("p/a 1, p/b 1.01")), {1, 1}},
        {"seven have none", in(7, of("p/a 1, p/b 1.01")), {0, 0}},
        {"the first keeps its rank", second, {1, 0, 3}}})
    EXPECT_EQ(ranks_of(each.table), each.expected) << each.about;
}

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
  all.tasks[0].share = 0.75;
  all.tasks[1].share = 0.25;
  EXPECT_THAT(warnings_of(all).at(0).remedy, HasSubstr("Use --time 29 on a quiet machine"));
  all.tasks[1].base = "read";
  EXPECT_EQ(warnings_of(all).at(0).remedy, "Each table needs 29 s on a quiet machine, or race fewer.");
  report varied = two({1.05, 1, 1.15, 1, 1.1, 1.2});
  for (measurement& line : varied.tasks[0].lines) {
    line.seconds.samples = 18;
    line.result.settled = false;
  }
  varied.tasks[0].round_seconds = 0.3;  // more rounds than enough
  varied.tasks[0].base = "read";
  EXPECT_EQ(said_of(varied).at(0), "too_few_rounds: 1 contender varied too much for a rank: gc mmap.");
  EXPECT_THAT(warnings_of(varied).at(0).remedy, HasSubstr("Each table needs more time on"));
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
