/// Results come out in order, whoever brings them, and a failure stops them all.
#include <riffle/detail/ordered.hpp>

#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>
#include <vector>

#include "parallel/delimiters.hpp"
#include "parallel/threads.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

TEST(ordered, delivers_in_order) {
  detail::ordered<int> results;
  std::vector<int> seen;
  const auto deliver = [&](int result) { seen.push_back(result); };
  EXPECT_TRUE(results.add(2, 20, deliver));
  EXPECT_TRUE(results.add(1, 10, deliver));
  EXPECT_TRUE(seen.empty());
  EXPECT_TRUE(results.add(0, 0, deliver));
  EXPECT_TRUE(results.add(3, 30, deliver));
  EXPECT_EQ(seen, (std::vector{0, 10, 20, 30}));
}

TEST(ordered, stops_when_a_delivery_fails) {
  detail::ordered<int> results;
  int delivered = 0;
  const auto deliver = [&](int result) {
    ++delivered;
    if (result == 1) throw std::runtime_error("one");
  };
  EXPECT_TRUE(results.add(2, 2, deliver));
  EXPECT_TRUE(results.add(1, 1, deliver));
  std::jthread waiting([&] { EXPECT_FALSE(results.wait_for(3)); });
  EXPECT_THROW(results.add(0, 0, deliver), std::runtime_error);
  EXPECT_FALSE(results.add(3, 3, deliver));
  EXPECT_EQ(delivered, 2);
}

TEST(ordered, lets_a_thread_wait_for_its_turn) {
  detail::ordered<int> results;
  std::vector<int> seen;
  const auto deliver = [&](int result) { seen.push_back(result); };
  std::jthread waiting([&] {
    EXPECT_TRUE(results.wait_for(2));
    seen.push_back(-1);  // no one else delivers now
    results.add(2, 2, deliver);
  });
  results.add(1, 1, deliver);
  results.add(0, 0, deliver);
  waiting.join();
  EXPECT_EQ(seen, (std::vector{0, 1, -1, 2}));
}

TEST(threads, run_at_least_one) {
  std::atomic<unsigned> count = 0;
  run_on_threads(3, [&] { ++count; });
  EXPECT_GE(count, 1U);
  EXPECT_LE(count, 3U);
  EXPECT_GE(thread_count(0), 1U);
  EXPECT_EQ(thread_count(7), 7U);
}

TEST(delimiters, are_found_from_both_ends) {
  for (const std::size_t size : {0U, 1U, 63U, 64U, 65U, 4095U, 4096U, 4097U, 10'000U}) {
    for (const char* alphabet :
         {"a", "\n", "ab\n", "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOP\n"}) {
      const std::string bytes = random_text(size, static_cast<unsigned>(size), alphabet);
      for (std::size_t start = 0; start <= size; start += 1 + size / 50) {
        const std::string_view part = std::string_view(bytes).substr(start);
        const auto behind = [](std::size_t place) {
          return place == std::string_view::npos ? std::nullopt : std::optional(place + 1);
        };
        ASSERT_EQ(behind_first(part, '\n'), behind(part.find('\n'))) << size << " from " << start;
        ASSERT_EQ(behind_last(part, '\n'), behind(part.rfind('\n'))) << size << " from " << start;
      }
    }
  }
}

}  // namespace
}  // namespace riffle::test
