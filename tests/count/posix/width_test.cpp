/// Every character and every wrong sequence of UTF-8 is measured as by the C library, wherever it stands, and
/// each line that could be the widest.
#include <gtest/gtest.h>

#include <climits>
#include <cwchar>
#include <string>
#include <vector>

#include "kernel/kernels.hpp"
#include "tests/count/posix/oracle.hpp"

namespace riffle::test {
namespace {

class wc_width : public testing::Test {
 protected:
  void SetUp() override {
    if (MB_CUR_MAX == 1) GTEST_SKIP() << "no locale C.UTF-8";
  }
  locale_variables variables{{{"LC_ALL", "C.UTF-8"}}};
  text_rules rules = rules_of_variables();
  part_counter count{{.lines = false, .words = false, .longest_line = true}, rules};
};

std::string encoded(wchar_t character) {
  std::array<char, MB_LEN_MAX> bytes{};
  std::mbstate_t state{};
  const std::size_t size = std::wcrtomb(bytes.data(), character, &state);
  return size > bytes.size() ? "" : std::string(bytes.data(), size);  // none for a surrogate
}

TEST_F(wc_width, is_that_of_the_c_library_for_every_character) {
  std::string line;
  for (wchar_t character = 0x80; character <= 0x10FFFF; ++character) {
    const std::string one = encoded(character);
    const auto width = static_cast<std::uint64_t>(one.empty() ? 0 : std::max(0, ::wcwidth(character)));
    ASSERT_EQ(count(one).longest_line, width) << std::hex << static_cast<unsigned>(character);
    line += one;
    if (character % 50 != 0) continue;
    ASSERT_EQ(count(line).longest_line, expected(line).longest_line)
        << std::hex << static_cast<unsigned>(character);
    line.clear();
  }
}

// A character of two bytes takes one column, and of three or four two; what does not decode takes none.
TEST_F(wc_width, is_never_above_its_bound_and_mostly_equal) {
  const column_rules columns(rules);
  for (const kernel::table* const each : kernel::available()) {
    const auto bounded = [&](std::string_view line, std::uint64_t most) {
      return each->find_wide_line(line.data(), line.size(), columns.bounds(), most) == line.size();
    };
    for (wchar_t character = 1; character <= 0x10FFFF; ++character) {
      const std::string line = encoded(character) + '\n';
      const int width = character == L'\t' ? 8 : ::wcwidth(character);
      if (width <= 0) continue;
      ASSERT_FALSE(bounded(line, static_cast<std::uint64_t>(width - 1)))
          << std::hex << static_cast<unsigned>(character);
    }
    for (const std::string_view tight : {"word\n", "слово\n", "一二三\n", "😀😀😀\n"}) {
      EXPECT_TRUE(bounded(tight, expected(tight).longest_line)) << tight;
    }
  }
}

TEST_F(wc_width, is_the_same_in_every_place_and_wherever_it_is_cut) {
  const std::vector<std::string> kinds{"\n",       "\t",       "\r",     "\v",           "é",
                                       "«",        "ы",        "\u0301", "一",           "\u200B",
                                       "😀",       "\xE4\xB8", "\xC3",   "\xF0\x9F\x98", "\xED\xA0\x80",
                                       "\x80\x80", "é一\n一é", "一\t😀"};
  for (const std::string& before : {std::string(), std::string(70, 'y') + '\n', std::string("一\t")}) {
    for (const std::string& kind : kinds) {
      for (std::size_t place = 0; place <= 130; ++place) {
        std::string text = before;
        text.append(place, 'x').append(kind).append(place / 2, 'z').append("\nab");
        const std::uint64_t width = expected(text).longest_line;
        ASSERT_EQ(count(text).longest_line, width) << testing::PrintToString(text);
        for (std::size_t cut = 0; cut <= kind.size(); ++cut) {
          const std::size_t at = before.size() + place + cut;
          const text_part both = count.join(count(text.substr(0, at)), count(text.substr(at)));
          ASSERT_EQ(both.longest_line, width) << testing::PrintToString(text) << " cut at " << at;
        }
      }
    }
  }
}

// Text of many pieces, most of which have no line that could be the widest: what could be is put anywhere.
TEST_F(wc_width, is_that_of_one_line_among_many_that_are_shorter) {
  std::string lines;
  for (std::size_t i = 0; lines.size() < 100'000; ++i) lines += std::string(20 + i % 71, 'x') + '\n';
  ASSERT_EQ(count(lines).longest_line, 90);
  const std::string ninety(90, 'w');
  for (const std::string& other :
       {std::string("w"), std::string(13, '\t'), '\n' + ninety + "w\n", '\n' + ninety + '\n',
        std::string("\r"), std::string("一"), std::string("\x80"), ninety + 'w', ninety + "\rw",
        ninety + '\t', ninety + "一", ninety + "\x80", "一\t" + ninety, std::string(200, '\v'),
        std::string("\n\xF0\xF0") + ninety + "w\n", std::string(17'000, 'w'), std::string(17'000, '\r')}) {
    for (const std::size_t at : {0U, 95U, 16'383U, 16'384U, 16'385U, 40'000U, 65'530U, 99'999U}) {
      const std::string text = std::string(lines).insert(at, other);
      const std::uint64_t width = expected(text).longest_line;
      EXPECT_EQ(count(text).longest_line, width) << testing::PrintToString(other) << " at " << at;
      const text_part both = count.join(count(text.substr(0, 50'000)), count(text.substr(50'000)));
      EXPECT_EQ(both.longest_line, width) << testing::PrintToString(other) << " at " << at;
    }
  }
}

}  // namespace
}  // namespace riffle::test
