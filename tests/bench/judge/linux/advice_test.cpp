/// What cannot be measured of the files that only Linux has.
#include "bench/judge/advice.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/support.hpp"

namespace riffle::bench {

TEST(advice_on_linux, does_not_measure_a_pipe) {
  const test::fed_pipe pipe("abc");
  const std::string name = "/proc/self/fd/" + std::to_string(pipe.get());
  EXPECT_EQ(cannot_measure(name, examine(pipe.get())),
            "cannot measure a pipe, which each contender must read anew; write it to a file first");
}

TEST(advice_on_linux, does_not_measure_what_the_os_kernel_generates) {
  const std::filesystem::path status = "/proc/self/status";
  EXPECT_THAT(cannot_measure(status, examine(status)).value_or(""),
              testing::HasSubstr("a file that the OS kernel generates"));
}

}  // namespace riffle::bench
