/// What a plan refuses of the files that only Linux has.
#include "bench/measure/plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace riffle::bench {

TEST(plan_on_linux, refuses_devices_and_what_the_os_kernel_generates) {
  const auto message = [](const char* name) -> std::string {
    try {
      make_plan({.files = {name}});
    } catch (const std::exception& failure) {
      return failure.what();
    }
    return "no failure";
  };
  EXPECT_THAT(message("/dev/null"), testing::HasSubstr("'/dev/null': it is a device"));
  EXPECT_THAT(message("/proc/cpuinfo"), testing::HasSubstr("it is a file that the OS kernel generates"));
}

}  // namespace riffle::bench
