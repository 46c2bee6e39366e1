/// Every kernel knows the longest line, what is behind the last newline, and whether there is a tab.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "kernel/kernels.hpp"
#include "tests/support/guarded.hpp"

namespace riffle::test {
namespace {

using kernel::line_sizes;
using kernel::table;

// By the definition, from the ends of the lines.
line_sizes plain_sizes(std::string_view text) {
  line_sizes sizes{line_sizes::least, text.size(), text.find('\t') != std::string_view::npos};
  for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
    sizes.longest = std::max(sizes.longest, end);
    text.remove_prefix(end + 1);
    sizes.behind = text.size();
  }
  sizes.longest = std::max(sizes.longest, text.size());
  return sizes;
}

class each_line_kernel : public testing::TestWithParam<const table*> {
 protected:
  static void expect_sizes(std::string_view text) {
    ASSERT_EQ(GetParam()->sizes_of_lines(text.data(), text.size()), plain_sizes(text))
        << testing::PrintToString(text);
  }
};
INSTANTIATE_TEST_SUITE_P(kernels, each_line_kernel, testing::ValuesIn(kernel::available()),
                         [](const auto& tested) { return tested.param->name; });

TEST_P(each_line_kernel, knows_the_longest_line) {
  const auto sizes = [](std::string_view text) {
    return GetParam()->sizes_of_lines(text.data(), text.size());
  };
  EXPECT_EQ(sizes(""), (line_sizes{63, 0, false}));
  EXPECT_EQ(sizes("ab\nc"), (line_sizes{63, 1, false}));
  EXPECT_EQ(sizes(std::string(64, 'x')), (line_sizes{64, 64, false}));
  EXPECT_EQ(sizes("a\n" + std::string(100, 'x') + "\nb\t\n"), (line_sizes{100, 0, true}));
}

TEST_P(each_line_kernel, knows_it_in_every_place) {
  for (std::size_t before = 0; before <= 130; ++before) {
    for (const std::size_t size : {0U, 1U, 62U, 63U, 64U, 65U, 127U, 128U, 129U, 200U}) {
      const std::string text = std::string(before, 'x') + '\n' + std::string(size, 'y');
      expect_sizes(text);
      expect_sizes(text + "\nz");
      expect_sizes(text + "\n\t" + std::string(size / 2, 'z'));
    }
  }
}

TEST_P(each_line_kernel, reads_nothing_outside_its_data) {
  guarded memory(4096);
  std::mt19937 random(1);
  for (std::size_t size = 0; size <= 400; ++size) {
    const std::size_t newlines = 1 + random() % 150;
    std::string text(size, 'x');
    for (char& byte : text) byte = random() % newlines == 0 ? '\n' : random() % 300 == 0 ? '\t' : 'x';
    for (const std::span<char> place : {memory.first(size), memory.last(size)}) {
      std::ranges::copy(text, place.begin());
      expect_sizes({place.data(), place.size()});
    }
  }
}

}  // namespace
}  // namespace riffle::test
