/// A file that is cut and regrown, or written in place, gives all its bytes or an error.
#include <gtest/gtest.h>
#include <riffle/riffle.hpp>

#include <atomic>
#include <functional>
#include <thread>

#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

class each_method_of_a_regrown_file : public testing::TestWithParam<method> {};
INSTANTIATE_TEST_SUITE_P(methods, each_method_of_a_regrown_file, testing::ValuesIn(usable_methods()),
                         method_name);

// A race: of 3,000 readings by `direct` 36 ended early without an error, before riffle looked for it.
TEST_P(each_method_of_a_regrown_file, tells_that_it_was_shorter) {
  const std::string text = patterned_bytes(std::size_t{64} << 10U);
  const temporary_file file(text);
  std::atomic<bool> done = false;
  std::jthread writer([&] {
    while (!done) {
      file.resize(100);
      file.write(text, std::ios::in);  // over the old bytes, without a cut
      std::this_thread::yield();
    }
  });
  for (int i = 0; i < 400; ++i) {
    std::size_t size = 0;
    std::size_t expected = 0;
    const auto failure = error_of([&] {
      source from(file.path(), {.method = GetParam(), .block_size = 4096});
      expected = from.size_hint();
      for (block next = from.next(); !next.empty(); next = from.next()) size += next.size();
    });
    EXPECT_TRUE(failure || size >= expected);
    if (failure) {
      EXPECT_EQ(failure->code(), errc::truncated) << failure->what();
    }
  }
  done = true;
}

// As a database or a disk image is: its size stays.
TEST_P(each_method_of_a_regrown_file, delivers_what_is_written_in_place) {
  constexpr std::size_t size = std::size_t{9} << 20U;  // the automatic choice maps it
  const std::string states[] = {std::string(size, 'a'), std::string(size, 'b')};
  const temporary_file file(states[0]);
  std::atomic<bool> done = false;
  std::jthread writer([&] {
    for (std::size_t i = 1; !done; ++i) file.write(states[i % 2], std::ios::in);
  });
  for (const method by : {GetParam(), method::automatic}) {
    for (int i = 0; i < 5; ++i) {
      const auto length = [](std::string_view part) { return std::uint64_t{part.size()}; };
      EXPECT_EQ(parallel_reduce(file.path(), std::uint64_t{0}, length, std::plus<>(), {.threads = 2},
                                {.method = by}),
                size);
      source from(file.path(), {.method = by});
      std::size_t right = 0;
      for (block next = from.next(); !next.empty(); next = from.next()) {
        const std::string once(next.bytes);  // a SIMD kernel may look twice at a byte that changes meanwhile
        right += scan::count_any_of(once, "ab");
      }
      EXPECT_EQ(right, size);
    }
  }
  done = true;
}

}  // namespace
}  // namespace riffle::test
