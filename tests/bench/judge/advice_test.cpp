/// The judgement on the automatic choice, on made-up times; the ways that are measured; and the texts.
#include <riffle/lines.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "bench/judge/advice.hpp"
#include "bench/stats/samples.hpp"
#include "tests/support/support.hpp"

namespace riffle::bench {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr std::uint64_t mib = 1 << 20;

read_options reading_by(method which, std::size_t block_size = 0) {
  return {.method = which, .block_size = block_size};
}

/// A way whose runs took about `median` seconds, in steps of `noise` of it around that.
tried took(const std::string& label, const read_options& reading, double median, double noise = 0.001,
           unsigned rounds = 20) {
  tried one{label, reading, {.answer = answer{1, 2}}, {}};
  for (unsigned round = 1; round <= rounds; ++round) {
    // By other steps for each label, as noise is.
    const double off = (static_cast<double>((round * (label.size() + 2)) % 7) - 3) * noise;
    one.result.samples.push_back({round, median * (1 + off)});
  }
  one.seconds = summarise(seconds_of(one.result.samples));
  return one;
}

tried failed(const std::string& label, const read_options& reading, const std::string& reason) {
  return {label, reading, {.outcome = outcome::failed, .reason = reason}, {}};
}

const read_options automatic{};
const read_options by_read = reading_by(method::read);
const read_options by_mmap = reading_by(method::mmap);

std::vector<std::string> labels_of(const std::vector<way>& ways) {
  std::vector<std::string> labels;
  for (const way& each : ways) labels.push_back(each.contender.name);
  return labels;
}

facts file_of(std::uint64_t size) {
  facts known;
  known.size = size;
  return known;
}

}  // namespace

TEST(advice, says_that_automatic_was_right_and_how_much_slower_the_next_method_is) {
  const advice given = judge({took("automatic", automatic, 0.010), took("read", by_read, 0.014),
                              took("stdio", reading_by(method::stdio), 0.015), took("mmap", by_mmap, 0.010),
                              took("mmap 1M", reading_by(method::mmap, mib), 0.012)},
                             method::mmap);
  EXPECT_EQ(given.outcome, advised::right);
  EXPECT_FALSE(given.faster);
  EXPECT_EQ(given.text,
            "automatic (mmap) was right: no method was faster beyond the noise; read took 1.40x as long");
}

TEST(advice, says_that_automatic_lost_and_to_whom) {
  const advice given = judge(
      {took("automatic", automatic, 0.0112), took("read", by_read, 0.0112), took("mmap", by_mmap, 0.010)},
      method::read);
  EXPECT_EQ(given.outcome, advised::lost);
  EXPECT_EQ(given.faster, 2U);
  EXPECT_EQ(given.text, "automatic (read) was not the fastest: mmap is 1.12x faster");
}

TEST(advice, tolerates_five_per_cent) {
  const advice given =
      judge({took("automatic", automatic, 0.0104), took("mmap", by_mmap, 0.010)}, method::read);
  EXPECT_EQ(given.outcome, advised::right);
  EXPECT_EQ(given.faster, 1U);
  EXPECT_EQ(given.text, "automatic (read) was within 5 % of the fastest: mmap is 1.04x faster");
  EXPECT_EQ(judge({took("automatic", automatic, 0.0106), took("mmap", by_mmap, 0.010)}, method::read).outcome,
            advised::lost);
}

TEST(advice, makes_no_ranking_out_of_noise) {
  const advice given =
      judge({took("automatic", automatic, 0.0108, 0.08), took("read", by_read, 0.010, 0.08)}, method::mmap);
  EXPECT_EQ(given.outcome, advised::right);
  EXPECT_FALSE(given.faster);
  EXPECT_THAT(given.text, HasSubstr("automatic (mmap) was right: no method was faster beyond the noise"));
}

