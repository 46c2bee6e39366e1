/// Every kernel finds the first line whose bound is above a number of columns.
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "tests/kernel/compare.hpp"

namespace riffle::test {
namespace {

// The printable bytes of ASCII, and continuations or Latin-1.
byte_set ones_of(bool utf8) {
  byte_set ones;
  for (char c = ' '; c <= '~'; ++c) ones.add(c);
  for (unsigned byte = utf8 ? 0x80 : 0xA0; byte != (utf8 ? 0xC0 : 0x100); ++byte) {
    ones.add(static_cast<char>(byte));
  }
  return ones;
}

TEST_P(each_kernel, bounds_each_kind_of_byte) {
  struct row {
    std::string_view line;
    std::size_t utf8;
    std::size_t bytes;
  };
  for (const row& each : {row{"", 0, 0}, row{"a~", 2, 2}, row{"\t", 8, 8}, row{"\r\f\v\x7F", 0, 0},
                          row{"\xD0\xAF", 1, 2}, row{"\xE4\xB8\x80", 2, 2}, row{"\xF0\x9F\x98\x80", 2, 1},
                          row{"\xF0\xF0\xF0xyz", 3, 6}, row{"\xF0x\x80", 2, 2}, row{"\xF0\x80\xF0\x80", 0, 2},
                          row{"\x80\xBF", 2, 1}, row{"\xFF\xA0\xA0", 1, 3}}) {
    const std::string text = std::string(each.line) + '\n';
    for (const bool utf8 : {false, true}) {
      const auto found = [&](std::size_t columns) {
        const arguments given{.text = text, .set = ones_of(utf8), .number = columns};
        return (utf8 ? calls::wide_line<true> : calls::wide_line<false>)(kernels, given).front();
      };
      const std::size_t bound = utf8 ? each.utf8 : each.bytes;
      EXPECT_EQ(found(bound), text.size()) << testing::PrintToString(text);
      if (bound == 0) continue;
      EXPECT_EQ(found(bound - 1), text.size() - 1) << testing::PrintToString(text);
    }
  }
}

TEST_P(each_kernel, finds_a_wide_line_in_every_place) {
  for (std::size_t before = 0; before <= 130; ++before) {
    for (const std::size_t size : {1U, 62U, 63U, 64U, 65U, 127U, 128U, 129U, 200U}) {
      for (const std::string_view kind : {"x", "\t", "\xF0\x9F\x98\x80", "\xE4\xB8\x80", "\xF0"}) {
        const std::string text =
            std::string(before, 'x') + "\nx\n" + std::string(size, 'y').append(kind) + "\nz";
        for (const std::size_t more : {0U, 1U, 2U, 7U, 8U}) {
          compare({.text = text, .set = ones_of(false), .number = size + more}, "find_wide_line of bytes");
          compare({.text = text, .set = ones_of(true), .number = size + more}, "find_wide_line of UTF-8");
        }
      }
    }
  }
}

TEST_P(each_kernel, finds_a_wide_line_of_any_bytes) {
  constexpr std::string_view bytes("aZ \t\r\0\x7F\x80\xBF\xC2\xD0\xE4\xF0\xF4\xFF", 15);
  std::mt19937 random(1);
  for (std::size_t size = 0; size <= 400; ++size) {
    const std::size_t newlines = 1 + random() % 150;
    std::string text(size, '\0');
    for (char& byte : text) byte = random() % newlines == 0 ? '\n' : bytes[random() % bytes.size()];
    for (const std::size_t columns : {0U, 20U, 100U}) {
      for (const bool utf8 : {false, true})
        compare_beside_guard_pages({.text = text, .set = ones_of(utf8), .number = columns}, "find_wide_line");
    }
  }
}

}  // namespace
}  // namespace riffle::test
