/// A file that grows while several threads read it gives all its bytes up to an end that it had.
#include <riffle/parallel.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <thread>

#include "parallel/common_end.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

constexpr std::optional<char> delimiters[] = {'\n', std::nullopt};

class each_growing : public testing::TestWithParam<method> {};
INSTANTIATE_TEST_SUITE_P(methods, each_growing, testing::ValuesIn(usable_methods()), method_name);

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

TEST_P(each_growing, file_gives_a_beginning_of_it_whenever_it_grows) {
  const std::string text = numbered_lines(20'000);
  for (int round = 0; round < 10; ++round) {
    for (const std::optional<char> delimiter : delimiters) {
      const temporary_file file(std::string_view(text).substr(0, 5'000));
      std::jthread writing([&](const std::stop_token& stop) {
        for (std::size_t at = 5'000; at < text.size() && !stop.stop_requested(); at += 700) {
          file.append(text.substr(at, 700));
        }
      });
      const auto map = [](const block& split) { return std::string(split.bytes); };
      const parallel_options splitting{.threads = 4, .split_size = 500, .delimiter = delimiter};
      const std::string found = parallel_reduce(file.path(), std::string(), map, std::plus<>(), splitting,
                                                {.method = GetParam(), .block_size = 4096});
      EXPECT_GE(found.size(), 5'000U);
      ASSERT_TRUE(text.starts_with(found)) << "round " << round << ": " << found.size() << " bytes found";
    }
  }
}

TEST(common_end, is_where_nobody_has_read_further) {
  common_end end;
  EXPECT_EQ(end.reach(100), 100U);
  EXPECT_FALSE(end.meet(99)) << "another thread has read a byte there";
  EXPECT_TRUE(end.meet(100));
  EXPECT_EQ(end.reach(130), 100U) << "what arrived later does not count";
  EXPECT_TRUE(end.meet(130)) << "behind the end is an end too";
  EXPECT_EQ(end.reach(130), 100U);
}

}  // namespace
}  // namespace riffle::test
