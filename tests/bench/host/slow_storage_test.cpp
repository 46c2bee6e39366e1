/// A plan with slow storage measures the user's file through it, under its own name.
#include "bench/host/slow_storage.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "bench/measure/run.hpp"
#include "tests/support/build.hpp"
#include "tests/support/mounts.hpp"

namespace riffle::bench {

TEST(slow_storage, serves_the_file_of_the_user) {
  if (const auto refusal = test::refusal_of_slow_files()) GTEST_SKIP() << *refusal;
  const test::temporary_file file(test::patterned_bytes(100000));
  const bench_plan plan =
      make_plan({.files = {file.path()},
                 .tasks = {task::gc},
                 .caches = {cache_mode::cold},
                 .contenders = {"riffle/read"},
                 .rounds = 1,
                 .budget = 0.1,
                 .storage = slow_storage{.program = test::build::slow_fs, .latency = 10000, .served = 2}});
  const report all = run_bench(plan, {});
  EXPECT_TRUE(all.complete) << all.stopped_by;
  EXPECT_EQ(all.facts.file_system, "riffle-slow-fs, 10000 us a request, 2 at once");
  EXPECT_EQ(all.facts.device, "");
  EXPECT_THAT(all.tasks.at(0).input, testing::HasSubstr(file.path().filename().string()));
  const auto& lines = all.tasks.at(0).lines;
  const auto read = std::ranges::find(lines, "read", &measurement::name);
  ASSERT_NE(read, lines.end());
  EXPECT_GE(read->seconds.median, 0.02) << "one request to open it, one to read it";
}

TEST(slow_storage, says_why_nothing_is_mounted) {
  const test::temporary_file file("text");
  const test::temporary_directory place;
  const auto failure = [&](const char* program) {
    try {
      const served_file served(file.path(), {.program = program, .latency = 1, .served = 1}, place.path());
    } catch (const std::exception& refused) {
      return std::string(refused.what());
    }
    return std::string("mounted");
  };
  EXPECT_THAT(failure("/bin/false"), testing::HasSubstr("riffle-slow-fs ended at once"));
  EXPECT_THAT(failure("/bin/echo"), testing::HasSubstr("--latency=1 --served=1"));
  EXPECT_TRUE(std::filesystem::is_empty(place.path()));
}

TEST(slow_storage, repeats_what_the_program_says_when_it_fails) {
  if (*test::build::slow_fs == '\0') GTEST_SKIP() << "riffle-slow-fs is not built: libfuse3 is missing";
  const test::temporary_directory place;
  try {
    const served_file served(place.path() / "missing",
                             {.program = test::build::slow_fs, .latency = 1, .served = 1}, place.path());
    ADD_FAILURE() << "mounted";
  } catch (const riffle::error& refused) {
    EXPECT_THAT(refused.what(), testing::HasSubstr("missing: No such file"));
  }
}

TEST(slow_storage, is_cold_and_serves_one_file) {
  const slow_storage far{.program = "x", .latency = 1, .served = 1};
  EXPECT_THROW(make_plan({.caches = {cache_mode::hot}, .storage = far}), std::invalid_argument);
  EXPECT_THROW(make_plan({.caches = {cache_mode::cold, cache_mode::written}, .storage = far}),
               std::invalid_argument);
  EXPECT_EQ(make_plan({.tasks = {task::words}, .caches = {cache_mode::cold}, .storage = far}).tables.size(),
            1U)
      << "the other input is many files";
}

}  // namespace riffle::bench
