/// What a plan refuses of the files that only Linux has.
#include "bench/measure/plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace riffle::bench {

TEST(plan_on_linux, refuses_what_the_os_kernel_generates) {
  try {
    make_plan({.files = {"/proc/cpuinfo"}});
    ADD_FAILURE() << "it was planned";
  } catch (const std::exception& failure) {
    EXPECT_THAT(failure.what(), testing::HasSubstr("it is a file that the OS kernel generates"));
  }
}

}  // namespace riffle::bench
