/// A text is counted and measured as the C library does it, wherever it is cut into parts.
#include <gtest/gtest.h>

#include <algorithm>
#include <climits>
#include <clocale>
#include <cstdlib>
#include <cwchar>
#include <cwctype>
#include <random>
#include <string>
#include <vector>

#include "count/part.hpp"
#include "kernel/kernels.hpp"
#include "tests/count/posix/oracle.hpp"
#include "tests/support/oracles.hpp"
#include "tests/support/utf8_text.hpp"

namespace riffle::test {
namespace {

constexpr text_options all_columns{true, true, true, true, text_encoding::locale};

std::string mixed_text(std::size_t size, std::mt19937& random) {
  const std::vector<std::string>& pieces = text_pieces(false);
  // Few kinds in a text, so that they often meet.
  std::vector<std::string> some(3 + random() % 6);
  for (std::string& piece : some) piece = pieces[random() % pieces.size()];
  std::string text;
  while (text.size() < size) text += some[random() % some.size()];
  text.resize(size);
  return text;
}

/// Cut at random into parts of up to `longest` bytes; joined from the left, or the later ones first.
text_part in_parts(const part_counter& count, std::string_view text, std::size_t longest,
                   std::mt19937& random) {
  std::vector<text_part> parts;
  while (!text.empty()) {
    const std::string_view part = text.substr(0, 1 + random() % longest);
    parts.push_back(count(part));
    text.remove_prefix(part.size());
  }
  while (parts.size() > 1) {
    const std::size_t left = random() % (parts.size() - 1);
    parts[left] = count.join(parts[left], parts[left + 1]);
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(left) + 1);
  }
  return parts.empty() ? text_part() : parts.front();
}

class wc_locale : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (std::setlocale(LC_CTYPE, GetParam()) == nullptr) GTEST_SKIP() << "no locale " << GetParam();
    std::setlocale(LC_CTYPE, "C");
  }
  locale_variables variables{{{"LC_ALL", GetParam()}}};
};
INSTANTIATE_TEST_SUITE_P(names, wc_locale, testing::Values("C", "C.UTF-8"), [](const auto& tested) {
  return tested.param == std::string_view("C") ? "C" : "UTF8";
});

TEST_P(wc_locale, counts_the_same_wherever_a_text_is_cut) {
  const part_counter count(all_columns, rules_of_variables());
  ASSERT_TRUE(count.takes_parts());
  std::mt19937 random(1);
  for (int round = 0; round < 1500; ++round) {
    const std::string text = mixed_text(random() % 120, random);
    const text_counts right = expected(text);
    ASSERT_EQ(numbers(count(text)), right) << testing::PrintToString(text);
    for (const std::size_t longest : {1U, 3U, 9U, 50U}) {
      ASSERT_EQ(numbers(in_parts(count, text, longest, random)), right)
          << testing::PrintToString(text) << " in parts of " << longest;
    }
  }
}

TEST_P(wc_locale, counts_a_character_at_the_border_of_two_pieces) {
  const part_counter count(all_columns, rules_of_variables());
  for (const std::string_view character : {"😀", "\u3000", "\u00A0", "\x80\x80\x80\x80\x80\x80\x80\x80"}) {
    for (std::size_t size = 16 * 1024 - 9; size <= 16 * 1024 + 1; ++size) {
      std::string text(size, 'x');
      text.append(character).append(" y\n").append(40, 'z');
      ASSERT_EQ(numbers(count(text)), expected(text)) << size;
    }
  }
}

TEST_P(wc_locale, counts_the_same_in_order_by_the_c_library) {
  text_rules rules = rules_of_variables();
  rules.encoding = encoding::multibyte;
  const part_counter count(all_columns, rules);
  ASSERT_FALSE(count.takes_parts());
  if (MB_CUR_MAX == 1) GTEST_SKIP() << "the C library decodes no byte above 0x7F here";
  std::mt19937 random(2);
  for (int round = 0; round < 300; ++round) {
    // SIMD kernels count a long run of ASCII.
    const std::string text =
        mixed_text(random() % 60, random) +
        random_text(random() % 200, static_cast<unsigned>(round), std::string_view("ab \t\n\r\f\0", 8)) +
        mixed_text(random() % 60, random);
    for (const std::size_t block_size : {1U, 2U, 5U, 4096U}) {
      source from(memory(text), {.block_size = block_size});
      text_counts sum;
      count.count_in_order(from, sum);
      ASSERT_EQ(numbers(sum), expected(text)) << testing::PrintToString(text);
    }
  }
}

TEST_P(wc_locale, knows_all_white_space) {
  const text_rules rules = rules_of_variables();
  if (rules.encoding != encoding::utf8) GTEST_SKIP() << "only UTF-8 has other white space than bytes";
  const part_counter count({.lines = false}, rules);
  for (wchar_t character = 0x80; character <= 0x10FFFF; ++character) {
    std::array<char, 16> bytes{};
    std::mbstate_t state{};
    const std::size_t size = std::wcrtomb(bytes.data(), character, &state);
    if (size > bytes.size()) continue;  // a surrogate
    const bool white = std::iswspace(static_cast<std::wint_t>(character)) != 0 ||
                       is_no_break_space(static_cast<char32_t>(character));
    ASSERT_EQ(count({bytes.data(), size}).words, white ? 0U : 1U)
        << std::hex << static_cast<unsigned>(character);
  }
}

TEST(wc_locale_names, lead_to_rules) {
  struct named {
    std::vector<std::pair<const char*, const char*>> variables;
    riffle::encoding encoding;
  };
  const bool has_utf8 = std::setlocale(LC_CTYPE, "C.UTF-8") != nullptr;
  // To musl, every name that it does not know means UTF-8.
  const encoding unknown = std::setlocale(LC_ALL, "xx") != nullptr ? encoding::utf8 : encoding::bytes;
  std::setlocale(LC_ALL, "C");
  if (!has_utf8) GTEST_SKIP() << "no locale C.UTF-8";
  for (const named& each : std::vector<named>{{{}, encoding::bytes},
                                              {{{"LANG", "C.UTF-8"}}, encoding::utf8},
                                              {{{"LANG", "C.UTF-8"}, {"LC_ALL", ""}}, encoding::utf8},
                                              {{{"LANG", "C.UTF-8"}, {"LC_CTYPE", "C"}}, encoding::bytes},
                                              {{{"LC_ALL", "POSIX"}, {"LANG", "C.UTF-8"}}, encoding::bytes},
                                              {{{"LC_CTYPE", "C.UTF-8"}}, encoding::utf8},
                                              {{{"LANG", "xx"}, {"LC_CTYPE", "C.UTF-8"}}, unknown},
                                              {{{"LC_TIME", "xx"}, {"LC_CTYPE", "C.UTF-8"}}, unknown},
                                              {{{"LC_TIME", "xx"}, {"LANG", "C.UTF-8"}}, unknown},
                                              {{{"LC_TIME", "C"}, {"LANG", "C.UTF-8"}}, encoding::utf8},
                                              {{{"LC_ALL", "xx"}}, unknown}}) {
    const locale_variables variables(each.variables);
    EXPECT_EQ(rules_of_variables().encoding, each.encoding) << testing::PrintToString(each.variables);
  }
}

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
