/// Every kernel counts the bits between ends as a loop over single bits does.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "cli/kernel/kernels.hpp"
#include "tests/cli/kernel/tool_kernels.hpp"

namespace riffle::test {
namespace {

using bits = std::vector<bool>;

std::vector<std::uint64_t> masks_of(const bits& from) {
  std::vector<std::uint64_t> masks(from.size() / 64);
  for (std::size_t i = 0; i != from.size(); ++i) masks[i / 64] |= std::uint64_t{from[i]} << i % 64;
  return masks;
}

bits drawn(std::size_t size, std::mt19937& random, unsigned one_of) {
  bits all(size);
  for (std::size_t i = 0; i != size; ++i) all[i] = random() % one_of == 0;
  return all;
}

std::vector<std::uint32_t> expected_counts(const bits& members, const bits& ends) {
  std::vector<std::uint32_t> counts(1);
  for (std::size_t i = 0; i != members.size(); ++i) {
    counts.back() += members[i] ? 1U : 0U;
    if (ends[i]) counts.push_back(0);
  }
  return counts;
}

TEST(count_between, counts_up_to_and_with_each_end) {
  std::mt19937 random(4);
  for (const cli::kernel::table* const kernel : tool_kernels()) {
    for (unsigned round = 0; round < 132; ++round) {
      const std::size_t size = round % 66 * 64;
      const bits members = drawn(size, random, 1 + round % 3);
      const bits ends = drawn(size, random, 1U << round % 11);
      const std::vector<std::uint32_t> expected = expected_counts(members, ends);
      std::vector<std::uint32_t> counts(expected.size() + 1, 7);
      EXPECT_EQ(
          kernel->count_between(masks_of(members).data(), masks_of(ends).data(), size / 64, counts.data()),
          expected.size() - 1);
      EXPECT_EQ(counts.back(), 7U) << "written behind the last";
      counts.pop_back();
      ASSERT_EQ(counts, expected) << kernel->name << ", round " << round;
    }
  }
}

}  // namespace
}  // namespace riffle::test
