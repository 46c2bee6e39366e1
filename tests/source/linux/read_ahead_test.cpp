/// A reader that waits for far storage keeps many requests in flight, and one that does not asks for nothing.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include <riffle/riffle.hpp>

#include <fstream>
#include <optional>
#include <vector>

#include "os/file.hpp"
#include "os/machine.hpp"
#include "os/page_cache.hpp"
#include "os/ring.hpp"
#include "tests/support/in_child.hpp"
#include "tests/support/inject.hpp"
#include "tests/support/mounts.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

class far_file : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto refusal = refusal_of_slow_files()) GTEST_SKIP() << *refusal;
    ::alarm(60);
  }
  void TearDown() override { ::alarm(0); }
};
class far_storage : public far_file, public testing::WithParamInterface<method> {};
INSTANTIATE_TEST_SUITE_P(methods, far_storage, testing::Values(method::automatic, method::read, method::mmap),
                         method_name);

// Made by the first test that needs it, as each test is a process of its own.
const std::string& text() {
  static const std::string made = numbered_lines(1'500'000);  // 17 MB
  return made;
}

TEST_P(far_storage, is_asked_for_many_blocks_at_once) {
  if (const auto refusal = refusal_of_populate(GetParam())) GTEST_SKIP() << *refusal;
  for (const unsigned threads : {1U, 2U}) {
    slow_file file(text(), {"--latency=50000", "--served=32"});
    EXPECT_EQ(count_lines(file.path(), {.threads = threads}, {.method = GetParam()}), 1'500'000U);
    const slow_requests made = requests_of(file.end());
    EXPECT_GE(made.most_at_once, 8U) << "the OS kernel alone has 4 in flight";
    EXPECT_LE(made.bytes, text().size() + text().size() / 4);
  }
}

TEST_P(far_storage, is_not_asked_for_more_than_the_head_that_is_read) {
  slow_file file(text(), {"--latency=1000", "--served=32"});
  {
    source from(file.path(), {.method = GetParam(), .block_size = 65536});
    EXPECT_EQ(from.next().bytes, std::string_view(text()).substr(0, 65536));
  }
  EXPECT_LE(requests_of(file.end()).bytes, 1U << 20U);
}

TEST_P(far_storage, is_asked_for_all_of_a_large_first_block_at_once) {
  if (const auto refusal = refusal_of_populate(GetParam())) GTEST_SKIP() << *refusal;
  constexpr std::size_t size = 4U << 20U;
  slow_file file(text(), {"--latency=50000", "--served=32"});
  {
    source from(file.path(), {.method = GetParam(), .block_size = size});
    EXPECT_TRUE(text().starts_with(from.next().bytes));
  }
  const slow_requests made = requests_of(file.end());
  EXPECT_GE(made.most_at_once, 8U) << "before it had to wait";
  EXPECT_LE(made.bytes, size + size / 4) << "no more than the block";
}

TEST_P(far_storage, is_asked_anew_after_a_seek) {
  slow_file file(text(), {"--latency=1000", "--served=32"});
  {
    source from(file.path(), {.method = GetParam(), .block_size = 65536});
    for (const std::uint64_t offset : {0U, 12'000'000U, 1'000'000U, 12'000'000U, 16'000'000U}) {
      from.seek(offset);
      for (int i = 0; i != 4; ++i) {
        const block next = from.next();
        EXPECT_EQ(next.bytes, std::string_view(text()).substr(next.offset, next.size()));
      }
    }
  }
}

// FUSE drops requests of a descriptor that is read through, while it is congested: on storage of 10 ms a
// request a file took three times as long.
TEST_F(far_file, is_asked_for_through_a_descriptor_that_nothing_is_read_through) {
  for (const bool opens_again : {true, false}) {
    const slow_file file(text(), {"--latency=5000", "--served=32"});
    std::optional<no_reopening> refused;
    if (!opens_again) refused.emplace();
    const noted_advice given;
    EXPECT_EQ(count_lines(file.path(), {.threads = 1}, {.method = method::read}), 1'500'000U);
    std::vector<int> asked;
    for (const advice& each : given.all()) {
      if (each.code == POSIX_FADV_WILLNEED) asked.push_back(each.descriptor);
    }
    ASSERT_GT(asked.size(), 16U);
    EXPECT_EQ(asked.back() != asked.front(), opens_again);
  }
}

TEST_P(far_storage, is_read_once_if_every_read_passes_the_cache) {
  if (GetParam() == method::mmap) GTEST_SKIP() << "a mapping goes through the page cache";
  slow_file file(text(), {"--direct-io=1", "--latency=2000", "--served=32"});
  EXPECT_EQ(count_lines(file.path(), {.threads = 1}, {.method = GetParam()}), 1'500'000U);
  EXPECT_LE(requests_of(file.end()).bytes, text().size() + text().size() / 8);
}

