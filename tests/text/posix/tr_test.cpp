/// Names are quoted as GNU's tools quote them, and random sets of bytes mean to riffle what they mean to GNU
/// tr.

#include <clocale>
#include <set>

#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"
#include "tests/text/bytes_of.hpp"
#include "text/shown.hpp"

namespace riffle::text {
namespace {

// The locale of the environment while the object lives.
class in_locale : test::not_copied {
 public:
  explicit in_locale(const char* name) { ::setenv("LC_ALL", name, 1); }
  ~in_locale() { ::setenv("LC_ALL", "C", 1); }
};

struct row {
  const char* name;
  const char* where_needed;
  const char* always;
};

TEST(quoted, names_as_words_of_a_shell_and_words_with_marks) {
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
  EXPECT_EQ(locale_quoted("auto"), "'auto'");
  EXPECT_EQ(locale_quoted("a'\n\\\xc3"), "'a\\'\\n\\\\\\303'");
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
  EXPECT_EQ(locale_quoted("x'y"), "\xe2\x80\x98x'y\xe2\x80\x99");
}

TEST(quoted, names_in_the_c_locale_if_the_locale_is_missing) {
  const in_locale missing("xx_XX.UTF-8");
  const bool found = std::setlocale(LC_CTYPE, "xx_XX.UTF-8") != nullptr;
  std::setlocale(LC_CTYPE, "C");
  if (found) GTEST_SKIP() << "to this C library, every name of a locale means UTF-8";
  EXPECT_EQ(shell_quoted("\xc3\xa9"), "''$'\\303\\251'");
  EXPECT_EQ(locale_quoted("a"), "'a'");
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
    script << "tr -dc -- " << shell_quoted(set, quotes::always) << " <all >" << sets.size() - 1 << " || rm "
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
    EXPECT_EQ(std::string(members.begin(), members.end()),
              test::contents_of(directory.path() / std::to_string(i)))
        << sets[i];
    ++compared;
  }
  EXPECT_GT(compared, sets.size() / 3);
}

}  // namespace
}  // namespace riffle::text
