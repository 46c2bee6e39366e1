/// A table is straight only where text is counted, cut and drawn in columns.
#include <gtest/gtest.h>

#include <limits>

#include "tests/support/reading.hpp"
#include "text/shown.hpp"

namespace riffle::text {

TEST(columns, are_of_what_a_terminal_shows_and_obeys) {
  EXPECT_EQ(columns_of(""), 0U);
  EXPECT_EQ(columns_of("±1.0%"), 5U);
  EXPECT_EQ(columns_of("読む"), 4U);
  EXPECT_EQ(columns_of("\xE8\xAA"), 2U);  // cut short: a column for each byte
  EXPECT_EQ(printable("a b-é-読-€-😀"), "a b-é-読-€-😀");
  EXPECT_EQ(printable("\t\x7f\xC2\x85"), "???");
  EXPECT_EQ(printable("\xC0\xAF\xED\xA0\x80\xF4\x90\x80\x80"),
            "?????????");  // overlong, surrogate, too great
  EXPECT_EQ(with_escapes("a b-é-読-😀"), "a b-é-読-😀");
  EXPECT_EQ(with_escapes("\x1b[2J\n\x7f\xC2\x9B\xD8\x9C\xE2\x80\xAE\xF3\xA0\x80\x81"),
            R"(\u001b[2J\u000a\u007f\u009b\u061c\u202e\udb40\udc01)");
  EXPECT_EQ(with_escapes("a\xFF"), "a\xEF\xBF\xBD");
}

// A file name is short, but a result file may hold a name of a megabyte. One pass over it for each line of
// its output took minutes.
TEST(columns, lay_out_long_texts_in_linear_time) {
  for (const char each : {'x', ' '}) {
    EXPECT_LT(
        test::growth(5'000, [&](std::size_t size) { EXPECT_GT(wrapped(std::string(size, each), 2), ""); }),
        8);
    EXPECT_LT(
        test::growth(5'000, [&](std::size_t size) { EXPECT_GT(shortened(std::string(size, each), 80), ""); }),
        8);
  }
}

TEST(columns, bound_texts_and_bars) {
  EXPECT_EQ(shortened("abcdef", 6), "abcdef");
  EXPECT_EQ(shortened("abcdefg", 6), "abc…fg");
  EXPECT_EQ(shortened("読読読読", 6), "読…読");  // no half characters
  const std::string forty(40, 'x');
  EXPECT_EQ(wrapped(forty + ' ' + std::string(39, 'y'), 2), forty + ' ' + std::string(39, 'y') + '\n');
  EXPECT_EQ(wrapped(forty + ' ' + forty, 2), forty + "\n  " + forty + '\n');
  EXPECT_EQ(wrapped(std::string(81, 'z'), 2), std::string(80, 'z') + "\n  z\n");
  EXPECT_EQ(wrapped("    " + std::string(80, 'z'), 4), "    " + std::string(76, 'z') + "\n    zzzz\n");
  EXPECT_EQ(bar(1, 3), "███");
  EXPECT_EQ(bar(0.5, 3), "█▌");
  EXPECT_EQ(bar(1.0 / 8, 1), "▏");
  EXPECT_EQ(bar(7.0 / 8, 1), "▉");
  EXPECT_EQ(bar(0, 3), "");
  EXPECT_EQ(bar(2, 3), "███");
  EXPECT_EQ(bar(std::numeric_limits<double>::quiet_NaN(), 3), "") << "which took for ever";
}

}  // namespace riffle::text
