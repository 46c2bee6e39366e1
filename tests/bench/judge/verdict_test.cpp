/// Each situation that a reader may meet is decided, and no verdict ranks within the noise. The golden tables
/// of tests/bench/show have whole sentences.
#include <gmock/gmock.h>

#include <algorithm>

#include "bench/judge/conclusions.hpp"
#include "bench/judge/verdict.hpp"
#include "bench/stats/random.hpp"
#include "bench/stats/statistics.hpp"
#include "tests/support/given_report.hpp"

namespace riffle::bench {

namespace {

using given::but;
using given::keep_rounds;
using given::race;
using testing::HasSubstr;

std::string text_of(const task_report& table) {
  return verdict_of(table).text;
}

/// automatic as fast as mmap, and read.
task_report mapped_and_read(double mmap, double read, cache_mode cache = cache_mode::hot) {
  return race(task::gc,
              {{"riffle", "automatic", "automatic", mmap, 480},
               {"riffle", "mmap", "mmap", mmap, 1350},
               {"riffle", "read", "read", read, 70}},
              cache);
}
task_report automatic_and_ioaccess(double automatic, double other) {
  return race(task::gc,
              {{"riffle", "automatic", "automatic", automatic}, {"ioaccess", "mmap", "mmap", other}});
}
task_report waiting_for(double device) {
  return race(
      task::gc,
      {{"limit", "device", "direct", device}, {"riffle", "mmap", "mmap", 1}, {"riffle", "read", "read", 1}},
      cache_mode::cold);
}
task_report behind_storage(cache_mode cache) {
  task_report table = race(
      task::gc, {{"riffle", "automatic", "automatic", 1}, {"readahead", "willneed-8M", "read", 0.5}}, cache);
  table.lines.at(1).usage = {.user_seconds = 0.05, .system_seconds = 0.02, .major_faults = 1234};
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

/// Seven rounds of each; or three of the first line alone; or mmap's runs vary.
void seven_rounds(task_report& table) {
  keep_rounds(table, 7);
}
void three_rounds_of_the_first(task_report& table) {
  keep_rounds(table.lines.front(), 3);
}
void mmap_varies(task_report& table) {
  for (measurement& line : table.lines) {
    if (line.name == "mmap") vary(line, 0.73);
  }
}

}  // namespace

TEST(verdict, decides_each_situation) {
  constexpr std::uint64_t small = 8 << 20;
  constexpr auto right = automatic_choice::right;
  constexpr auto slower = automatic_choice::slower;
  constexpr auto undecided = automatic_choice::undecided;
  constexpr auto unknown = automatic_choice::unknown;
  struct row {
    const char* about;
    task_report table;
    automatic_choice automatic;
    std::vector<const char*> said;
  };
  const std::vector<row> rows{
      // clang-format off
      {"large folios", but(mapped_and_read(0.1, 0.21), faults(0.5)), right,
       {"On this file, hot, mmap is 2.1x faster than read: 1,350 page faults, large folios. "}},
      {"a file that was not walked", mapped_and_read(0.1, 0.21), right, {"faults, large folios."}},
      {"neither large nor small", but(mapped_and_read(0.1, 0.21), faults(2)), right, {"1,350 page faults. "}},
      {"small pages", but(mapped_and_read(0.1, 0.21), faults(8)), right, {"page faults, 4 KiB pages."}},
      {"many files", but(mapped_and_read(0.1, 0.21), sized(1000000000, 2)), right, {"On these files, hot"}},
      {"no faults", race(task::gc, {{"riffle", "mmap", "mmap", 0.1}, {"riffle", "read", "read", 0.2}}),
       unknown, {"read: read spends 25 % of its time copying. riffle/mmap has the shortest median: 10.0 GB/s."}},
      {"read is faster", but(mapped_and_read(0.22, 0.2), faults(16)), slower,
       {"read is 10 % faster than mmap: 1,350 page faults", "choice is 10 % slower than riffle/read."}},
      {"a small file", but(mapped_and_read(0.0002, 0.0001), sized(small - 1, 1)), slower,
       {"mmap: setting up a mapping costs more"}},
      {"two small files", but(mapped_and_read(0.0002, 0.0001), sized(small, 2)), slower,
       {"mmap: setting up a mapping costs more"}},
      {"no small file", but(mapped_and_read(0.0002, 0.0001), sized(small, 1)), slower, {"mmap: 1,350 page"}},
      {"no difference", mapped_and_read(1, 1.015), right, {"mmap and read do not differ. "}},
      {"too few rounds", but(mapped_and_read(1, 1.4), seven_rounds), undecided,
       {"mmap and read had too few rounds to compare: 7 of 18.", "choice has the shortest median. For 18 rounds, use a longer --time."}},
      {"runs that vary", but(mapped_and_read(1, 1.3), mmap_varies), right, {"apart: mmap's runs spread by 23 %."}},
      {"both wait", waiting_for(0.9), unknown,
       {"do not differ: both wait for the device. ", "1.00 GB/s, 90 % of the device limit. "}},
      {"neither waits", waiting_for(0.4), unknown,
       {"do not differ. ", "limit. riffle/mmap waited for storage for 0 % of its time."}},
      {"cold, so faults are no cause", mapped_and_read(1, 2, cache_mode::cold), right,
       {"On this file, cold, mmap is 2.0x faster than read. "}},
      {"waits of two", behind_storage(cache_mode::cold), slower,
       {"automatic waited for storage for 93 % of its time (1,234 major faults). readahead/willneed-8M waited "
        "for storage for 0 % of its time."}},
      {"a wait of one",
       but(behind_storage(cache_mode::cold), [](task_report& table) { table.lines.erase(table.lines.begin()); }),
       right, {"as any. riffle/automatic waited for storage for 93 % of its time (1,234 major faults)."}},
      {"others had the processor",
       but(behind_storage(cache_mode::cold), [](task_report& table) { table.lines.at(1).usage.delayed_seconds = 0.43; }),
       slower, {"automatic waited for storage for 50 % of its time (1,234 major faults)."}},
      {"a command on a slow pipe",
       but(race(task::commands, {{"command", "slow | wc", "process", 1}}),
           [](task_report& table) { table.lines.at(0).usage = {.user_seconds = 0.02, .system_seconds = 0.01}; }),
       unknown, {"`slow | wc` has the shortest median: 1.00 GB/s. `slow | wc` used a processor for 3 % of its time, and waited"}},
      {"a limit that is passed",
       race(task::gc, {{"limit", "copy", "memory", 0.1}, {"riffle", "automatic", "automatic", 0.2},
                       {"ioaccess", "read", "read", 0.08}}),
       slower, {" ioaccess/read is 1.2x faster than the copy limit: it copies in another way, "}},
      {"a limit that is passed within the noise",
       race(task::gc, {{"limit", "scan", "memory", 0.1}, {"riffle", "automatic", "automatic", 0.099}}), right,
       {"as fast as any, at 101 % of the scan limit."}},
      {"many small files", but(race(task::gc, {{"riffle", "read", "read", 0.1}}), sized(100000, 1000)), unknown,
       {"riffle/read has the shortest median: 10000 files/s."}},
      {"hot, so none waits", behind_storage(cache_mode::hot), slower,
       {"choice is 2.0x slower than readahead/willneed-8M. The fastest of riffle's contenders:"}},
      {"a limit",
       race(task::gc, {{"limit", "scan", "memory", 0.1}, {"riffle", "automatic", "automatic", 0.125},
                       {"ioaccess", "mmap", "mmap", 0.25}}),
       right, {"any, at 80 % of the scan limit. It is 2.0x faster than ioaccess/mmap, the best that is not riffle."}},
      {"faster within the noise", automatic_and_ioaccess(1, 1.015), right, {"It does not differ from ioaccess"}},
      {"slower within the noise", automatic_and_ioaccess(1.015, 1), right,
       {"It does not differ from ioaccess", "The fastest of riffle's contenders:"}},
      {"slower", automatic_and_ioaccess(1.05, 1), right, {"choice is 5 % slower than ioaccess/mmap."}},
      {"few rounds of the best", but(automatic_and_ioaccess(1.01, 1), three_rounds_of_the_first), undecided,
       {"choice had too few rounds beside ioaccess/mmap: 3 of 18."}},
      {"slower than riffle's",
       race(task::gc, {{"riffle", "automatic", "automatic", 0.3}, {"riffle", "uring", "uring", 0.2},
                       {"ioaccess", "mmap", "mmap", 0.6}}),
       slower, {"choice is 1.5x slower than riffle/uring. It is 2.0x faster than ioaccess/mmap"}},
      {"two threads",
       race(task::words,
            {{"riffle", "automatic", "automatic", 0.3}, {"riffle", "automatic", "automatic", 0.15, 0, 0, 2}}),
       right, {"any with one thread. 2 threads (riffle/automatic x2) are 2.0x faster than riffle/automatic."}},
      {"threads and block sizes",
       race(task::gc, {{"riffle", "mmap", "mmap", 0.1, 0, 0, 2}, {"riffle", "mmap", "mmap", 0.2},
                       {"riffle", "read", "read", 0.3, 0, 4096}, {"riffle", "read", "read", 0.8}}),
       unknown, {"mmap is 4.0x faster than read: ", "x2 has the shortest", "2.0x faster than riffle/mmap."}},
      {"no riffle",
       race(task::ints, {{"mapped", "mmap", "mmap", 0.1}, {"ioaccess", "mmap", "mmap", 0.2, 300},
                         {"ioaccess", "read-4K", "read", 0.5, 0, 4096}, {"ioaccess", "read-64K", "read", 0.4, 0, 65536}}),
       unknown, {"ioaccess/mmap is 2.0x faster than ioaccess/read-64K: 300 page faults", "mapped/mmap has the"}},
      {"a published program leads",
       race(task::words, {{"riffle", "read", "read", 1}, {"ioaccess", "read-64K", "read", 0.5}}), unknown,
       {"ioaccess/read-64K has the shortest median: 2.00 GB/s. The fastest of riffle's contenders:"}},
      {"nothing", {}, unknown, {"Nothing was measured."}},
      {"limits alone", race(task::gc, {{"limit", "scan", "memory", 1}}), unknown, {"Nothing was measured."}}};
  // clang-format on
  for (const row& each : rows) {
    const verdict found = verdict_of(each.table);
    EXPECT_EQ(found.automatic, each.automatic) << each.about;
    for (const char* const part : each.said) EXPECT_THAT(found.text, HasSubstr(part)) << each.about;
  }
}

// On a busy machine two that are far apart may have had two rounds.
TEST(verdict, says_how_long_to_run_if_the_rounds_were_too_few) {
  task_report table =
      race(task::words, {{"riffle", "automatic", "automatic", 0.3}, {"wc", "wc -w", "process", 6}});
  keep_rounds(table.lines[1], 2);
  table.lines[1].result.samples[1].seconds = 0.3;
  table.round_seconds = 2.45;
  const verdict found = verdict_of(table, 4);
  EXPECT_THAT(found.text,
              HasSubstr("It had too few rounds beside wc/wc -w, the best that is not riffle: 2 of 18. "
                        "For 18 rounds, use --time 240."));
  EXPECT_THAT(found.of_automatic, HasSubstr("For 18 rounds, use --time 240."));
  EXPECT_THAT(text_of(table), HasSubstr("use --time 59."));
  EXPECT_THAT(text_of(but(table, [](task_report& one) { one.round_seconds = 0.01; })),
              HasSubstr("use --time 1."));
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
  struct row {
    task_report table;
    const char* said;
  };
  for (const row& each :
       {row{plan(1, 1.002),
            "riffle wc does not differ from GNU wc, the best that is not riffle. uwc does not "
            "differ from riffle wc either."},
        row{plan(0.5, 0.4),
            "riffle wc is 1.2x slower than GNU wc, the best that is not riffle. uwc does not "
            "differ from riffle wc either."},
        row{but(plan(1, 2), three_rounds_of_the_first),
            "riffle wc had too few rounds beside uwc, the best that is not riffle: 3 of 18. For 18 rounds, "
            "use a "
            "longer --time."},
        row{but(plan(1, 1.5),
                [](task_report& table) {
                  table.lines.front().usage = {};  // of a worker
                  table.lines.erase(table.lines.begin() + 1);
                }),
            "riffle wc is 1.5x faster than GNU wc, the best that is not riffle."},
        row{but(plan(1, 1.5), [](task_report& table) { table.lines.erase(table.lines.begin()); }),
            "uwc has the shortest median: 0.99 GB/s."}})
    EXPECT_EQ(text_of(each.table), each.said);
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
    const char* const said = mmap == read  ? "mmap and read do not differ"
                             : mmap < read ? "faster than read"
                                           : "faster than mmap";
    EXPECT_THAT(text_of(table), HasSubstr(said)) << mmap << " and " << read;
  }
  EXPECT_GT(told, 100);
}

}  // namespace riffle::bench
