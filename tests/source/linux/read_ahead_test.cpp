/// The OS kernel is told what the hints say, and is asked ahead only for a reader that waits.
#include <riffle/riffle.hpp>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "os/facts.hpp"
#include "os/file.hpp"
#include "os/ring.hpp"
#include "tests/support/faults.hpp"
#include "tests/support/mounts.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

const std::size_t page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
constexpr std::size_t mib = std::size_t{1} << 20U;

std::vector<advice> given_at_opening(const std::filesystem::path& path, const read_options& reading) {
  const noted_advice noted;
  source from(path, reading);
  (void)from.next();
  return noted.all();
}

TEST(advice, follows_the_hints) {
  const std::string text = patterned_bytes(3 * page);
  const temporary_file file(text);
  const advice sequential{POSIX_FADV_SEQUENTIAL, false, 0, 0};
  const advice will_need{POSIX_FADV_WILLNEED, false, 0, 0};
  const advice sequential_pages{POSIX_MADV_SEQUENTIAL, true, 0, 3 * page};
  const advice pages_needed{POSIX_MADV_WILLNEED, true, 0, 3 * page};
  using all = std::vector<advice>;
  for (const method used : {method::read, method::stdio, method::iostream}) {
    const auto given = [&](bool one, bool two) {
      return given_at_opening(file.path(), {.method = used, .sequential = one, .will_need = two});
    };
    EXPECT_EQ(given(false, false), all{}) << name_of(used);
    EXPECT_EQ(given(true, false), all{sequential}) << name_of(used);
    EXPECT_EQ(given(false, true), all{will_need}) << name_of(used);
  }
  const auto given = [&](bool one, bool two) {
    return given_at_opening(file.path(), {.method = method::mmap, .sequential = one, .will_need = two});
  };
  EXPECT_EQ(given(false, false), all{});
  EXPECT_EQ(given(true, false), (all{sequential, sequential_pages}));
  EXPECT_EQ(given(false, true), (all{will_need, pages_needed}));
}

EACH_METHOD(each_caching_method);

// The pages that were given back, as one range; fails if a page was given back twice or before its time.
struct given_back {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  void add(const noted_advice& noted, std::size_t from, std::uint64_t done) {
    for (std::size_t i = from; i != noted.all().size(); ++i) {
      const advice& one = noted.all()[i];
      if (one.code != POSIX_FADV_DONTNEED) continue;
      EXPECT_EQ(one.begin % page, 0U);
      EXPECT_EQ(one.size % page, 0U);
      if (begin != end) {
        EXPECT_EQ(one.begin, end);
      } else {
        begin = one.begin;
      }
      end = one.begin + one.size;
      EXPECT_LE(end, done);
    }
  }
};

TEST_P(each_caching_method, gives_back_each_page_once_after_its_use) {
  const std::size_t size = 3 * mib + 77;
  const temporary_file file(patterned_bytes(size));
  const noted_advice noted;
  given_back pages;
  std::size_t seen = 0;
  {
    source from(file.path(), {.method = GetParam(), .block_size = 64 * 1024, .keep_cache = false});
    for (block part = from.next(); !part.empty(); part = from.next()) {
      pages.add(noted, std::exchange(seen, noted.all().size()), part.offset);
      // A step at a time, and not much behind what was used.
      EXPECT_LT(part.offset, pages.end + 2 * mib + 64 * 1024) << part.offset;
    }
  }
  pages.add(noted, seen, size + page);
  EXPECT_EQ(pages.begin, 0U);
  EXPECT_EQ(pages.end, size / page * page + page);
}

