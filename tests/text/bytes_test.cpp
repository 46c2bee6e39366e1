/// One syntax for bytes, that of GNU tr.
#include "text/bytes.hpp"

#include <gtest/gtest.h>

#include "tests/text/bytes_of.hpp"

namespace riffle::text {
namespace {

struct row {
  std::string_view typed;
  std::string_view means;
};

TEST(bytes, of_a_text_are_characters_and_escapes) {
  using namespace std::literals;
  EXPECT_EQ(parse_text("a-c[:digit:]\\n\\0\\xFF\\\\"), "a-c[:digit:]\n\0\xFF\\"sv);
  EXPECT_THROW(parse_text(""), usage_error);
  EXPECT_THROW(parse_text("\\q"), usage_error);
}

TEST(bytes, are_characters_ranges_escapes_and_classes) {
  using namespace std::literals;
  const row rows[] = {
      {"a-e", "abcde"},
      {"a-c0-2_", "abc012_"},
      {"a-a", "a"},
      {"--/", "-./"},
      {"a\\-c", "a-c"},
      {"\\a\\b\\f\\n\\r\\t\\v", "\a\b\f\n\r\t\v"},
      {"\\0", "\0"sv},
      {"\\1018\\12\\377", "A8\n\xFF"},
      {"\\\\", "\\"},
      {"\\[\\.", "[."},
      {"\\x41\\x7a", "Az"},
      {"\\x00-\\x02", "\0\1\2"sv},
      {"\\xFE-\\xff", "\xFE\xFF"},
      {"[:digit:]", "0123456789"},
      {"x[:blank:]y", "x \ty"},
      {"[=a=][===]", "a="},
      {"\\[:digit:]", "[:digit:]"},
      {"[-]", "[\\]"},
  };
  for (const row& each : rows) EXPECT_EQ(bytes_of(each.typed), each.means) << each.typed;
  for (const char* itself : {"cCgG", "-a", "a-", "-", "\\", "a\\", "\xC3\xA9", "[a]", "[:]", "[=+", "[*]"})
    EXPECT_EQ(bytes_of(itself), itself);
}

TEST(bytes, that_describe_no_set_are_refused) {
  const row rows[] = {
      {"", "no byte; name at least one"},
      {"z-a", "reversed range; write the smaller byte first"},
      {"a-[:digit:]", "reversed range; write the smaller byte first"},
      {"\\q", "unknown escape; write \\a \\b \\f \\n \\r \\t \\v \\NNN \\xHH, or \\\\ for a backslash"},
      {"\\8", "unknown escape; write \\a \\b \\f \\n \\r \\t \\v \\NNN \\xHH, or \\\\ for a backslash"},
      {"\\400", "an octal escape is at most \\377"},
      {"\\x4", "\\x needs two hexadecimal digits; write \\x0A"},
      {"\\x+4", "\\x needs two hexadecimal digits; write \\x0A"},
      {"[:alhpa:]",
       "unknown class 'alhpa'; use one of alnum, alpha, blank, cntrl, digit, graph, lower, print, punct, "
       "space, upper, xdigit"},
      {"a[:alpha]", "unclosed class; write [:alpha:]"},
      {"[:digit", "unclosed class; write [:digit:]"},
      {"[=ab=]", "[=c=] holds one character; write [=a=]"},
      {"[==]", "[=c=] holds one character; write [=a=]"},
      {"[a*]", "a set has no repeats such as [c*n]; write c, or \\[ for a bracket"},
      {"x[a*30]", "a set has no repeats such as [c*n]; write c, or \\[ for a bracket"},
  };
  for (const row& each : rows)
    EXPECT_EQ(bytes_of(each.typed), "error: " + std::string(each.means)) << each.typed;
}

TEST(bytes, are_one_where_one_is_asked_for) {
  EXPECT_EQ(parse_byte("\\x0a"), '\n');
  EXPECT_EQ(parse_byte("\\012"), '\n');
  EXPECT_EQ(parse_byte("-"), '-');
  for (const char* several : {"ab", "a-b", "\xC3\xA9", "[:digit:]", ""}) {
    EXPECT_THROW(parse_byte(several), usage_error) << several;
  }
}

}  // namespace
}  // namespace riffle::text