TEST(advice, prefers_a_method_s_own_block_size_where_another_is_no_better) {
  const auto verdict = [](double mmap, double mmap_1m) {
    return judge({took("automatic", automatic, 0.020), took("mmap", by_mmap, mmap),
                  took("mmap 1M", reading_by(method::mmap, mib), mmap_1m)},
                 method::read);
  };
  EXPECT_EQ(verdict(0.0101, 0.0100).faster, 1U);  // 1 % is no difference
  EXPECT_EQ(verdict(0.0110, 0.0100).faster, 2U);
}

TEST(advice, does_not_pass_over_a_loss_for_a_way_that_stays_within_what_is_tolerated) {
  // mmap 1M is 6 % faster than automatic, mmap 4.5 %: of each other they do not differ.
  const advice given = judge({took("automatic", automatic, 0.0106), took("mmap", by_mmap, 0.01014),
                              took("mmap 1M", reading_by(method::mmap, mib), 0.0100)},
                             method::read);
  EXPECT_EQ(given.outcome, advised::lost);
  EXPECT_EQ(given.faster, 2U);
}

TEST(advice, admits_that_noise_may_hide_a_loss) {
  const std::vector<tried> all{took("automatic", automatic, 0.0108, 0.04),
                               took("read", by_read, 0.010, 0.04)};
  EXPECT_THAT(judge(all, method::mmap).text, HasSubstr("(its runs vary too much to show 5 %; "));
}

TEST(advice, is_undecided_after_too_few_rounds_to_see_a_loss) {
  const advice given = judge(
      {took("automatic", automatic, 0.012, 0.001, 4), took("mmap", by_mmap, 0.010, 0.001, 4)}, method::read);
  EXPECT_EQ(given.outcome, advised::undecided);
  EXPECT_EQ(given.text,
            "it is undecided whether automatic (read) was right (4 rounds measured, 18 needed; use a longer "
            "--time)");
  const advice by_one =
      judge({took("automatic", automatic, 0.010), took("mmap", by_mmap, 0.010, 0.001, 3)}, method::read);
  EXPECT_EQ(by_one.outcome, advised::undecided) << "one that had too few is enough";
}

TEST(advice, has_lost_after_few_rounds_if_that_is_plain) {
  const advice given = judge(
      {took("automatic", automatic, 0.020, 0.001, 4), took("mmap", by_mmap, 0.010, 0.001, 4)}, method::read);
  EXPECT_EQ(given.outcome, advised::lost);
  EXPECT_THAT(given.text,
              HasSubstr("was not the fastest: mmap is 2.00x faster (4 rounds measured, 18 needed"));
}

TEST(advice, takes_the_time_from_the_size_if_none_is_given) {
  const auto seconds = [](std::uint64_t size, cache_mode cache, std::optional<double> given = {}) {
    return plan_advice("x", file_of(size), cache, given).rounds.budget;
  };
  EXPECT_EQ(seconds(mib, cache_mode::hot), 5);
  EXPECT_EQ(seconds(200 * mib, cache_mode::cold, 7), 7);
  EXPECT_GT(seconds(200 * mib, cache_mode::cold), 40);
  EXPECT_LT(seconds(200 * mib, cache_mode::cold), 100);
  EXPECT_GT(seconds(200 * mib, cache_mode::cold), seconds(200 * mib, cache_mode::hot));
  EXPECT_EQ(seconds(1 << 30, cache_mode::hot), seconds(most_measured + 1, cache_mode::hot));
  EXPECT_EQ(plan_advice("x", file_of(mib), cache_mode::cold, {}).rounds.shortest, 0) << "one run at a time";
}

TEST(advice, does_not_pass_what_it_could_not_measure) {
  const advice given =
      judge({failed("automatic", automatic, "cannot read 'x'"), took("read", by_read, 1)}, method::mmap);
  EXPECT_EQ(given.outcome, advised::failed);
  EXPECT_EQ(given.text, "automatic was not measured: cannot read 'x'");
  EXPECT_TRUE(given.against_automatic.empty());
}

TEST(advice, does_not_pass_a_wrong_answer) {
  tried wrong = took("read", by_read, 0.014);
  wrong.result.outcome = outcome::wrong;
  wrong.result.reason = "gives count 1, sum 1, but riffle/automatic gives count 1, sum 2";
  EXPECT_EQ(judge({took("automatic", automatic, 0.010), wrong}, method::mmap).outcome, advised::failed);
}

