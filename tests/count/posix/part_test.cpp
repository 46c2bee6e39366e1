/// A text is counted as GNU wc does it, wherever the text is cut into parts: the oracle decodes one
/// character at a time by the C library.
#include "count/part.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <clocale>
#include <cstdlib>
#include <cwchar>
#include <cwctype>
#include <random>
#include <string>
#include <vector>

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

}  // namespace
}  // namespace riffle::test
