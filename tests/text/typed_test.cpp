/// What a user types: sets of bytes are those of GNU tr, a mistyped word leads to a name, and rounding is
/// right.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/text/bytes_of.hpp"
#include "text/typed.hpp"

namespace riffle::text {
namespace {

struct typed_bytes {
  std::string_view typed;
  std::string_view means;
};

TEST(bytes, of_a_text_are_characters_and_escapes_and_one_where_one_is_asked_for) {
  using namespace std::literals;
  EXPECT_EQ(parse_text("a-c[:digit:]\\n\\0\\xFF\\\\"), "a-c[:digit:]\n\0\xFF\\"sv);
  EXPECT_THROW(parse_text(""), usage_error);
  EXPECT_THROW(parse_text("\\q"), usage_error);
  EXPECT_EQ(parse_byte("\\x0a"), '\n');
  EXPECT_EQ(parse_byte("\\012"), '\n');
  EXPECT_EQ(parse_byte("-"), '-');
  for (const char* several : {"ab", "a-b", "\xC3\xA9", "[:digit:]", ""}) {
    EXPECT_THROW(parse_byte(several), usage_error) << several;
  }
}

TEST(bytes, are_characters_ranges_escapes_and_classes) {
  using namespace std::literals;
  const typed_bytes rows[] = {
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
  for (const typed_bytes& each : rows) EXPECT_EQ(bytes_of(each.typed), each.means) << each.typed;
  for (const char* itself : {"cCgG", "-a", "a-", "-", "\\", "a\\", "\xC3\xA9", "[a]", "[:]", "[=+", "[*]"})
    EXPECT_EQ(bytes_of(itself), itself);
}

TEST(bytes, that_describe_no_set_are_refused) {
  const typed_bytes rows[] = {
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
  for (const typed_bytes& each : rows)
    EXPECT_EQ(bytes_of(each.typed), "error: " + std::string(each.means)) << each.typed;
}

TEST(nearest, counts_what_makes_one_word_of_the_other) {
  struct row {
    const char* from;
    const char* to;
    std::size_t away;
  };
  for (const row& each : {row{"", "", 0},
                          {"wc", "wc", 0},
                          {"", "abc", 3},
                          {"wcc", "wc", 1},
                          {"lnes", "lines", 1},
                          {"liens", "lines", 1},
                          {"wrods", "words", 1},
                          {"kitten", "sitting", 3},
                          {"ca", "abc", 3},  // a swapped pair is not changed again
                          {"abcd", "badc", 2}}) {
    EXPECT_EQ(distance(each.from, each.to), each.away) << each.from << " " << each.to;
    EXPECT_EQ(distance(each.to, each.from), each.away) << each.to << " " << each.from;
  }
}

TEST(nearest, finds_the_name_that_a_word_means) {
  const std::vector<std::string> names{"wc", "count", "sum", "cat", "--lines", "--words", "--max-length"};
  struct row {
    const char* word;
    const char* name;
  };
  for (const row& each : {row{"wcc", "wc"},
                          {"cuont", "count"},
                          {"som", "sum"},
                          {"--lnes", "--lines"},
                          {"--max_lenght", "--max-length"},
                          {"cut", "cat"},
                          {"w", ""},
                          {"x", ""},
                          {"", ""},
                          {"foo", ""},
                          {"--foo", ""}})
    EXPECT_EQ(nearest(each.word, names), each.name) << each.word;
  EXPECT_EQ(nearest(std::string(100000, 'a'), names), "");
}

TEST(numbers, are_shown_short) {
  EXPECT_EQ(short_number(0), "0.00");
  EXPECT_EQ(short_number(0.0123), "0.012");
  EXPECT_EQ(short_number(0.4999), "0.50");
  EXPECT_EQ(short_number(9.996), "10.0");
  EXPECT_EQ(short_number(99.96), "100");
  EXPECT_EQ(with_commas(50847534), "50,847,534");
  EXPECT_EQ(with_commas(999), "999");
  EXPECT_EQ(human_size(1023), "1023 B");
  EXPECT_EQ(human_size(kib), "1.0 KiB");
  EXPECT_EQ(human_size(mib - 10), "1.0 MiB");
  EXPECT_EQ(short_size(1000), "1000");
  EXPECT_EQ(short_size(64 * kib), "64K");
  EXPECT_EQ(short_size(mib), "1M");
  EXPECT_EQ(human_seconds(7.891), "7.89 s");
  EXPECT_EQ(human_seconds(0.0456), "45.6 ms");
  EXPECT_EQ(human_seconds(123e-6), "123 us");
  EXPECT_EQ(human_seconds(5e-9), "5 ns");
}

std::string size_of(std::string_view typed) {
  try {
    return std::to_string(parse_size(typed, 1, gib));
  } catch (const usage_error& wrong) {
    return std::string("error: ") + wrong.what();
  }
}

TEST(sizes, are_decimal_with_units_of_1024) {
  struct row {
    std::vector<const char*> typed;
    const char* means;
  };
  for (const auto& [typed, means] : {
           row{{"512"}, "512"},
           {{"010"}, "10"},
           {{"4B"}, "4"},
           {{"64K", "64k", "64KB", "64Ki", "64KiB", "64kib"}, "65536"},
           {{"1 K"}, "1024"},
           {{"1MiB"}, "1048576"},
           {{"1G"}, "1073741824"},
           {{"0"}, "error: too small; use at least 1"},
           {{"1073741825", "8T", "8E", "16E", "99999999999999999999"}, "error: too large; use at most 1G"},
           {{"", "K", "-1", "+1", " 1", "0x10", "1.5K", "1e3", "1KK", "1Kb ", "1X"},
            "error: not a size; write digits and a unit, such as 512, 64K or 1MiB"},
       }) {
    for (const char* const each : typed) EXPECT_EQ(size_of(each), means) << each;
  }
}

TEST(numbers, are_typed_in_digits_alone_and_seconds_are_above_0) {
  EXPECT_EQ(parse_number("010", 0, 10), 10U);
  EXPECT_EQ(parse_number("18446744073709551615", 0, any_size), any_size);
  for (const char* wrong : {"", "-1", "+1", "1K", "0x1", "11", "18446744073709551616"})
    EXPECT_THROW(parse_number(wrong, 0, 10), usage_error) << wrong;
  EXPECT_EQ(parse_seconds("0.5"), 0.5);
  for (const char* wrong : {"", "0", "-1", "nan", "inf", "1s", "1e999"})
    EXPECT_THROW(parse_seconds(wrong), usage_error) << wrong;
}

}  // namespace
}  // namespace riffle::text
