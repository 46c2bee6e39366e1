/// The searches of riffle::scan, against those of std::string_view.
#include <gtest/gtest.h>
#include <riffle/scan.hpp>

#include <string>

#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

TEST(find, nothing_in_nothing) {
  EXPECT_EQ(scan::find_byte({}, 'a'), std::string_view::npos);
  EXPECT_EQ(scan::find_byte("abc", 'c', 3), std::string_view::npos);
  EXPECT_EQ(scan::find_byte("abc", 'c', 100), std::string_view::npos);
  EXPECT_EQ(scan::find_any_of("abc", ""), std::string_view::npos);
}

// Around the borders of masks (64), of the first look (256) and of batches (4096).
TEST(find, the_first_match_at_every_place) {
  for (const std::size_t size : {1U, 63U, 64U, 65U, 255U, 256U, 257U, 4351U, 4352U, 4353U, 9000U}) {
    std::string text(size, '.');
    for (std::size_t place = 0; place < size; place += size < 300 ? 1 : 61) {
      text[place] = 'x';
      text.back() = 'y';
      for (const std::size_t from : {std::size_t{0}, place, place + 1}) {
        ASSERT_EQ(scan::find_byte(text, 'x', from), text.find('x', from))
            << size << ' ' << place << ' ' << from;
        ASSERT_EQ(scan::find_any_of(text, "xy", from), text.find_first_of("xy", from));
      }
      text[place] = '.';
    }
  }
}

// The answers of each SIMD kernel are in utf8_test.cpp; here, where the function says that there is none.
TEST(find, invalid_utf8) {
  EXPECT_EQ(scan::find_invalid_utf8({}), std::string_view::npos);
  EXPECT_EQ(scan::find_invalid_utf8("na\u00EFve \u20AC"), std::string_view::npos);
  EXPECT_EQ(scan::find_invalid_utf8("ab\xE2\x82"), 2U);  // cut short
  EXPECT_EQ(scan::find_invalid_utf8("\xFF"), 0U);
  EXPECT_EQ(scan::find_invalid_utf8("\u00E9\xED\xA0\x80 \xFF"), 2U);  // a surrogate
  const std::string text(5000, '.');
  EXPECT_EQ(scan::find_invalid_utf8(text), std::string_view::npos);
  EXPECT_EQ(scan::find_invalid_utf8(text + "\x80"), text.size());
}

}  // namespace
}  // namespace riffle::test
