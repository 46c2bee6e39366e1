/// A file that grows while several threads read it gives all its bytes up to an end that it had.
#include <riffle/parallel.hpp>

#include <condition_variable>
#include <set>

#include "os/mapping.hpp"
#include "parallel/sharing.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

constexpr std::optional<char> delimiters[] = {'\n', std::nullopt};

// The OS kernel shows a write page by page, so that a file of such lines always ends at the end of one.
std::string lines_of_16_bytes(int count) {
  std::string all;
  for (int i = 0; i < count; ++i) all += std::to_string(100'000'000'000'000 + i) + "\n";
  return all;
}

EACH_METHOD(each_growing);

// The second split meets the end; then the file grows, and the third one would find bytes.
TEST_P(each_growing, file_has_no_gap_behind_the_end_that_a_split_met) {
  const std::string text = numbered_lines(60'000);
  for (const std::optional<char> delimiter : delimiters) {
    for (const std::size_t first : {65'536U, 73'728U, 131'072U}) {
      const temporary_file file(std::string_view(text).substr(0, first));
      std::atomic_flag grown = ATOMIC_FLAG_INIT;
      const auto map = [&](const block& split) {
        if (split.offset + split.size() >= first && !grown.test_and_set()) file.append(text.substr(first));
        while (!grown.test()) std::this_thread::yield();
        return std::string(split.bytes);
      };
      const parallel_options splitting{.threads = 2, .split_size = 65'536, .delimiter = delimiter};
      const std::string found =
          parallel_reduce(file.path(), std::string(), map, std::plus<>(), splitting, {.method = GetParam()});
      EXPECT_GE(found.size(), first);
      EXPECT_TRUE(text.starts_with(found)) << first << " bytes, then more; " << found.size() << " found";
    }
  }
}

// Two threads take the first two splits. Then the one with the first takes the third, in which the file ends,
// and is held back before it reads. The other one looks for the fourth, behind the end. Then the file grows.
TEST_P(each_growing, file_has_one_end_for_a_thread_that_looked_behind_it_and_one_that_reads_later) {
  constexpr std::size_t size = 1000;
  const std::string text = lines_of_16_bytes(1000);
  for (const std::optional<char> delimiter : delimiters) {
    const temporary_file file(std::string_view(text).substr(0, 2 * size + 304));
    std::mutex mutex;
    std::condition_variable changed;
    std::set<std::uint64_t> mapped;          // the splits that were, by their index
    std::optional<std::thread::id> holding;  // who mapped the first one
    bool held = false;
    bool looks = false;
    const auto map = [&](const block& split) {
      std::unique_lock lock(mutex);
      const std::uint64_t index = split.offset / size;
      if (index == 0) holding = std::this_thread::get_id();
      mapped.insert(index);
      changed.notify_all();
      changed.wait(lock, [&] { return mapped.size() >= 2 && (index != 1 || held); });
      return std::string(split.bytes);
    };
    const auto before_block = [&] {
      std::unique_lock lock(mutex);
      if (!mapped.contains(1)) return;
      if (holding == std::this_thread::get_id()) {
        if (std::exchange(held, true)) return;
        changed.notify_all();
        changed.wait(lock, [&] { return looks; });
        file.append(text.substr(2 * size + 304));
      } else if (held) {
        looks = true;
        changed.notify_all();
      }
    };
    const parallel_options splitting{.threads = 2, .split_size = size, .delimiter = delimiter};
    const std::string found =
        parallel_reduce(file.path(), std::string(), map, std::plus<>(), splitting,
                        {.method = GetParam(), .watch = {.before_block = before_block}});
    EXPECT_TRUE(text.starts_with(found));
    EXPECT_TRUE(found.size() == 2 * size + 304 || found.size() == text.size())
        << found.size() << " bytes, which was never the size";
  }
}

TEST_P(each_growing, file_gives_a_beginning_of_it_whenever_it_grows) {
  const std::string text = lines_of_16_bytes(10'000);
  for (int round = 0; round < 10; ++round) {
    for (const std::optional<char> delimiter : delimiters) {
      const temporary_file file(std::string_view(text).substr(0, 4'992));
      std::jthread writing([&](const std::stop_token& stop) {
        for (std::size_t at = 4'992; at < text.size() && !stop.stop_requested(); at += 704) {
          file.append(text.substr(at, 704));
        }
      });
      const std::string found = joined(file.path(), {.threads = 4, .split_size = 500, .delimiter = delimiter},
                                       {.method = GetParam(), .block_size = 4096});
      EXPECT_GE(found.size(), 4'992U);
      ASSERT_TRUE(text.starts_with(found)) << "round " << round << ": " << found.size() << " bytes found";
      ASSERT_EQ(found.size() % 16, 0U) << "round " << round << ": half a line";
    }
  }
}

// What the first split was read of may be zeros then, and the other threads have met the end before.
TEST_P(each_growing, file_that_is_cut_when_the_last_thread_has_read_is_an_error) {
  if (!os::cuts_mapped_files && GetParam() == method::mmap)
    GTEST_SKIP() << "the system cuts no file that is mapped";
  for (const std::optional<char> delimiter : delimiters) {
    const temporary_file file(lines_of_16_bytes(256));
    std::atomic<std::size_t> left = 3;
    const auto use = [&](const block& split) {
      if (split.offset != 0) {
        --left;
        return;
      }
      while (left != 0) std::this_thread::yield();
      std::this_thread::sleep_for(std::chrono::milliseconds(20));  // the other one meets the end
      file.resize(100);
    };
    const auto failure = thrown_by([&] {
      parallel_for_each(file.path(), use, {.threads = 2, .split_size = 1024, .delimiter = delimiter},
                        {.method = GetParam()});
    });
    EXPECT_EQ(failure.code(), errc::truncated) << failure.what();
    ASSERT_TRUE(failure.offset());
    EXPECT_LE(*failure.offset(), 100U) << failure.what();
  }
}

TEST_P(each_growing, file_that_is_cut_when_all_was_checked_is_an_error_within_it) {
  if (!os::cuts_mapped_files && GetParam() == method::mmap)
    GTEST_SKIP() << "the system cuts no file that is mapped";
  for (const std::optional<char> delimiter : delimiters) {
    constexpr std::size_t size = 3584;
    const temporary_file file(lines_of_16_bytes(size / 16));
    std::atomic<int> used = 0;
    const auto cut_at_the_end = [&] {
      if (used == 4) file.resize(100);
    };
    const auto failure = thrown_by([&] {
      parallel_for_each(file.path(), [&](std::string_view) { ++used; },
                        {.threads = 2, .split_size = 1024, .delimiter = delimiter},
                        {.method = GetParam(), .watch = {.before_block = cut_at_the_end}});
    });
    EXPECT_EQ(failure.code(), errc::truncated) << failure.what();
    EXPECT_LE(failure.offset().value_or(size + 1), size) << failure.what();
  }
}

TEST(common_end, is_where_nobody_has_read_further) {
  common_end end(0);
  EXPECT_TRUE(end.has_reached(0));
  EXPECT_FALSE(end.has_reached(1));
  EXPECT_EQ(end.reach(100), 100U);
  EXPECT_TRUE(end.has_reached(100));
  EXPECT_FALSE(end.meet(99)) << "another thread has read a byte there";
  EXPECT_TRUE(end.meet(100));
  EXPECT_EQ(end.reach(130), 100U) << "what arrived later does not count";
  EXPECT_TRUE(end.meet(130)) << "behind the end is an end too";
  EXPECT_EQ(end.reach(130), 100U);
}

TEST(common_end, is_waited_for_by_a_thread_that_found_nothing) {
  for (const bool grows : {true, false}) {
    common_end end(10);
    bool read_again = !grows;
    std::thread waiting([&] { read_again = end.wait_for(50); });
    end.reach(40);
    if (grows) {
      end.reach(60);
    } else {
      EXPECT_TRUE(end.meet(40));
    }
    waiting.join();
    EXPECT_EQ(read_again, grows);
  }
  common_end end(0);
  std::thread waiting([&] { EXPECT_FALSE(end.wait_for(50)); });
  end.stop();
  waiting.join();
}

}  // namespace
}  // namespace riffle::test
