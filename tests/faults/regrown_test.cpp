/// A file that is cut and regrown while it is read gives all its bytes or an error, never a short answer.
#include <gtest/gtest.h>
#include <riffle/riffle.hpp>

#include <atomic>
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
  }
  done = true;
}

}  // namespace
}  // namespace riffle::test
