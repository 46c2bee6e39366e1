/// One syntax for bytes, that of GNU tr: drawn sets mean to riffle what they mean to tr.
#include "text/bytes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <random>
#include <set>
#include <vector>

#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

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

TEST(bytes, are_characters_ranges_escapes_and_classes) {
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
      {"\\a\\b\\f\\n\\r\\t\\v", "\a\b\f\n\r\t\v"},
      {"\\0", "\0"sv},
      {"\\1018\\12\\377", "A8\n\xFF"},
      {"\\\\", "\\"},
      {"\\", "\\"},
      {"a\\", "a\\"},
      {"\\[\\.", "[."},
      {"\\x41\\x7a", "Az"},
      {"\\x00-\\x02", "\0\1\2"sv},
      {"\\xFE-\\xff", "\xFE\xFF"},
      {"\xC3\xA9", "\xC3\xA9"},
      {"[:digit:]", "0123456789"},
      {"x[:blank:]y", "x \ty"},
      {"[=a=][===]", "a="},
      {"[a]", "[a]"},
      {"[:]", "[:]"},
      {"[=+", "[=+"},
      {"\\[:digit:]", "[:digit:]"},
      {"[*]", "[*]"},
      {"[-]", "[\\]"},
  };
  for (const row& each : rows) EXPECT_EQ(bytes_of(each.typed), each.means) << each.typed;
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

// A piece of a SET that riffle and tr read the same.
std::string drawn_piece(std::mt19937& random) {
  constexpr const char* pieces[] = {
      "[:alnum:]", "[:alpha:]",   "[:blank:]",  "[:cntrl:]", "[:digit:]",  "[:graph:]", "[:lower:]",
      "[:print:]", "[:punct:]",   "[:space:]",  "[:upper:]", "[:xdigit:]", "[=a=]",     "[=]=]",
      "[=-=]",     "[:x:]",       "[==]",       "[",         "]",          ":",         "=",
      "-",         "-",           "-",          "*",         "a-z",        "0-9",       "\\-",
      "\\n",       "\\t",         "\\\\",       "\\[",       "\\]",        "\\:",       "\\=",
      "\\0",       "\\12",        "\\101",      "\\377",     "\\1018",     "\\\"",      "'",
      "\xC3\xA9",  "\\001-\\037", "\\200-\\377"};
  const auto draw = [&](std::size_t below) { return static_cast<std::size_t>(random()) % below; };
  switch (draw(4)) {
    case 0:
      return std::string(1, static_cast<char>(1 + draw(255)));
    case 1:
      return {static_cast<char>(' ' + draw(95)), '-', static_cast<char>(' ' + draw(95))};
    default:
      return pieces[draw(std::size(pieces))];
  }
}

std::string quoted_for_shell(const std::string& word) {
  std::string text = "'";
  for (const char each : word) text += each == '\'' ? std::string("'\\''") : std::string(1, each);
  return text + "'";
}

std::string contents(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(bytes, are_those_of_tr) {
  if (test::shell("tr --version").out.find("GNU coreutils") == std::string::npos) {
    GTEST_SKIP() << "the system's tr is not GNU's";
  }
  const test::temporary_directory directory;
  std::mt19937 random(15);
  std::vector<std::string> sets;
  std::ofstream script(directory.path() / "script");
  std::ofstream all(directory.path() / "all", std::ios::binary);
  for (unsigned byte = 0; byte < 256; ++byte) all << static_cast<char>(byte);
  all.close();
  while (sets.size() < 400) {
    std::string set;
    for (std::size_t left = 1 + random() % 5; left != 0; --left) set += drawn_piece(random);
    sets.push_back(set);
    script << "tr -dc -- " << quoted_for_shell(set) << " <all >" << sets.size() - 1 << " || rm "
           << sets.size() - 1 << "\n";
  }
  script.close();
  test::shell("cd " + directory.path().string() + " && bash script");
  std::size_t compared = 0;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const bool accepted = std::filesystem::exists(directory.path() / std::to_string(i));
    const std::string bytes = bytes_of(sets[i]);
    if (!accepted) {
      EXPECT_TRUE(bytes.starts_with("error: ")) << sets[i];
      continue;
    }
    // What riffle refuses besides.
    if (bytes.find("unknown escape") != std::string::npos || bytes.find("repeats") != std::string::npos)
      continue;
    const std::set<unsigned char> members(bytes.begin(), bytes.end());
    EXPECT_EQ(std::string(members.begin(), members.end()), contents(directory.path() / std::to_string(i)))
        << sets[i];
    ++compared;
  }
  EXPECT_GT(compared, sets.size() / 3);
}

}  // namespace
}  // namespace riffle::text