TEST_F(far_file, is_opened_a_second_time_only_to_ask_for_more) {
  for (const std::size_t size : {1U << 20U, 16U << 20U}) {
    const slow_file file(text().substr(0, size), {"--latency=5000", "--served=32"});
    const owned_descriptor opened(::open(file.path().c_str(), O_RDONLY | O_CLOEXEC));
    const noted_opens again("/proc/thread-self/fd/" + std::to_string(opened.get()));
    std::size_t found = 0;
    for (const block& part : blocks(opened.get(), {.method = method::read, .block_size = 1U << 20U})) {
      found += part.size();
    }
    EXPECT_EQ(found, size);
    EXPECT_EQ(again.count(), size == 1U << 20U ? 0U : 1U) << size;
  }
}

TEST(cached_file, is_asked_for_nothing_whatever_the_size_of_its_first_block) {
  const temporary_file file(text());
  for (const std::size_t size : {64U << 10U, 4U << 20U}) {
    const noted_advice given;
    EXPECT_EQ(count_lines(file.path(), {.threads = 1}, {.method = method::read, .block_size = size}),
              1'500'000U);
    EXPECT_EQ(given.all(), std::vector<advice>{});
  }
}

// By default, 4 for each processor; without a queue it starts with one request.
TEST_F(far_file, is_read_past_the_cache_by_as_many_requests_as_asked_for_or_needed) {
  if (const auto reason = os::ring::unavailable()) GTEST_SKIP() << *reason;
  for (const auto& [depth, least] : {std::pair(32U, 20U), {0U, 24U}}) {
    slow_file file(text(), {"--latency=20000", "--served=32"});
    const read_options deep{.method = method::direct, .block_size = 131072, .queue_depth = depth};
    EXPECT_EQ(count_lines(file.path(), {}, deep), 1'500'000U);
    EXPECT_GE(requests_of(file.end()).most_at_once, least) << depth;
  }
}

TEST_F(far_file, is_read_past_the_cache_once_by_several_threads) {
  slow_file file(text(), {"--latency=1000", "--served=32"});
  EXPECT_EQ(count_lines(file.path(), {.threads = 4}, {.method = method::direct}), 1'500'000U);
  EXPECT_LE(requests_of(file.end()).bytes, text().size() + text().size() / 4) << "a split of another thread";
}

TEST_F(far_file, is_left_to_a_readahead_that_reaches_as_far) {
  const slow_file file(text(), {"--latency=1000", "--served=32"});
  const std::uint64_t device = os::file::open(file.path()).status().device;
  const std::string setting = "/sys/class/bdi/" + std::to_string(major(device)) + ":" +
                              std::to_string(minor(device)) + "/read_ahead_kb";
  if (!(std::ofstream(setting) << 8192 << std::flush)) GTEST_SKIP() << "cannot write " << setting;
  const noted_advice given;
  EXPECT_EQ(count_lines(file.path()), 1'500'000U);
  EXPECT_EQ(given.all(), (std::vector<advice>{{POSIX_FADV_SEQUENTIAL, false, 0, 0}}));
}

TEST_F(far_file, that_the_cache_is_not_to_keep_leaves_nothing_there) {
  const slow_file file(text(), {"--latency=1000", "--served=32"});
  {
    source from(file.path(), {.keep_cache = false});
    EXPECT_EQ(from.method(), method::direct) << from.reason();
    std::size_t size = 0;
    for (block next = from.next(); !next.empty(); next = from.next()) size += next.size();
    EXPECT_EQ(size, text().size());
  }
  EXPECT_LT(os::resident_share(os::file::open(file.path()), text().size()).value_or(0), 0.1);
}

TEST_P(far_storage, that_the_cache_is_not_to_keep_leaves_nothing_there_by_several_threads) {
  if (const auto refusal = refusal_of_populate(GetParam())) GTEST_SKIP() << *refusal;
  for (int tries = 0; tries != 3; ++tries) {
    const slow_file file(text(), {"--latency=1000", "--served=32"});
    EXPECT_EQ(count_lines(file.path(), {.threads = 4}, {.method = GetParam(), .keep_cache = false}),
              1'500'000U);
    EXPECT_EQ(os::resident_pages(os::file::open(file.path()), 0, text().size()), 0U);
  }
}

TEST(a_device, has_sizes_of_requests) {
  const temporary_file file("x");
  const os::request_sizes sizes = os::request_sizes_of(os::file::open(file.path()).status().device);
  EXPECT_GE(sizes.largest, 4096U);
  EXPECT_EQ(os::request_sizes_of(~std::uint64_t{0}).readahead, 128U * 1024) << "no such device";
}

TEST(memory_for_cache, is_no_more_than_there_is) {
  const auto all = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
                   static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  EXPECT_GT(os::memory_for_cache(), 0U);
  EXPECT_LE(os::memory_for_cache(), all);
}

}  // namespace
}  // namespace riffle::test
