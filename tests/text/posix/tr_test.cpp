/// Drawn sets of bytes mean to riffle what they mean to GNU tr.
#include <gtest/gtest.h>

#include <fstream>
#include <random>
#include <set>
#include <vector>

#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"
#include "tests/text/bytes_of.hpp"

namespace riffle::text {
namespace {

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