// Puts the whole file into the page cache, by requests of that size.
void fill_cache(const std::filesystem::path& path, std::size_t request, bool sequential) {
  const owned_descriptor opened(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  ASSERT_EQ(::fsync(opened.get()), 0);
  ASSERT_EQ(::posix_fadvise(opened.get(), 0, 0, POSIX_FADV_DONTNEED), 0);
  if (sequential) {
    ASSERT_EQ(::posix_fadvise(opened.get(), 0, 0, POSIX_FADV_SEQUENTIAL), 0);
  }
  std::string bytes(request, '\0');
  while (::read(opened.get(), bytes.data(), bytes.size()) > 0) {
  }
}

// Linux drops a folio only as a whole. Large requests make folios of up to 2 MiB.
TEST_P(each_caching_method, leaves_nothing_in_the_cache) {
  const std::size_t size = 32 * mib;
  const temporary_file file(patterned_bytes(size));
  for (const bool whole_file : {false, true}) {
    if (const method_info* named = find_method(GetParam()); whole_file && named != nullptr && !named->maps)
      continue;
    SCOPED_TRACE(whole_file);
    fill_cache(file.path(), mib, true);
    {
      source from(file.path(),
                  {.method = GetParam(), .keep_cache = false, .mapping = {.whole_file = whole_file}});
      while (!from.next().empty()) {
      }
    }
    const auto left = os::resident_share(os::file::open(file.path()), size);
    if (!left) GTEST_SKIP() << "the OS does not tell what is cached";
    EXPECT_EQ(*left, 0.0);
  }
}

// Parts of the window before the last one would stay mapped.
TEST(a_mapped_file, whose_last_window_is_short_leaves_nothing_in_the_cache) {
  const std::size_t size = 19 * mib;
  const temporary_file file(patterned_bytes(size));
  fill_cache(file.path(), 128 * 1024, false);
  (void)count_lines(file.path(), {.threads = 1}, {.method = method::mmap, .keep_cache = false});
  const auto left = os::resident_pages(os::file::open(file.path()), 0, size);
  if (!left) GTEST_SKIP() << "the OS does not tell what is cached";
  EXPECT_EQ(*left, 0U);
}

TEST_P(each_caching_method, gives_back_only_what_was_read_before_a_seek_and_after_it) {
  const temporary_file file(patterned_bytes(8 * mib));
  const noted_advice noted;
  std::uint64_t first_end = 0;
  std::uint64_t last_end = 0;
  const std::uint64_t place = 5 * mib + 5;
  {
    source from(file.path(), {.method = GetParam(), .block_size = 64 * 1024, .keep_cache = false});
    first_end = from.next().size();
    from.seek(place);
    (void)from.next();
    const block part = from.next();
    last_end = part.offset + part.size();
    from.seek(6 * mib + 6);  // and nothing is read there,
    from.seek(7 * mib + 7);  // nor there
  }
  const auto rounded = [](std::uint64_t offset) { return (offset + page - 1) / page * page; };
  std::vector<advice> expected{{POSIX_FADV_DONTNEED, false, 0, rounded(first_end)},
                               {POSIX_FADV_DONTNEED, false, 5 * mib, rounded(last_end) - 5 * mib}};
  std::vector<advice> dropped;
  std::ranges::copy_if(noted.all(), std::back_inserter(dropped),
                       [](const advice& one) { return one.code == POSIX_FADV_DONTNEED; });
  EXPECT_EQ(dropped, expected);
}

using far_file = test_of_slow_files<>;
class far_storage : public test_of_slow_files<testing::TestWithParam<method>> {};
INSTANTIATE_TEST_SUITE_P(methods, far_storage, testing::Values(method::automatic, method::read, method::mmap),
                         method_name);

// 100 ms, so that a reader under TSan, too, makes its requests before one of them is answered.
constexpr const char* answered_late = "--latency=100000";

// Made by the first test that needs it, as each test is a process of its own.
const std::string& text() {
  static const std::string made = numbered_lines(1'500'000);  // 17 MB
  return made;
}

TEST_P(far_storage, is_asked_for_many_blocks_at_once) {
  if (const auto refusal = refusal_of_populate(GetParam())) GTEST_SKIP() << *refusal;
  for (const unsigned threads : {1U, 2U}) {
    slow_file file(text(), {answered_late, "--served=32"});
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
  slow_file file(text(), {answered_late, "--served=32"});
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
    EXPECT_EQ(all_of(opened.get(), {.method = method::read, .block_size = 1U << 20U}).size(), size);
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
    slow_file file(text(), {answered_late, "--served=32"});
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
    EXPECT_TRUE(rest_of(from) == text());
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
