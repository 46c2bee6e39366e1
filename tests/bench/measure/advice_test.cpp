/// The plan of `advise --measure`: which methods and block sizes, how long, and what cannot be measured.
#include "bench/measure/plan.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "bench/measure/measurements.hpp"
#include "bench/measure/run.hpp"
#include "tests/support/support.hpp"

namespace riffle::bench {

namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Not;

constexpr std::uint64_t mib = 1 << 20;

facts file_of(std::uint64_t size) {
  facts known;
  known.size = size;
  return known;
}

std::vector<std::string> labels_of(const facts& known) {
  const test::temporary_file file("a\n");
  std::vector<std::string> labels;
  const bench_plan plan = plan_advice(file.path(), known, cache_mode::hot, {});
  for (const contender& each : plan.tables.at(0).contenders)
    labels.push_back(label_of(each.name, each.role, each.block_size, each.threads));
  return labels;
}

}  // namespace

TEST(advice, tries_automatic_first_and_each_method_that_takes_the_input) {
  const std::vector<std::string> labels = labels_of(file_of(64 * mib));
  EXPECT_EQ(labels.front(), "automatic");
  for (const method_info& info : methods()) {
    if (info.unavailable()) continue;
    EXPECT_THAT(labels, Contains(std::string(info.name)));
  }
}

TEST(advice, tries_the_block_sizes_that_matter_at_the_size) {
  const auto variants = [](std::uint64_t size) {
    std::vector<std::string> labels = labels_of(file_of(size));
    std::erase_if(labels, [](const std::string& label) { return label.find(' ') == std::string::npos; });
    return labels;
  };
  EXPECT_THAT(variants(64 << 10), ElementsAre());  // one block, whatever its size
  EXPECT_THAT(variants(100 << 10), ElementsAre("read 64K"));
  EXPECT_THAT(variants(2 * mib), ElementsAre("read 64K", "read 1M", "mmap 1M"));
  EXPECT_THAT(variants(10 * mib), ElementsAre("read 64K", "read 1M", "mmap 1M", "mmap 16M"));
}

TEST(advice, never_maps_without_the_guard) {
  facts known = file_of(64 * mib);
  known.fault_guard = false;
  EXPECT_THAT(labels_of(known), Not(Contains("mmap")));
}

TEST(advice, takes_the_time_from_the_size_if_none_is_given) {
  const test::temporary_file file;
  const auto seconds = [&](std::uint64_t size, cache_mode cache, std::optional<double> given = {}) {
    file.resize(size);  // of zeros, without any storage
    return plan_advice(file.path(), examine(file.path()), cache, given).budget;
  };
  EXPECT_EQ(seconds(mib, cache_mode::hot), 5);
  EXPECT_EQ(seconds(200 * mib, cache_mode::cold, 7), 7);
  EXPECT_GT(seconds(200 * mib, cache_mode::cold), 40);
  EXPECT_LT(seconds(200 * mib, cache_mode::cold), 150);
  EXPECT_GT(seconds(200 * mib, cache_mode::cold), seconds(200 * mib, cache_mode::hot));
  EXPECT_EQ(seconds(1 << 30, cache_mode::hot), seconds(most_measured + 1, cache_mode::hot));
}

TEST(advice, has_contenders_that_agree_on_no_more_than_the_start_of_a_long_file) {
  const test::temporary_file file(test::numbered_lines(30000));
  file.resize(most_measured + 5 * mib);
  bench_plan plan = plan_advice(file.path(), examine(file.path()), cache_mode::hot, 0.01);
  EXPECT_EQ(plan.tables.at(0).given->bytes, most_measured);
  plan.rounds = 1;
  const report all = run_bench(plan, {});
  ASSERT_EQ(all.tasks.size(), 1U) << all.stopped_by;
  for (const measurement& line : all.tasks.at(0).lines) {
    if (line.method == "direct" && !line.measured()) continue;  // not on every file system
    EXPECT_EQ(line.result.answer, (answer{30000, most_measured})) << line.label << line.result.reason;
  }
}

TEST(advice, without_a_file_measures_the_limits_alone) {
  bench_plan plan = plan_limits();
  plan.tables.at(0).size = mib;
  plan.rounds = 1;
  const report all = run_bench(plan, {});
  EXPECT_TRUE(all.complete) << all.stopped_by;
  EXPECT_TRUE(std::ranges::all_of(all.tasks.at(0).lines, &measurement::is_limit));
  // What no machine of these years is below or above.
  for (const std::optional<double>& memory : {all.limits.ram_scan, all.limits.ram_copy})
    EXPECT_TRUE(memory.value() > 1e6 && *memory < 1e13) << *memory;
}

TEST(advice, says_what_cannot_be_measured) {
  const auto refused = [](const std::filesystem::path& path) {
    return test::error_of([&] { plan_advice(path, {}, cache_mode::hot, {}); }).has_value();
  };
  EXPECT_FALSE(refused(test::temporary_file("a\n").path()));
  EXPECT_TRUE(refused(test::temporary_file().path()));
  EXPECT_TRUE(refused(test::null_device));
}

}  // namespace riffle::bench