TEST(advice, goes_on_without_a_method_that_fails) {
  const std::vector<tried> all{took("automatic", automatic, 0.010), took("read", by_read, 0.014),
                               failed("direct", reading_by(method::direct), "direct: no O_DIRECT on tmpfs")};
  const advice given = judge(all, method::mmap);
  EXPECT_EQ(given.outcome, advised::right);
  std::ostringstream table;
  print_tried(all, given, 1000000, table);
  EXPECT_THAT(table.str(), HasSubstr("  direct           not measured: direct: no O_DIRECT on tmpfs\n"));
}

TEST(advice, prints_the_fastest_first_and_no_figure_within_the_noise) {
  const std::vector<tried> all{took("automatic", automatic, 0.010), took("read", by_read, 0.014),
                               took("mmap", by_mmap, 0.00999)};
  std::ostringstream table;
  print_tried(all, judge(all, method::mmap), 100000000, table);
  EXPECT_EQ(table.str(),
            "                       median   95 % interval          GB/s   against automatic\n"
            "  mmap                9.99 ms   9.98 ms to 10.0 ms    10.01   no difference\n"
            "  automatic           10.0 ms   9.99 ms to 10.0 ms    10.00\n"
            "  read                14.0 ms   14.0 ms to 14.0 ms     7.14   1.40x as long\n");
}

TEST(advice, does_not_take_too_few_rounds_for_no_difference) {
  const std::vector<tried> all{took("automatic", automatic, 0.010, 0.001, 7),
                               took("mmap", by_mmap, 0.00999)};
  std::ostringstream table;
  print_tried(all, judge(all, method::mmap), 100000000, table);
  EXPECT_THAT(table.str(), HasSubstr("   too few rounds\n"));
  EXPECT_THAT(table.str(), Not(HasSubstr("no difference")));
}

TEST(advice, tries_automatic_first_and_each_other_method_that_takes_the_input) {
  const facts known = file_of(64 * mib);
  const std::vector<way> ways = ways_to_read(known);
  EXPECT_EQ(ways.front().reading.method, method::automatic);
  const std::vector<std::string> labels = labels_of(ways);
  const std::string chosen(name_of(choose(known).method));
  EXPECT_EQ(labels.front(), "automatic (" + chosen + ")");
  EXPECT_THAT(labels, Not(Contains(chosen))) << "which automatic is: one row";
  for (const method_info& info : methods()) {
    if (info.unavailable() || info.name == chosen) continue;
    EXPECT_THAT(labels, Contains(std::string(info.name)));
  }
}

TEST(advice, tries_the_block_sizes_that_matter_at_the_size) {
  const auto variants = [](std::uint64_t size) {
    std::vector<std::string> labels = labels_of(ways_to_read(file_of(size)));
    std::erase_if(labels, [](const std::string& label) {
      return label.find(' ') == std::string::npos || label.starts_with("automatic");
    });
    return labels;
  };
  EXPECT_THAT(variants(64 << 10), ElementsAre());  // one block, whatever its size
  EXPECT_THAT(variants(100 << 10), ElementsAre("read 64K"));
  EXPECT_THAT(variants(2 * mib), ElementsAre("read 64K", "read 1M", "mmap 1M"));
  EXPECT_THAT(variants(10 * mib), ElementsAre("read 64K", "read 1M", "mmap 1M", "mmap 16M"));
  EXPECT_THAT(variants(64 * mib), ElementsAre("read 64K", "read 1M", "mmap 1M", "mmap 16M", "mmap whole"));
  EXPECT_THAT(variants(most_measured + 1), Not(Contains("mmap whole")));  // of which only the start is read
}

TEST(advice, never_maps_without_the_guard) {
  facts known = file_of(64 * mib);
  known.fault_guard = false;
  for (const way& each : ways_to_read(known)) {
    EXPECT_NE(each.reading.method, method::mmap);
    EXPECT_FALSE(each.reading.fault_guard);
  }
}

