/// The limits are measured where they can be, and leave nothing behind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>

#include "bench/host/limits.hpp"
#include "bench/host/machine.hpp"
#include "bench/host/os/interrupt.hpp"
#include "bench/host/os/probes.hpp"
#include "os/file.hpp"
#include "os/mapping.hpp"
#include "os/page_cache.hpp"
#include "tests/support/build.hpp"
#include "tests/support/in_child.hpp"
#include "tests/support/support.hpp"

namespace riffle::bench {

namespace {

constexpr double briefly = 0;  // each is tried once, however long that takes

}  // namespace

TEST(limits, are_measured_and_leave_no_files) {
  const test::temporary_directory place;
  const limits measured = measure_limits(place.path(), steady_clock(), briefly);
  ASSERT_TRUE(measured.ram_scan && measured.ram_copy && measured.page_faults);
  // What no machine of these years is below or above.
  EXPECT_TRUE(*measured.ram_scan > 1e6 && *measured.ram_scan < 1e13) << *measured.ram_scan;
  EXPECT_TRUE(*measured.ram_copy > 1e6 && *measured.ram_copy < 1e13) << *measured.ram_copy;
  EXPECT_TRUE(*measured.page_faults > 1e2 && *measured.page_faults < 1e9) << *measured.page_faults;
  EXPECT_TRUE(std::filesystem::is_empty(place.path()));
}

TEST(limits, of_the_machine_are_there_without_a_directory) {
  const limits measured = measure_limits("/missing/directory", steady_clock(), briefly);
  EXPECT_TRUE(measured.ram_scan && measured.ram_copy);
  EXPECT_FALSE(measured.page_faults);
  EXPECT_FALSE(measured.device);
}

TEST(limits, of_the_device_are_not_those_of_memory) {
  const std::filesystem::path memory = "/dev/shm";
  if (this_machine(memory).file_system != "tmpfs") GTEST_SKIP() << "/dev/shm is no tmpfs here";
  const limits measured = measure_limits(memory, steady_clock(), briefly);
  EXPECT_FALSE(measured.device);
}

TEST(limits, are_the_best_of_several_tries_by_the_given_clock) {
  // Each question takes a second, so each try does, until the budget is spent: the first tries are slow.
  const auto copied_in = [](std::int64_t first, std::int64_t later) {
    std::int64_t asked = 0;
    std::int64_t now = 0;
    const clock ticking = [&] { return now += (++asked < 10 ? first : later) * 1'000'000'000; };
    return measure_limits("/missing/directory", ticking, 110).ram_copy.value();
  };
  EXPECT_DOUBLE_EQ(copied_in(10, 1), copied_in(1, 1)) << "bytes in a second, not in ten";
}

TEST(limits, end_soon_after_a_signal) {
  const test::temporary_directory place;
  const std::string outcome = test::in_child([&] {
    os::note_interrupts();
    std::raise(SIGTERM);
    constexpr double for_ever = 1e6;
    const limits measured = measure_limits(place.path(), steady_clock(), for_ever);
    return std::string(measured.page_faults ? "measured" : "ended");
  });
  EXPECT_EQ(outcome, "ended");
}

TEST(walks, count_the_faults_of_small_and_large_folios) {
  if (test::build::instrumented) GTEST_SKIP() << "a sanitizer's own memory faults too";
  constexpr std::uint64_t size = 4 << 20;
  const test::temporary_file file(std::string(size, 'x'));
  const std::uint64_t faults = os::faults_of_walk(os::file::open(file.path()), size);
  EXPECT_GE(faults, 1U);
  EXPECT_LE(faults, os::page_count(size));
  EXPECT_TRUE(test::error_of([] { os::faults_of_walk(os::file::open("/"), 4096); })) << "a directory";
}

}  // namespace riffle::bench
