/// `riffle split` makes the files of GNU split, keeps rows of CSV whole, and repeats headers.
#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cli/split/split.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

using cli::line_cutter;
using cli::split_arguments;
using cli::suffix_length_for;
using cli::suffix_of;
using testing::_;
using testing::HasSubstr;

// Makes the files of an input by both programs, and prints how they differ.
const std::string beside_gnu =
    "same() { mkdir -p g r && (cd g && eval \"split $2\") && (cd r && eval \"$riffle split $1\") && diff -r "
    "g r; }";

struct gnu_input {
  const char* made;
  const char* by_lines;  // more than one of them, and fewer than 676
  const char* by_size;
  const char* number;  // by which the size can be divided, as version 9.1 has other parts
};

void expect_gnu_files(const gnu_input& each) {
  const std::string setting = beside_gnu + "; " + each.made + " > in; gzip -k in";
  const std::string by_file = std::string("; for n in ") + each.by_lines +
                              "; do same \"--lines $n $1\" \"-l $n $2\"; done; for n in " + each.by_size +
                              "; do same \"--line-bytes $n $1\" \"-C $n $2\"; done";
  const std::string all =
      by_file + "; for n in " + each.number + "; do same \"--number $n $1\" \"-n l/$n $2\"; done";
  expect_rows(
      {{"set -- ../in ../in" + all},
       {"set -- '- p < ../in' '- p < ../in'" + all},
       {"set -- '< <(cat ../in)' '- < ../in'" + by_file},
       {"set -- '-z ../in.gz' ../in" + by_file},
       {"set -- '--threads 3 ../in' ../in" + all},
       {"set -- '--method read --block-size 4096 -a 3 ../in' '-a 3 ../in'" + by_file},
       {"set -- '--numeric-suffixes --additional-suffix .txt ../in y' '-d --additional-suffix=.txt ../in y'" +
        all}},
      setting);
}

TEST(riffle_split, makes_the_files_of_gnu_split) {
  if (shell("split --version | grep -q GNU").status != 0) GTEST_SKIP() << "there is no GNU split";
  const std::vector<gnu_input> inputs{
      {"seq 1000", "17 999 1000 1001", "80 1000 3892 3893 3894", "1 17"},
      {"printf 'a\\nbc\\n\\nd'", "1 2 3 4", "1 2 3 4 5 7", "1 7"},
      {"printf '\\n\\n\\n'", "1 2", "1 2 3", "1 3"},
      {"printf abc", "1 2", "1 2 3 4", "1 3"},
      {"true", "1", "1", "1 3"},
      {"seq 300 | sed 's/$/\\r/'", "7 100", "50 100", "1 2"},
      {"printf '%0300000d\\n' 1 2 3", "1 2", "65536 300000 300001 400000", "3 13"},
      {"seq 1000 | tr '\\n' ' '", "1", "70 1000", "1 17"}};
  for (const gnu_input& each : inputs) expect_gnu_files(each);
  expect_rows(
      {{"tr '\\n' '\\0' < in > z; same \"--delimiter '\\\\0' --lines 3 ../z\" \"-t '\\\\0' -l 3 ../z\""},
       {"same '--delimiter 5 --lines 3 ../in' '-t 5 -l 3 ../in'"},
       {"same '../in' '../in'"},
       {"seq 1000 > in; same '-l 1 ../in' '-l 1 ../in'"},
       {"same '-d -l 2 ../in' '-d -l 2 ../in'"}},
      beside_gnu + "; seq 2100 > in");
}

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

