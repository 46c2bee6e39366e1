/// Each situation that a reader may meet has its own sentences, and no verdict ranks within the noise.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "bench/judge/ranks.hpp"
#include "bench/judge/verdict.hpp"
#include "bench/stats/random.hpp"
#include "bench/stats/samples.hpp"
#include "tests/support/given_report.hpp"

namespace riffle::bench {

namespace {

using given::race;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

verdict alone(const task_report& table) {
  return verdict_of(report{.tasks = {table}}, table);
}
std::string text_of(const task_report& table) {
  return alone(table).text;
}
std::string code_of(const task_report& table) {
  return alone(table).code;
}

/// automatic as fast as mmap, and read.
task_report mapped_and_read(double mmap, double read, cache_mode cache = cache_mode::hot) {
  return race(task::gc,
              {{"riffle", "automatic", "automatic", mmap, 480},
               {"riffle", "mmap", "mmap", mmap, 1350},
               {"riffle", "read", "read", read, 70}},
              cache);
}

void keep_rounds(measurement& line, std::size_t rounds) {
  line.result.samples.resize(rounds);
  line.seconds = summarise(seconds_of(line.result.samples));
}

// Runs that take from (1 - by) to (1 + by) times as long, in an order of the seed.
void vary(measurement& line, double by, std::uint64_t seed = 1) {
  random_numbers random(seed);
  for (sample& one : line.result.samples)
    one.seconds *= 1 + by * (static_cast<double>(random.below(2001)) / 1000 - 1);
  line.seconds = summarise(seconds_of(line.result.samples));
}

void keep_rounds(task_report& table, std::size_t rounds) {
  for (measurement& line : table.lines) keep_rounds(line, rounds);
}

}  // namespace

TEST(verdict, says_how_much_faster_mmap_is_and_why) {
  task_report table = mapped_and_read(0.1, 0.21);
  table.faults_per_mib = 0.5;
  EXPECT_THAT(
      text_of(table),
      StartsWith("On this file, hot, mmap is 2.1x faster than read: 1,350 page faults, large folios. "));
  table.faults_per_mib = 2;
  EXPECT_THAT(text_of(table), HasSubstr("read: 1,350 page faults. "));
  table.faults_per_mib = 8;
  EXPECT_THAT(text_of(table), HasSubstr("read: 1,350 page faults, 4 KiB pages. "));
  table.files = 2;
  EXPECT_THAT(text_of(table), StartsWith("On these files, hot, "));
}

TEST(verdict, counts_the_faults_of_the_mapping_where_the_file_was_not_walked) {
  EXPECT_THAT(text_of(mapped_and_read(0.1, 0.21)), HasSubstr("1,350 page faults, large folios."));
}

TEST(verdict, blames_copying_where_no_fault_was_counted) {
  EXPECT_THAT(
      text_of(race(task::gc, {{"riffle", "mmap", "mmap", 0.1}, {"riffle", "read", "read", 0.2}})),
      StartsWith("On this file, hot, mmap is 2.0x faster than read: read spends 25 % of its time copying. "));
}

TEST(verdict, says_when_read_is_faster) {
  task_report table = mapped_and_read(0.22, 0.2);
  table.faults_per_mib = 16;
  EXPECT_THAT(
      text_of(table),
      StartsWith("On this file, hot, read is 10 % faster than mmap: 1,350 page faults, 4 KiB pages. "));
}

TEST(verdict, blames_the_set_up_of_a_mapping_on_small_files) {
  task_report table = mapped_and_read(0.0002, 0.0001);
  table.bytes = (8 << 20) - 1;
  EXPECT_THAT(text_of(table),
              HasSubstr("than mmap: setting up a mapping costs more than copying so few bytes. "));
  table.bytes = 8 << 20;
  EXPECT_THAT(text_of(table), Not(HasSubstr("setting up")));
  table.files = 2;  // of half the size each
  EXPECT_THAT(text_of(table), HasSubstr("setting up"));
}

TEST(verdict, says_no_difference_instead_of_a_ranking) {
  EXPECT_THAT(text_of(mapped_and_read(1, 1.015)),
              StartsWith("On this file, hot, mmap and read do not differ. "));
}

TEST(verdict, does_not_take_too_few_rounds_for_no_difference) {
  task_report table = mapped_and_read(1, 1.4);
  keep_rounds(table, 7);
  EXPECT_THAT(text_of(table),
              StartsWith("On this file, hot, mmap and read cannot be told apart: 7 of 18 rounds, --time "
                         "300. The automatic choice has the shortest median."));
}

TEST(verdict, does_not_take_a_row_that_varies_for_no_difference) {
  task_report table = mapped_and_read(1, 1.3);
  for (measurement& line : table.lines) {
    if (line.name == "mmap") vary(line, 0.73);
  }
  EXPECT_THAT(text_of(table), HasSubstr("mmap and read cannot be told apart: mmap's runs spread by "));
  EXPECT_THAT(text_of(table), HasSubstr(" %, --time 300. "));
  EXPECT_THAT(ranks_of(table), testing::Contains(0U)) << "and mmap has no rank";
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

TEST(verdict, sets_the_other_states_of_the_cache_beside) {
  const task_report hot = mapped_and_read(0.1, 0.21);
  const task_report cold = mapped_and_read(1, 1, cache_mode::cold);
  const task_report written = mapped_and_read(0.2, 0.1, cache_mode::written);
  task_report other_input = mapped_and_read(3, 1, cache_mode::uncached);
  other_input.input = "other";
  const report all{.tasks = {hot, cold, written, other_input}};
  EXPECT_THAT(
      verdict_of(all, all.tasks[0]).text,
      HasSubstr("large folios. Cold, they do not differ. Written, read is 2.0x faster. The automatic"));
  EXPECT_THAT(verdict_of(all, all.tasks[1]).text,
              StartsWith("On this file, cold, mmap and read do not differ. Hot, mmap is 2.1x faster. "
                         "Written, read is 2.0x faster. "));
  EXPECT_THAT(verdict_of(all, all.tasks[0]).text, Not(HasSubstr("Uncached")));
}

TEST(verdict, names_the_device_where_both_wait_for_it) {
  const auto race_with_device = [](double device) {
    return race(
        task::gc,
        {{"limit", "device", "direct", device}, {"riffle", "mmap", "mmap", 1}, {"riffle", "read", "read", 1}},
        cache_mode::cold);
  };
  EXPECT_THAT(text_of(race_with_device(0.9)), HasSubstr("do not differ: both wait for the device. "));
  EXPECT_THAT(text_of(race_with_device(0.4)), HasSubstr("do not differ. "));
}

TEST(verdict, has_no_faults_to_blame_when_cold) {
  EXPECT_THAT(text_of(mapped_and_read(1, 2, cache_mode::cold)),
              StartsWith("On this file, cold, mmap is 2.0x faster than read. "));
}

TEST(verdict, says_how_long_it_waited_when_cold) {
  task_report table =
      race(task::gc, {{"riffle", "automatic", "automatic", 1}, {"readahead", "willneed-8M", "read", 0.5}},
           cache_mode::cold);
  measurement& automatic = table.lines.at(1);
  automatic.usage.user_seconds = 0.05;
  automatic.usage.system_seconds = 0.02;
  automatic.usage.major_faults = 1234;
  EXPECT_THAT(text_of(table),
              HasSubstr(" riffle/automatic waited for storage for 93 % of its time (1,234 major "
                        "faults); readahead/willneed-8M waited for storage for 0 % of its time."));
  table.lines.erase(table.lines.begin());
  EXPECT_THAT(text_of(table),
              EndsWith("riffle/automatic waited for storage for 93 % of its time (1,234 major faults)."));
  table.cache = cache_mode::hot;
  EXPECT_THAT(text_of(table), Not(HasSubstr("waited")));
}

TEST(verdict, sets_automatic_against_the_limit_and_the_others) {
  EXPECT_EQ(text_of(race(task::gc, {{"limit", "scan", "memory", 0.1},
                                    {"riffle", "automatic", "automatic", 0.125},
                                    {"ioaccess", "mmap", "mmap", 0.25}})),
            "The automatic choice is as fast as any, at 80 % of the scan limit. It is 2.0x faster than "
            "ioaccess/mmap, the best that is not riffle.");
}

TEST(verdict, does_not_call_automatic_faster_or_slower_within_the_noise) {
  const auto both = [](double automatic, double other) {
    return text_of(race(
        task::gc, {{"riffle", "automatic", "automatic", automatic}, {"ioaccess", "mmap", "mmap", other}}));
  };
  const char* const same =
      "The automatic choice is as fast as any. It does not differ from ioaccess/mmap, the best that is not "
      "riffle.";
  EXPECT_EQ(both(1, 1.015), same);
  EXPECT_EQ(both(1.015, 1), same);
  EXPECT_EQ(both(1.05, 1), "The automatic choice is 5 % slower than ioaccess/mmap.");
}

TEST(verdict, does_not_call_automatic_as_fast_as_what_took_part_in_few_rounds) {
  task_report table =
      race(task::gc, {{"ioaccess", "mmap", "mmap", 1}, {"riffle", "automatic", "automatic", 1.01}});
  keep_rounds(table.lines.front(), 3);
  EXPECT_EQ(text_of(table),
            "The automatic choice cannot be told from ioaccess/mmap: 3 of 18 rounds, --time 300.");
}

TEST(verdict, says_by_how_much_automatic_lost_and_to_whom) {
  const task_report table = race(task::gc, {{"riffle", "automatic", "automatic", 0.3},
                                            {"riffle", "uring", "uring", 0.2},
                                            {"ioaccess", "mmap", "mmap", 0.6}});
  EXPECT_EQ(text_of(table),
            "The automatic choice is 1.5x slower than riffle/uring. It is 2.0x faster than "
            "ioaccess/mmap, the best that is not riffle.");
}

TEST(verdict, sets_threads_beside_and_not_against_automatic) {
  const task_report table = race(task::words, {{"riffle", "automatic", "automatic", 0.3},
                                               {"riffle", "automatic", "automatic", 0.15, 0, 0, 2}});
  EXPECT_EQ(text_of(table),
            "The automatic choice is as fast as any with one thread. 2 threads (riffle/automatic "
            "x2) are 2.0x faster than riffle/automatic.");
}

TEST(verdict, compares_mmap_and_read_with_one_thread_and_the_blocks_of_their_own_choice) {
  const task_report table = race(task::gc, {{"riffle", "mmap", "mmap", 0.1, 0, 0, 2},
                                            {"riffle", "mmap", "mmap", 0.2},
                                            {"riffle", "read", "read", 0.3, 0, 4096},
                                            {"riffle", "read", "read", 0.8}});
  EXPECT_THAT(text_of(table), StartsWith("On this file, hot, mmap is 4.0x faster than read: "));
}

TEST(verdict, compares_the_published_rows_of_one_program_without_riffle) {
  const task_report table = race(task::ints, {{"mapped", "mmap", "mmap", 0.1},
                                              {"ioaccess", "mmap", "mmap", 0.2, 300},
                                              {"ioaccess", "read-4K", "read", 0.5, 0, 4096},
                                              {"ioaccess", "read-64K", "read", 0.4, 0, 65536}});
  EXPECT_EQ(text_of(table),
            "On this file, hot, ioaccess/mmap is 2.0x faster than ioaccess/read-64K: 300 page faults, "
            "large folios. mapped/mmap has the shortest median: 10.0 GB/s.");
  EXPECT_THAT(code_of(table), HasSubstr("riffle::reader in(path, {.method = riffle::method::mmap});"));
}

TEST(verdict, introduces_the_code_where_a_published_program_leads) {
  EXPECT_EQ(alone(race(task::words, {{"riffle", "read", "read", 1}, {"ioaccess", "read-64K", "read", 0.5}}))
                .introduction,
            "The fastest of riffle's contenders:");
  EXPECT_EQ(alone(mapped_and_read(0.1, 0.2)).introduction, "");
}

TEST(verdict, says_that_nothing_was_measured) {
  EXPECT_EQ(text_of(task_report{}), "Nothing was measured.");
  EXPECT_EQ(code_of(task_report{}), "");
  EXPECT_EQ(text_of(race(task::gc, {{"limit", "scan", "memory", 1}})), "Nothing was measured.");
}

}  // namespace riffle::bench
