/// Every kernel finds the first line whose bound is above a number of columns, as a plain loop does.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "cli/kernel/kernels.hpp"
#include "tests/cli/kernel/tool_kernels.hpp"
#include "tests/support/guarded.hpp"

namespace riffle::test {
namespace {

using cli::kernel::column_bounds;
using cli::kernel::table;

// The printable bytes of ASCII, and continuations or Latin-1.
column_bounds bounds_of(bool utf8) {
  byte_set ones;
  for (char c = ' '; c <= '~'; ++c) ones.add(c);
  for (unsigned byte = utf8 ? 0x80 : 0xA0; byte != (utf8 ? 0xC0 : 0x100); ++byte) {
    ones.add(static_cast<char>(byte));
  }
  return {cli::kernel::plan(ones), utf8};
}

std::size_t found(const table& kernel, std::string_view text, bool utf8, std::uint64_t columns) {
  return kernel.find_wide_line(text.data(), text.size(), bounds_of(utf8), columns);
}

class each_wide_line_kernel : public testing::TestWithParam<const table*> {
 protected:
  static void expect_as_scalar(std::string_view text, std::uint64_t columns) {
    for (const bool utf8 : {false, true}) {
      ASSERT_EQ(found(*GetParam(), text, utf8, columns), found(cli::kernel::scalar(), text, utf8, columns))
          << testing::PrintToString(text) << ", " << columns << " columns";
    }
  }
};
INSTANTIATE_TEST_SUITE_P(kernels, each_wide_line_kernel, testing::ValuesIn(tool_kernels()), name_of_kernel);

TEST_P(each_wide_line_kernel, bounds_each_kind_of_byte) {
  struct row {
    std::string_view line;
    std::uint64_t utf8;
    std::uint64_t bytes;
  };
  for (const row& each : {row{"", 0, 0}, row{"a~", 2, 2}, row{"\t", 8, 8}, row{"\r\f\v\x7F", 0, 0},
                          row{"\xD0\xAF", 1, 2}, row{"\xE4\xB8\x80", 2, 2}, row{"\xF0\x9F\x98\x80", 2, 1},
                          row{"\xF0\xF0\xF0"
                              "abc",
                              3, 6},
                          row{"\xF0"
                              "a\x80",
                              2, 2},
                          row{"\xF0\x80\xF0\x80", 0, 2}, row{"\x80\xBF", 2, 1}, row{"\xFF\xA0\xA0", 1, 3}}) {
    for (const bool utf8 : {false, true}) {
      const std::string text = std::string(each.line) + '\n';
      const std::uint64_t bound = utf8 ? each.utf8 : each.bytes;
      EXPECT_EQ(found(*GetParam(), text, utf8, bound), text.size()) << testing::PrintToString(text);
      if (bound == 0) continue;
      EXPECT_EQ(found(*GetParam(), text, utf8, bound - 1), text.size() - 1) << testing::PrintToString(text);
    }
  }
}

TEST_P(each_wide_line_kernel, finds_the_first_of_them_and_no_line_without_a_newline) {
  EXPECT_EQ(found(*GetParam(), "ab\nabc\nabcd\n", true, 2), 6U);
  EXPECT_EQ(found(*GetParam(), "ab\nabc", true, 2), 6U);
  EXPECT_EQ(GetParam()->find_wide_line(nullptr, 0, bounds_of(true), 0), 0U);
}

TEST_P(each_wide_line_kernel, knows_a_line_in_every_place) {
  for (std::size_t before = 0; before <= 130; ++before) {
    for (const std::size_t size : {1U, 62U, 63U, 64U, 65U, 127U, 128U, 129U, 200U}) {
      for (const std::string_view kind : {"x", "\t", "\xF0\x9F\x98\x80", "\xE4\xB8\x80", "\xF0"}) {
        const std::string text =
            std::string(before, 'x') + "\nx\n" + std::string(size, 'y').append(kind) + "\nz";
        for (const std::uint64_t more : {0U, 1U, 2U, 7U, 8U}) expect_as_scalar(text, size + more);
      }
    }
  }
}

TEST_P(each_wide_line_kernel, reads_nothing_outside_its_data) {
  constexpr std::string_view bytes("aZ \t\r\0\x7F\x80\xBF\xC2\xD0\xE4\xF0\xF4\xFF", 15);
  guarded memory(4096);
  std::mt19937 random(1);
  for (std::size_t size = 0; size <= 400; ++size) {
    const std::size_t newlines = 1 + random() % 150;
    std::string text(size, '\0');
    for (char& byte : text) byte = random() % newlines == 0 ? '\n' : bytes[random() % bytes.size()];
    for (const std::span<char> place : {memory.first(size), memory.last(size)}) {
      std::ranges::copy(text, place.begin());
      for (const std::uint64_t columns : {0U, 20U, 100U}) {
        expect_as_scalar({place.data(), place.size()}, columns);
      }
    }
  }
}

}  // namespace
}  // namespace riffle::test
