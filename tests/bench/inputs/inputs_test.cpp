/// The made inputs are what they say, byte for byte, and go at the end.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>

#include "bench/host/temporary_directory.hpp"
#include "bench/inputs/inputs.hpp"

namespace riffle::bench {

namespace {

std::string made(task which, std::uint64_t size, const std::function<bool()>& interrupted = {}) {
  const temporary_directory directory;
  const input from = make_inputs(which, size, directory.path(), interrupted).front();
  std::ifstream in(from.files.front(), std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  EXPECT_EQ(from.bytes, bytes.size());
  return bytes;
}

}  // namespace

TEST(inputs, are_the_same_bytes_for_the_same_size_and_never_longer) {
  for (const task which : all_tasks) {
    for (const std::uint64_t size : {0U, 1U, 7U, 100U, 5000000U}) {
      const std::string bytes = made(which, size);
      EXPECT_LE(bytes.size(), size);
      EXPECT_GE(bytes.size() + 3000, size);
      EXPECT_EQ(bytes, made(which, size));
    }
  }
}

TEST(inputs, are_given_up_if_the_run_is_interrupted) {
  for (const task which : all_tasks)  // 1 TiB would take hours
    EXPECT_EQ(made(which, std::uint64_t{1} << 40U, [] { return true; }), "");
}

TEST(inputs, hold_the_primes) {
  const std::string bytes = made(task::primes, 8 * 78498);  // the primes below 10^6
  std::uint64_t last = 0;
  std::memcpy(&last, bytes.data() + bytes.size() - 8, 8);
  EXPECT_EQ(last, 999983U);
}

TEST(inputs, have_lines_of_about_67_bytes) {
  const std::string text = made(task::lines, 1000000);
  EXPECT_NEAR(static_cast<double>(text.size()) / static_cast<double>(std::ranges::count(text, '\n')), 67, 3);
}

TEST(inputs, are_removed_at_the_end) {
  std::filesystem::path path;
  {
    const temporary_directory directory;
    path = directory.path();
    make_inputs(task::words, 100000, path);
    EXPECT_TRUE(std::filesystem::exists(path / "book184.txt"));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace riffle::bench
