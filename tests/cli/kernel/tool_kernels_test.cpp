/// The tool has SIMD kernels for every instruction set of the library, and uses those of the library's
/// choice; each finds the smallest and the largest number, but no NaN, the starts of lines, and
/// texts in either case.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "kernel/kernels.hpp"
#include "tests/kernel/compare.hpp"
#include "tests/support/oracles.hpp"

namespace riffle::test {
namespace {

// Also those that this processor does not run.
TEST(tool_kernels, are_compiled_for_each_instruction_set_of_the_library) {
  for (const kernel::simd_table& compiled : kernel::simd_tables()) {
    if (compiled.kernels == nullptr) continue;
    EXPECT_STREQ(cli::kernel::beside(*compiled.kernels).name, compiled.kernels->instructions);
  }
  EXPECT_EQ(&cli::kernel::beside(kernel::scalar()), &cli::kernel::scalar());
}

TEST(tool_kernels, are_those_beside_the_kernels_of_the_library) {
  EXPECT_EQ(&cli::kernel::active(), &cli::kernel::beside(kernel::active()));
}

// Any bit patterns, of floats NaNs and infinities among them. So many bytes make a whole round of four of the
// widest vectors, and all that can be left behind it.
TEST_P(each_kernel, finds_the_extremes_of_any_bits) {
  for (std::size_t size = 0; size <= 400; ++size) {
    compare_beside_guard_pages({.text = random_text(size, static_cast<unsigned>(size))}, "min_max");
    compare_beside_guard_pages({.text = std::string(size, '\xFF')}, "min_max");  // all are NaN
  }
}

// A number above and one below all others, at each place in turn; the others have NaNs among them, or none.
TEST_P(each_kernel, finds_an_extreme_in_each_place) {
  for (const std::size_t size : {1U, 2U, 4U, 8U}) {
    for (const char every_second : {'\x3F', '\xFF'}) {
      std::string numbers;
      while (numbers.size() < 400) numbers += std::string(size, '\x3F') + std::string(size, every_second);
      for (std::size_t place = 0; place < numbers.size(); place += size) {
        const std::string before = numbers.substr(place, size);
        for (const char extreme : {'\x7F', '\x80', '\0', '\xFE'}) {
          numbers.replace(place, size, size, extreme);
          for (std::size_t from = 0; from <= std::min(place, 2 * size); from += size)
            compare({.text = std::string_view(numbers).substr(from)}, "min_max");
        }
        numbers.replace(place, size, before);
      }
    }
  }
}

// One line that starts with the text, or lacks its last byte, at each place of 64 bytes that follow each
// other.
TEST_P(each_kernel, counts_a_start_at_each_place) {
  for (const std::size_t size : {1U, 2U, 3U, 63U, 64U, 65U, 130U}) {
    const std::string text = std::string(size - 1, 'x') + '>';
    for (std::size_t place = 0; place <= 200; ++place) {
      for (const std::size_t more : {0U, 1U, 2U, 64U, 130U}) {
        const std::string all = std::string(place, '.') + '\n' + text + std::string(more, '>');
        for (const std::size_t less : {0U, 1U, 2U}) {
          const std::string_view cut = std::string_view(all).substr(0, all.size() - less);
          compare({.text = cut, .byte = '\n', .start = text}, "line_starts");
        }
      }
    }
  }
}

TEST_P(each_kernel, counts_starts_in_any_lines) {
  for (std::size_t size = 0; size <= 700; ++size) {
    const std::string lines = random_text(size, static_cast<unsigned>(size), {">>\n\n\0ab", 7});
    for (const std::string& text :
         {std::string(">"), std::string(">>"), std::string("\0", 1), std::string(">a\0b", 4)})
      compare_beside_guard_pages({.text = lines, .byte = '\n', .start = text}, "line_starts");
    compare_beside_guard_pages({.text = random_text(size, static_cast<unsigned>(size)), .byte = 'a'},
                               "line_starts");
  }
}

// Letters alone have two cases: other bytes that differ by the same bit are two.
TEST_P(each_kernel, finds_a_text_in_either_case) {
  for (std::size_t size = 0; size <= 300; ++size) {
    compare_beside_guard_pages(
        {.text = random_text(size, static_cast<unsigned>(size), "aAbB[{@`\xC1\xE1"), .byte = '`'},
        "find_any_case");
  }
  for (const auto& [text, there] : std::vector<std::pair<std::string_view, std::string>>{
           {"ab[", "..Ab{aB["}, {"`z", "..@z@Z`Z"}, {"\xE1", "\xC1....\xC1\xE1"}}) {
    const std::string all = there + std::string(100, '.');
    EXPECT_EQ(kernels.tool.find_any_case(all.data(), all.size(), kernel::plan(text)),
              there.size() - text.size());
  }
}

}  // namespace
}  // namespace riffle::test
