/// One syntax for bytes: characters, ranges and escapes.
#include "text/bytes.hpp"

#include <gtest/gtest.h>

namespace riffle::text {
namespace {

std::string bytes_of(std::string_view text) {
  try {
    return parse_bytes(text);
  } catch (const usage_error& wrong) {
    return std::string("error: ") + wrong.what();
  }
}

struct row {
  std::string_view typed;
  std::string_view means;
};

TEST(bytes, are_characters_ranges_and_escapes) {
  using namespace std::literals;
  const row rows[] = {
      {"cCgG", "cCgG"},
      {"a-e", "abcde"},
      {"a-c0-2_", "abc012_"},
      {"a-a", "a"},
      {"-a", "-a"},
      {"a-", "a-"},
      {"-", "-"},
      {"--/", "-./"},
      {"a\\-c", "a-c"},
      {"\\n", "\n"},
      {"\\r\\n\\t", "\r\n\t"},
      {"\\0", "\0"sv},
      {"\\\\", "\\"},
      {"\\", "\\"},
      {"\\x41\\x7a", "Az"},
      {"\\x00-\\x02", "\0\1\2"sv},
      {"\\xFE-\\xff", "\xFE\xFF"},
      {"\xC3\xA9", "\xC3\xA9"},
      {"", "error: no byte; name at least one"},
      {"z-a", "error: reversed range; write the smaller byte first"},
      {"\\q", "error: unknown escape; write \\n \\r \\t \\0 \\- \\xHH, or \\\\ for a backslash"},
      {"a\\", "error: unknown escape; write \\n \\r \\t \\0 \\- \\xHH, or \\\\ for a backslash"},
      {"\\x4", "error: \\x needs two hexadecimal digits; write \\x0A"},
      {"\\x+4", "error: \\x needs two hexadecimal digits; write \\x0A"},
  };
  for (const row& each : rows) EXPECT_EQ(bytes_of(each.typed), each.means) << each.typed;
}

TEST(bytes, are_one_where_one_is_asked_for) {
  EXPECT_EQ(parse_byte("\\x0a"), '\n');
  EXPECT_EQ(parse_byte("-"), '-');
  EXPECT_THROW(parse_byte("ab"), usage_error);
  EXPECT_THROW(parse_byte("a-b"), usage_error);
  EXPECT_THROW(parse_byte("\xC3\xA9"), usage_error);
}

}  // namespace
}  // namespace riffle::text
