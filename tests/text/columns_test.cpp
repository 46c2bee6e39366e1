/// A table is straight only where text is counted, cut and drawn in columns.
#include <gtest/gtest.h>

#include "text/columns.hpp"

namespace riffle::text {

TEST(columns, count_what_a_terminal_shows) {
  EXPECT_EQ(columns_of(""), 0U);
  EXPECT_EQ(columns_of("±1.0%"), 5U);
  EXPECT_EQ(columns_of("読む"), 4U);
  EXPECT_EQ(columns_of("\xE8\xAA"), 2U);  // cut short: a column for each byte
}

TEST(columns, replace_what_is_not_to_be_printed) {
  EXPECT_EQ(printable("a b-é-読-€-😀"), "a b-é-読-€-😀");
  EXPECT_EQ(printable("\t\x7f\xC2\x85"), "???");
  EXPECT_EQ(printable("\xC0\xAF\xED\xA0\x80\xF4\x90\x80\x80"),
            "?????????");  // overlong, surrogate, too great
}

TEST(columns, shorten_in_the_middle) {
  EXPECT_EQ(shortened("abcdef", 6), "abcdef");
  EXPECT_EQ(shortened("abcdefg", 6), "abc…fg");
  EXPECT_EQ(shortened("読読読読", 6), "読…読");  // no half characters
}

TEST(columns, wrap_at_spaces) {
  const std::string forty(40, 'x');
  EXPECT_EQ(wrapped(forty + ' ' + std::string(39, 'y'), 2), forty + ' ' + std::string(39, 'y') + '\n');
  EXPECT_EQ(wrapped(forty + ' ' + forty, 2), forty + "\n  " + forty + '\n');
  EXPECT_EQ(wrapped(std::string(81, 'z'), 2), std::string(80, 'z') + "\n  z\n");
  EXPECT_EQ(wrapped("    " + std::string(80, 'z'), 4), "    " + std::string(76, 'z') + "\n    zzzz\n");
}

TEST(columns, draw_bars_to_an_eighth) {
  EXPECT_EQ(bar(1, 3), "███");
  EXPECT_EQ(bar(0.5, 3), "█▌");
  EXPECT_EQ(bar(1.0 / 8, 1), "▏");
  EXPECT_EQ(bar(7.0 / 8, 1), "▉");
  EXPECT_EQ(bar(0, 3), "");
  EXPECT_EQ(bar(2, 3), "███");
}

}  // namespace riffle::text