TEST(advice, comes_from_ways_that_give_the_same_answer_on_a_file) {
  const test::temporary_file file(test::numbered_lines(30000));
  const std::vector<std::filesystem::path> files{file.path()};
  const facts known = examine(files.front());
  std::int64_t now = 0;
  round_hooks hooks{.now = [&now] { return now += 2000000; }};
  const std::vector<tried> all = try_ways(ways_to_read(known), files, {.rounds = 18}, hooks);
  for (const tried& one : all) {
    if (one.reading.method == method::direct && !one.measured()) continue;  // not on every file system
    EXPECT_TRUE(one.measured()) << one.label << ": " << one.result.reason;
    EXPECT_EQ(one.result.answer, (answer{30000, known.size})) << one.label;
  }
  const advice given = judge(all, choose(known).method);
  EXPECT_EQ(given.text, "automatic (read) was right: no method was faster beyond the noise");
}

TEST(advice, is_taken_in_interleaved_rounds_by_the_clock_given) {
  std::int64_t now = 0;
  const auto pretend = [&now](const read_options& reading, std::int64_t nanoseconds) {
    return way{reading,
               {.name = std::string(name_of(reading.method)),
                .program = "riffle",
                .description = "",
                .run = [&now, nanoseconds](input_files) {
                  now += nanoseconds;
                  return answer{1, 1};
                }}};
  };
  const std::vector<way> ways{pretend(automatic, 3000000), pretend(by_read, 2000000),
                              pretend(by_mmap, 3000000)};
  const advice given =
      judge(try_ways(ways, {}, {.rounds = 20}, {.now = [&now] { return now; }}), method::mmap);
  EXPECT_EQ(given.text, "automatic (mmap) was not the fastest: read is 1.50x faster");
  EXPECT_EQ(given.faster, 1U);
}

TEST(advice, reads_no_more_than_the_start_of_a_long_file) {
  const test::temporary_file file;
  file.resize(most_measured + 5 * mib);  // of zeros, without any storage
  for (const way& each : ways_to_read(examine(file.path()))) {
    if (each.reading.method != method::read) continue;
    const std::vector<std::filesystem::path> files{file.path()};
    EXPECT_EQ(each.contender.run(files), (answer{0, most_measured})) << each.contender.name;
  }
}

TEST(advice, says_what_cannot_be_measured) {
  const auto reason = [](const std::filesystem::path& path) {
    return cannot_measure(path, examine(path)).value_or("");
  };
  const test::temporary_file empty;
  const test::temporary_file file("a\n");
  EXPECT_EQ(reason(file.path()), "");
  EXPECT_THAT(reason(empty.path()), HasSubstr("an empty file"));
  EXPECT_THAT(reason(test::null_device), HasSubstr("a device"));
}

TEST(advice, writes_options_as_code_and_as_flags) {
  const read_options whole{.method = method::mmap, .whole_file = true};
  EXPECT_EQ(as_code(by_read), "riffle::lines(path, {.method = riffle::method::read})");
  EXPECT_EQ(as_code(reading_by(method::mmap, 4 * mib)),
            "riffle::lines(path, {.method = riffle::method::mmap, .block_size = 4 << 20})");
  EXPECT_EQ(as_code(reading_by(method::read, 64 << 10)),
            "riffle::lines(path, {.method = riffle::method::read, .block_size = 64 << 10})");
  EXPECT_EQ(as_code(whole), "riffle::lines(path, {.method = riffle::method::mmap, .whole_file = true})");
  EXPECT_EQ(as_flags(by_read), "--method read");
  EXPECT_EQ(as_flags(reading_by(method::mmap, 4 * mib)), "--method mmap --block-size 4M");
  EXPECT_EQ(as_flags(whole), "--method mmap --whole-file");
  // The same as text and as code that compiles.
  const test::temporary_file file("a\nb\n");
  const std::filesystem::path& path = file.path();
  EXPECT_EQ(
      std::ranges::distance(riffle::lines(path, {.method = riffle::method::mmap, .block_size = 4 << 20})), 2);
}

}  // namespace riffle::bench