// 40 MiB, so that threads help, and one part that is too large for them.
TEST(riffle_split, makes_the_same_files_by_any_number_of_threads) {
  expect_rows({{"for n in 1 2 8 20 0; do for by in '--lines 500000' '--line-bytes 9M' '--number 5' '--lines "
                "500000 --csv' '--lines 99999 --header'; do $riffle split $by --threads $n in; md5sum x* | "
                "md5sum; rm x*; done; done | sort | uniq -c | awk '{print $1}' | sort -n",
                "5\n5\n5\n10\n"},
               {"$riffle split --lines 500000 in && cat x* | cmp - in && ls x* | wc -l", "11\n"},
               {"{ read -r; $riffle split --lines 500000; } < in && cat x* | cmp - <(tail -n +2 in)"}},
              "seq 5300000 > in");
  expect_rows(
      {{"truncate -s 300M in; echo >> in; seq 2000000 >> in; $riffle split --threads 2 --lines 1000001 in && "
        "cat x* | cmp - in && ls x*",
        "xaa\nxab\n"}});
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

TEST(riffle_split, repeats_the_header_in_each_file) {
  const std::string show = "; for f in x*; do printf \"$f: \"; tr '\\n' ' ' < $f; done";
  expect_rows(
      {{"$riffle split --header --lines 2 in" + show, "xaa: h1 1 2 xab: h1 3 4 xac: h1 5 "},
       {"$riffle split --header --lines 2 < in" + show, "xaa: h1 1 2 xab: h1 3 4 xac: h1 5 "},
       {"cat in | $riffle split --header --lines 5 --method read --block-size 1" + show,
        "xaa: h1 1 2 3 4 5 "},
       {"$riffle split --header --line-bytes 7 in" + show, "xaa: h1 1 2 xab: h1 3 4 xac: h1 5 "},
       {"$riffle split --header --line-bytes 4 in" + show,
        "xaa: h1 1xab: h1  xac: h1 2xad: h1  xae: h1 3xaf: h1  xag: h1 4xah: h1  xai: h1 5xaj: h1  "},
       {"$riffle split --header --line-bytes 3 in; ls x*", "",
        HasSubstr("cannot split 'in' at byte 0: the header alone has 3 bytes; use a larger --line-bytes\n"),
        2},
       {"$riffle split --header --number 2 in" + show, "xaa: h1 1 2 3 xab: h1 4 5 "},
       {"$riffle split --header --number 7 in; ls | wc -l; cat xag", "12\nh1\n"},
       {"printf 'h1\\n' | $riffle split --header" + show, "xaa: h1 "},
       {"printf h1 | $riffle split --header" + show, "xaa: h1"},
       {"$riffle split --header e; ls x*", "", _, 2},
       {"$riffle split --csv --header --lines 2 in" + show, "xaa: h1 1 2 xab: h1 3 4 xac: h1 5 "},
       {"$riffle split --csv --header --line-bytes 7 in" + show, "xaa: h1 1 2 xab: h1 3 4 xac: h1 5 "},
       {"printf h1 | $riffle split --header --csv" + show, "xaa: h1"},
       {"$riffle split --csv --header --number 2 in" + show, "xaa: h1 1 2 3 xab: h1 4 5 "}},
      "(echo h1; seq 5) > in");
}

TEST(riffle_split, keeps_rows_of_csv_whole) {
  const std::string show = "; for f in x*; do printf \"[$f]\"; cat $f; done";
  const std::string all = " && cat x* | cmp - in";
  expect_rows(
      {{"$riffle split --csv --lines 1 in" + show,
        "[xaa]\n1,\"a\nb\"\n[xab]2,\"\"\"\n\"\"\"\r\n\r\n[xac]3,c\"\n[xad]4,d"},
       {"$riffle split --csv --lines 2 < <(cat in) && ls x* | wc -l" + all, "2\n"},
       {"$riffle split --csv --lines 2 --header in && head -n 2 xab && ls x* | wc -l && head -c 2 xaa && "
        "$riffle split --csv --header -l 9 --dry-run in",
        "1,\"a\nb\"\n2\n1,9\t21\t3\txaa\n"},
       {"printf '\\n\\r\\n' > in; $riffle split --csv --header in" + all},
       {"for n in $(seq 13 40); do rm -f x*; $riffle split --csv --line-bytes $n in" + all +
        " && [ $(stat -c %s x* | sort -n | tail -n 1) -le $n ]; done"},
       {"for n in $(seq 40); do rm -f x*; $riffle split --csv --number $n in" + all +
        " && ls x* | wc -l; done | diff - <(seq 40)"},
       {"for n in $(seq 20); do rm -f x*; $riffle split --csv --lines 1 --method read --block-size $n in" +
            all + " && ls x* | wc -l; done | uniq",
        "4\n"},
       {"$riffle split --csv --line-bytes 9 in; ls x* | wc -l", "1\n",
        HasSubstr(
            "cannot split 'in' at byte 9: a file with this row has 11 bytes; use a larger --line-bytes\n")},
       {"printf '\\xEF\\xBB\\xBF\"a\\n\",b\\nc,d\\n' > in; for n in 1 2 9 40; do rm -f x*; $riffle split "
        "--csv -l 1 --method read --block-size $n in" +
            all +
            " && ls x* | wc -l; done | uniq; $riffle split --csv --header -l 1 in && cat xaa | cmp - in",
        "2\n"},
       {"printf \"a;'b\\n';c\\nd\" > in; $riffle split --csv --quote \"'\" --separator ';' -l 1 in && ls x* "
        "| wc -l" +
            all,
        "2\n"},
       {"printf '1\\n\"2\\n3' > in; $riffle split --csv -l 1 in; cat x*", "1\n",
        HasSubstr("cannot read 'in' at byte 2: malformed quoting")},
       {"$riffle split --csv --dry-run -l 3 in; ls x*", "0\t27\t3\txaa\n27\t3\t1\txab\n", _, 2},
       {"$riffle split --csv --dry-run --json -l 3 in | tail -n 1",
        "{\"file\":\"xab\",\"offset\":27,\"bytes\":3,\"rows\":1}\n"},
       {"gzip -k in; $riffle split -z --csv --lines 2 in.gz && ls x* | wc -l" + all, "2\n"},
       {"$riffle split --csv < e; ls x*", "", _, 2}},
      "printf '\\n1,\"a\\nb\"\\n2,\"\"\"\\n\"\"\"\\r\\n\\r\\n3,c\"\\n4,d' > in");
}

TEST(riffle_split, tells_what_it_would_write) {
  expect_rows(
      {{"$riffle split --dry-run --lines 4 in; ls x*", "0\t8\t4\txaa\n8\t8\t4\txab\n16\t5\t2\txac\n", _, 2},
       {"printf 'a\\nb' | $riffle split --dry-run --json -l 1 - 'p\"' --additional-suffix .csv",
        "{\"file\":\"p\\\"aa.csv\",\"offset\":0,\"bytes\":2,\"lines\":1}\n"
        "{\"file\":\"p\\\"ab.csv\",\"offset\":2,\"bytes\":1,\"lines\":1}\n"},
       {"$riffle split --dry-run --number 3 in", "0\t8\t4\txaa\n8\t6\t3\txab\n14\t7\t3\txac\n"},
       {"$riffle split --dry-run --number 3 e", "0\t0\t0\txaa\n0\t0\t0\txab\n0\t0\t0\txac\n"},
       {"$riffle split --dry-run --header -l 6 in", "2\t12\t6\txaa\n14\t7\t3\txab\n"},
       {"{ read -r; $riffle split --dry-run -l 6; } < in", "2\t12\t6\txaa\n14\t7\t3\txab\n"},
       {"$riffle split --dry-run e"},
       {"$riffle split --dry-run in > /dev/full", "", HasSubstr("No space left on device"), 1}},
      "seq 10 > in");
}

}  // namespace
}  // namespace riffle::test
