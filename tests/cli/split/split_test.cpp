/// `riffle split` cuts a text as plain loops do, and counts files by letters.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "cli/split/split.hpp"

namespace riffle::test {
namespace {

using cli::line_cutter;
using cli::split_arguments;
using cli::suffix_length_for;
using cli::suffix_of;

std::string cut(const split_arguments& given, std::string_view text, std::size_t step) {
  line_cutter cutter(given, 0, 7, text.size());
  std::string files;
  std::size_t begin = 0;
  for (std::size_t end = std::min(step, text.size()); begin < text.size();
       end = std::min(end + step, text.size())) {
    while (begin < end) {
      const line_cutter::taken next = cutter.take(text.substr(begin, end - begin), end == text.size());
      files += text.substr(begin, next.size);
      begin += next.size;
      if (next.file_ends) files += '|';
      if (next.size == 0 && !next.file_ends) break;
    }
  }
  return files;
}

// The part that has the first byte of a line has the line. The first parts have one byte more.
std::string cut_evenly(std::string_view text, std::uint64_t number) {
  std::string files;
  std::uint64_t part = 0;
  std::uint64_t end = text.size() / number + (text.size() % number != 0 ? 1 : 0);
  for (std::size_t i = 0; i != text.size(); ++i) {
    for (bool starts = i == 0 || text[i - 1] == '\n'; starts && i >= end && part + 1 != number;
         files += '|') {
      ++part;
      end += text.size() / number + (part < text.size() % number ? 1 : 0);
    }
    files += text[i];
  }
  return files;
}

TEST(riffle_split, cuts_the_same_in_pieces_of_any_size) {
  for (const char* const made :
       {"a\nbc\n\ndefghi\nj\n\n\nkl", "abcdefghijkl", "\n\n\n\n\n", "abc\n", "a\nb\nc\nd\n"}) {
    const std::string_view text = made;
    for (std::uint64_t n = 1; n != 25; ++n) {
      split_arguments lines;
      lines.lines = n;
      split_arguments size;
      size.lines = 0;
      size.line_bytes = n;
      split_arguments number;
      number.lines = 0;
      number.number = n;
      for (std::size_t step = 1; step != text.size() + 2; ++step) {
        EXPECT_EQ(cut(lines, text, step), cut(lines, text, text.size()));
        EXPECT_EQ(cut(size, text, step), cut(size, text, text.size())) << n << " by " << step;
        const std::string expected = cut_evenly(text, n);
        std::string found = cut(number, text, step);
        while (!found.empty() && found.back() == '|') found.pop_back();  // before files without a line
        EXPECT_EQ(found, expected) << n << " by " << step;
      }
    }
  }
}

TEST(riffle_split, counts_files_by_letters_as_gnu_split) {
  struct row {
    std::uint64_t index;
    std::size_t length;
    bool numeric;
    const char* suffix;
  };
  for (const row& each :
       {row{0, 0, false, "aa"}, row{649, 0, false, "yz"}, row{650, 0, false, "zaaa"},
        row{17549, 0, false, "zyzz"}, row{17550, 0, false, "zzaaaa"}, row{89, 0, true, "89"},
        row{90, 0, true, "9000"}, row{989, 0, true, "9899"}, row{990, 0, true, "990000"},
        row{675, 2, false, "zz"}, row{676, 2, false, ""}, row{26, 1, false, ""}, row{676, 3, false, "baa"},
        row{99, 2, true, "99"}, row{100, 2, true, ""}}) {
    EXPECT_EQ(suffix_of(each.index, each.length, each.numeric), each.suffix) << each.index;
  }
  for (const auto& [files, length] : {std::pair{1, 2}, {676, 2}, {677, 3}, {17576, 3}, {17577, 4}}) {
    EXPECT_EQ(suffix_length_for(static_cast<std::uint64_t>(files), false), static_cast<std::size_t>(length));
  }
}

}  // namespace
}  // namespace riffle::test
