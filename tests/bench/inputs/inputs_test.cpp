/// The made inputs are what they say, byte for byte, and go at the end.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <sstream>

#include "bench/host/temporary_directory.hpp"
#include "bench/inputs/inputs.hpp"

namespace riffle::bench {

TEST(inputs, are_the_same_bytes_for_the_same_size_and_never_longer) {
  const auto made = [](const std::function<void(std::ostream&, std::uint64_t)>& write, std::uint64_t size) {
    std::ostringstream out;
    write(out, size);
    return out.str();
  };
  const auto text = [](std::ostream& out, std::uint64_t size) { write_text(out, size); };
  for (const std::function<void(std::ostream&, std::uint64_t)>& write :
       {std::function<void(std::ostream&, std::uint64_t)>(text),
        {write_genome},
        {write_ints},
        {write_primes}}) {
    for (const std::uint64_t size : {0U, 1U, 7U, 100U, 5000000U}) {
      const std::string bytes = made(write, size);
      EXPECT_LE(bytes.size(), size);
      EXPECT_GE(bytes.size() + 3000, size);
      EXPECT_EQ(bytes, made(write, size));
    }
  }
}

// Takes nothing, as a full disk.
struct full : std::streambuf {};

TEST(inputs, are_given_up_when_nothing_more_can_be_written) {
  for (const auto write : {+[](std::ostream& out, std::uint64_t size) { write_text(out, size); },
                           +write_genome, +write_ints, +write_primes}) {
    full buffer;
    std::ostream out(&buffer);
    write(out, std::uint64_t{1} << 40U);  // which would take hours
    EXPECT_FALSE(out);
  }
}

TEST(inputs, hold_the_primes) {
  std::ostringstream out;
  write_primes(out, 8 * 78498);  // the primes below 10^6
  const std::string bytes = out.str();
  std::uint64_t last = 0;
  std::memcpy(&last, bytes.data() + bytes.size() - 8, 8);
  EXPECT_EQ(last, 999983U);
}

TEST(inputs, have_lines_of_about_67_bytes) {
  std::ostringstream out;
  write_text(out, 1000000);
  const std::string text = out.str();
  const auto lines = static_cast<double>(std::count(text.begin(), text.end(), '\n'));
  EXPECT_NEAR(static_cast<double>(text.size()) / lines, 67, 3);
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
