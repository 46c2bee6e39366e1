/// Why slow storage cannot be had is said, and no directory is left. A program is found where a shell finds
/// it.
#include "bench/host/slow_storage.hpp"

#include <gmock/gmock.h>

#include <cstdlib>

#include "bench/host/os/command.hpp"
#include "bench/measure/plan.hpp"
#include "tests/support/build.hpp"
#include "tests/support/support.hpp"

namespace riffle::bench {

TEST(slow_storage, repeats_what_the_program_says_if_nothing_is_mounted) {
  const test::temporary_directory place;
  const auto failure = [&](const char* program) {
    try {
      const served_file served("/missing", {.program = program, .latency = 1, .served = 1}, place.path());
    } catch (const std::exception& refused) {
      return std::string(refused.what());
    }
    return std::string("mounted");
  };
  EXPECT_THAT(failure("/bin/false"), testing::HasSubstr("riffle-slow-fs ended at once"));
  EXPECT_THAT(failure("/bin/echo"), testing::HasSubstr("--latency=1 --served=1"));
  if (*test::build::slow_fs != '\0') {
    EXPECT_THAT(failure(test::build::slow_fs), testing::HasSubstr("/missing: No such file"));
  }
  EXPECT_TRUE(std::filesystem::is_empty(place.path()));
}

TEST(slow_storage, serves_one_file) {
  const bench_options words{.tasks = {task::words},
                            .caches = {cache_mode::cold},
                            .storage = slow_storage{.program = "x", .latency = 1, .served = 1}};
  EXPECT_EQ(make_plan(words).tables.size(), 1U) << "the other input is many files";
}

TEST(a_program, is_no_directory_of_that_name) {
  const auto shell = os::find_program("sh");
  const test::temporary_directory directory;
  std::filesystem::create_directory(directory.path() / "sh");
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", (directory.path().string() + ":" + path).c_str(), 1);
  EXPECT_EQ(os::find_program("sh"), shell);
  ::setenv("PATH", path.c_str(), 1);
}

}  // namespace riffle::bench
