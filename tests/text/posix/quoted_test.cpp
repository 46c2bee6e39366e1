/// Names are quoted as GNU's tools quote them.
#include "text/quoted.hpp"

#include <gtest/gtest.h>

#include <clocale>
#include <cstdlib>

#include "tests/support/shell.hpp"

namespace riffle::text {
namespace {

// The locale of the environment while the object lives.
class in_locale {
 public:
  explicit in_locale(const char* name) { ::setenv("LC_ALL", name, 1); }
  in_locale(const in_locale&) = delete;
  in_locale& operator=(const in_locale&) = delete;
  ~in_locale() { ::setenv("LC_ALL", "C", 1); }
};

struct row {
  const char* name;
  const char* where_needed;
  const char* always;
};

TEST(quoted, names_as_words_of_a_shell) {
  const in_locale c("C");
  const row rows[] = {
      {"a-b_c%+,./]@0", "a-b_c%+,./]@0", "'a-b_c%+,./]@0'"},
      {"", "''", "''"},
      {"a b", "'a b'", "'a b'"},
      {"a:b", "'a:b'", "'a:b'"},
      {"it's", "\"it's\"", "\"it's\""},
      {"it's $x", "'it'\\''s $x'", "'it'\\''s $x'"},
      {"a\nb", "'a'$'\\n''b'", "'a'$'\\n''b'"},
      {"\ta\n", "''$'\\t''a'$'\\n'", "''$'\\t''a'$'\\n'"},
      {"a\x01'b", "'a'$'\\001'\\''b'", "'a'$'\\001'\\''b'"},
      {"\\", "'\\'", "'\\'"},
      {"{", "'{'", "'{'"},
      {"{}", "{}", "'{}'"},
      {"#a", "'#a'", "'#a'"},
      {"a#~", "a#~", "'a#~'"},
      {"x=y", "'x=y'", "'x=y'"},
      {"\xc3\xa9", "''$'\\303\\251'", "''$'\\303\\251'"},
  };
  for (const row& each : rows) {
    EXPECT_EQ(shell_quoted(each.name), each.where_needed);
    EXPECT_EQ(shell_quoted(each.name, quotes::always), each.always);
  }
}

TEST(quoted, names_with_characters_of_the_locale) {
  if (test::shell("LC_ALL=C.UTF-8 locale charmap").out != "UTF-8\n")
    GTEST_SKIP() << "no UTF-8 locale is installed";
  const in_locale utf8("C.UTF-8");
  EXPECT_EQ(shell_quoted("\xc3\xa9"), "\xc3\xa9");
  EXPECT_EQ(shell_quoted("\xc3\xa9 b"), "'\xc3\xa9 b'");
  EXPECT_EQ(shell_quoted("a\xff\xc3\xa9"), "'a'$'\\377''\xc3\xa9'");
  EXPECT_EQ(shell_quoted("a\xe2\x80\n"), "'a'$'\\342\\200\\n'");
  EXPECT_EQ(shell_quoted("a\xe2\x80"), "'a'$'\\342\\200'");
  EXPECT_EQ(locale_quoted("a'b"),
            "\xe2\x80\x98"
            "a'b\xe2\x80\x99");
}

TEST(quoted, words_with_the_marks_of_the_locale) {
  const in_locale c("C");
  EXPECT_EQ(locale_quoted("auto"), "'auto'");
  EXPECT_EQ(locale_quoted("a'\n\\\xc3"), "'a\\'\\n\\\\\\303'");
}

TEST(quoted, names_in_the_c_locale_if_the_locale_is_missing) {
  const in_locale missing("xx_XX.UTF-8");
  const bool found = std::setlocale(LC_CTYPE, "xx_XX.UTF-8") != nullptr;
  std::setlocale(LC_CTYPE, "C");
  if (found) GTEST_SKIP() << "to this C library, every name of a locale means UTF-8";
  EXPECT_EQ(shell_quoted("\xc3\xa9"), "''$'\\303\\251'");
  EXPECT_EQ(locale_quoted("a"), "'a'");
}

}  // namespace
}  // namespace riffle::text
