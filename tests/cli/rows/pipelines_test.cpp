/// Columns are cut and lines chosen as pipelines of grep, sed, cut and awk do; --ragged, --null, --trim and
/// --bad-rows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

const std::string make =
    R"(printf 'a, b\n1,2\n2,NA\n3,4,5\n4\n5, 6 \n6,\n7,"NA"\n' > f; printf 'a,c\n1,1\n' > g;)";

TEST(bad_rows, end_the_reading_or_are_skipped) {
  const std::string skipped = "riffle: cannot read all rows of 'f': skipped ";
  expect_rows(
      {
          {"$riffle sum --column ' b' f", "",
           EndsWith("' b' of row 2 is no number: 'NA'; --null NA leaves such cells out\n"), 1},
          {"$riffle sum --column b --trim --null NA f", "",
           HasSubstr("row 4 has 1 field, and no column 'b'; --bad-rows skip leaves such rows out"), 1},
          {"$riffle sum --column b --trim --null NA --ragged pad f", "",
           EndsWith("column 'b' of row 4 is no number: ''; --null '' leaves such cells out\n"), 1},
          {"$riffle sum --column b --trim --null NA --null '' --ragged pad --stats f",
           "count\tmin\tmax\tsum\tmean\tnull\n3\t2\t6\t12\t4\t4\n"},
          {"$riffle sum --column b --trim --null NA --stats --json --bad-rows skip f",
           "{\"file\":\"f\",\"count\":3,\"min\":2,\"max\":6,\"sum\":12,\"mean\":4,\"null\":2}\n",
           skipped + "2 rows: 1 without the field, 1 with a bad value (rows 4, 6)\n", 1},
          {"$riffle sum --column 2 --type u8 --skip-rows 1 --bad-rows skip --ragged fail f", "2\n",
           skipped + "6 rows: 2 with the wrong number of fields, 4 with a bad value (the first are rows 2, "
                     "3, 4, 5, 6)\n",
           1},
          {"printf '300\\n1\\n' | $riffle sum --column 1 --type u8 --bad-rows skip", "1\n",
           "riffle: cannot read all rows of 'standard input': skipped 1 row: 1 with a value out of range "
           "(row 1)\n",
           1},
          {"$riffle count --rows --ragged fail f", "0\n",
           "riffle: cannot read 'f' at byte 14: row 4 has 3 fields, the first row 2\n", 1},
          {"$riffle count --rows --header --ragged fail --bad-rows skip f g", "5 f\n1 g\n6 total\n",
           skipped + "2 rows: 2 with the wrong number of fields (rows 3, 4)\n", 1},
          {"$riffle cat --columns 1- --header --trim --ragged pad f",
           "a,b\n1,2\n2,NA\n3,4,5\n4,\n5,6\n6,\n7,\"NA\"\n"},
          {"$riffle cat --columns 2 --header --ragged fail --bad-rows skip f", " b\n2\nNA\n 6 \n\n\"NA\"\n",
           skipped + "2 rows: 2 with the wrong number of fields (rows 3, 4)\n", 1},
          {"$riffle cat --columns a --ragged fail --bad-rows skip --range 2:3 --number f",
           "a\n     2\t2\n     3\t5\n", skipped + "2 rows: 2 with the wrong number of fields (rows 3, 4)\n",
           1},
          {"printf ' a , \"M\" \\n\"q \"\"x\"\"\" ,\\t\\n' | $riffle cat --columns 1- --trim",
           "a,\"\"\"M\"\"\"\n\"q \"\"x\"\"\" ,\n"},
          {"printf 'x; a,b \\n' | $riffle cat --columns 1- --trim --separator ';' --to-separator ,",
           "x,\"a,b\"\n"},
          {"printf '1\\n\"2' | $riffle sum --column 1 --bad-rows skip", "",
           HasSubstr("a quote is not closed"), 1},
          {"$riffle count --rows --bad-rows skip f", "", HasSubstr("add --ragged fail"), 2},
          {"$riffle cat --columns 1 --bad-rows skip --ragged pad f", "", HasSubstr("add --ragged fail"), 2},
          {"$riffle sum --column 1 --ragged all f", "", HasSubstr("--ragged"), 2},
          {"$riffle sum --column 1 --bad-rows all f", "", HasSubstr("--bad-rows"), 2},
      },
      make + " true");
}

TEST(bad_rows, are_not_columns_of_another_name) {
  const std::string other =
      "riffle: cannot sum 'g': its column 2 is 'c', and that of 'f' is 'b'; name the column in --column, or "
      "use --any-header\n";
  const std::string sum =
      "$riffle sum --header --trim --bad-rows skip --ragged fail --null NA --null '' --column ";
  const auto says = [](const std::string& text) { return HasSubstr(text); };
  expect_rows(
      {
          {sum + "2 f g", "8 f\n8 total\n", says(other), 1},
          {sum + "2 e f g e", "0 e\n8 f\n0 e\n8 total\n", says(other), 1},
          {sum + "2 f g --any-header", "8 f\n1 g\n9 total\n", testing::Not(says("column 2")), 1},
          {sum + "1 g f", "1 g\n21 f\n22 total\n", testing::Not(says("column 1")), 1},
          {"$riffle sum --column 2 g g --skip-rows 1", "1 g\n1 g\n2 total\n"},
          {sum + "3 g f", "0 g\n0 f\n0 total\n", HasSubstr("without the field"), 1},
      },
      make + " true");
}

// Several parts, so that threads share the file; rows in quotes reach over their ends.
TEST(bad_rows, are_the_same_for_every_thread_and_block_size) {
  std::string text = "n,text\n";
  std::uint64_t sum = 0;
  std::uint64_t bad = 0;
  std::uint64_t nulls = 0;
  for (std::uint64_t i = 1; i <= 150'000; ++i) {
    const bool is_short = i % 9973 == 0;
    const bool is_word = i % 7001 == 0;
    const bool is_null = i % 5003 == 0 && !is_short && !is_word;
    text += (is_word ? "x" : is_null ? "NA" : std::to_string(i)) + (is_short ? "\n" : ",\"a,\n\"\n");
    bad += is_short || is_word ? 1 : 0;
    nulls += is_null ? 1 : 0;
    if (!is_short && !is_word && !is_null) sum += i;
  }
  const temporary_file file(text);
  const std::string path = file.path().string();
  const std::string report = "riffle: cannot read all rows of '" + path + "': skipped ";
  const std::string numbers = "(the first are rows 7001, 9973, 14002, 19946, 21003)\n";
  const std::string good = std::to_string(150'000 - bad - nulls);
  for (const char* how : {"--threads 1", "--threads 2", "--threads 5", "--threads 1 --block-size 5000",
                          "--threads 3 --method read --block-size 4K"}) {
    const std::string with = std::string(how) + " --ragged fail --bad-rows skip " + path;
    expect_rows({
        {"$riffle sum --column n --null NA --type u64 --stats " + with + " | cut -f1,4,6",
         "count\tsum\tnull\n" + good + "\t" + std::to_string(sum) + "\t" + std::to_string(nulls) + "\n",
         report + std::to_string(bad) + " rows: 15 with the wrong number of fields, 21 with a bad value " +
             numbers,
         1},
        {"$riffle count --rows --header " + with, "149985\n",
         report + "15 rows: 15 with the wrong number of fields (the first are rows 9973, 19946, 29919, "
                  "39892, 49865)\n",
         1},
        {"$riffle cat --columns n " + with + " | wc -l", "149986\n", HasSubstr("skipped 15 rows: "), 1},
    });
  }
}

using testing::_;

struct pipeline {
  std::string others;
  std::string riffle;
};

void expect_same(const std::vector<pipeline>& all, const std::string& setting) {
  std::vector<command_row> rows;
  for (const pipeline& each : all) {
    rows.push_back({"cmp <(" + each.others + ") <($riffle " + each.riffle + ")"});
  }
  expect_rows(rows, setting);
}

const temporary_file& random_lines() {
  static const temporary_file file(random_text(300'000, 4, "aaabcd \n") + "b\nlast b");
  return file;
}

TEST(pipelines, count_per_line_in_chosen_lines_and_choose_rows_before_columns) {
  const std::string name = " " + random_lines().path().string();
  expect_same(
      {{"grep '^b'" + name +
            " | awk -F a '{++n[NF - 1]} END {for (i = 0; i < 500; ++i) if (n[i]) print i \"\\t\" n[i]}' | "
            "sed 's/^-1/0/'",
        "count --byte a --per-line --starting-with b" + name},
       {"grep -v '^b'" + name + " | $riffle count --per-line --occurrences ab",
        "count --occurrences ab --per-line --starting-with b -v" + name}},
      "true");
  expect_rows({{"$riffle cat --columns b --containing x f", "b\nx\nyx\n"},
               {"$riffle cat --columns b --containing x -n f", "b\n     1\tx\n     4\tyx\n"},
               {"$riffle cat --columns b --containing x -v --head 1 f", "b\ny\n"},
               {"$riffle cat --columns b --every 2~2 f f", "b\ny\nyx\ny\nyx\n"},
               {"$riffle cat --columns b --tail 1 -n f f", "b\n     4\tyx\n     4\tyx\n"},
               {"$riffle count --rows --header --containing x f", "2\n"},
               {"gzip -k f; $riffle cat --columns b --starting-with 3 f.gz", "b\n\"p\nq\"\n"}},
              "printf 'a,b\\n1,x\\n2,y\\n3,\"p\\nq\"\\n4,yx\\n' > f");
}

TEST(pipelines, take_fields_between_white_space_as_awk_does) {
  const temporary_file file(random_text(100'000, 4, "aab1   \t\n") + " end ");
  const std::string name = " " + file.path().string();
  expect_same(
      {{"awk 'NF {print $1}'" + name, "cat --whitespace --columns 1" + name},
       {"awk 'NF {print $2, $1}'" + name, "cat --whitespace --columns 2,1" + name},
       {"awk 'NF {print $2, $1}'" + name,
        "cat --whitespace --columns 2,1 --threads 2 --block-size 5000" + name},
       {"awk 'NF {$1 = $1; print}'" + name, "cat --whitespace --columns 1-" + name},
       {"awk 'NF {print $3 \",\" $1}'" + name, "cat --whitespace --columns 3,1 --to-separator ," + name},
       {"awk NF" + name, "cat --whitespace" + name + " --any-header"},
       {"awk 'NF {print $NF}'" + name + " | wc -l", "count --rows --whitespace" + name},
       {"awk 'NF {print NF}'" + name + " | sort -n | tail -n 1 | xargs -I{} echo 1",
        "count --rows --whitespace --ragged fail --bad-rows skip" + name + " 2> /dev/null | wc -l"},
       {"awk 'NF && /ab/ {print $2}'" + name, "cat --whitespace --columns 2 --containing ab" + name},
       {"awk 'NF {print $2}'" + name + " | tail -n 3", "cat --whitespace --columns 2 --tail 3" + name}},
      "true");
  expect_rows(
      {{"printf ' 1  a\\n22\\tb\\n\\n \\t\\n333 c \\r\\n' | $riffle sum --whitespace --column 1", "356\n"},
       {"printf '  n  v\\n  a  1\\n  b 20\\n' | $riffle sum --whitespace --column v", "21\n"},
       {"printf '  n  v\\n  a  1\\n  b\\n' | $riffle cat --whitespace --columns v,n --ragged pad",
        "v n\n1 a\n b\n"},
       {"printf 'a  b\\nc\\n' | $riffle cat --whitespace --columns 1,2 --ragged fail", "a b\n",
        "riffle: cannot read 'standard input' at byte 5: row 2 has 1 field, the first row 2\n", 1},
       {"printf 'a  1\\n' | $riffle sum --plain --separator ' ' --column 2", "",
        testing::HasSubstr(
            "; the row has empty fields; if runs of blanks separate its fields, use --whitespace"),
        1},
       {"printf 'a  1\\n' | $riffle sum --column 2", "", testing::HasSubstr("use --whitespace"), 1},
       {"$riffle cat --whitespace --separator , --columns 1 e", _,
        testing::HasSubstr(
            "fields between white space have no separator and no quotes; leave out --whitespace"),
        2},
       {"$riffle cat --whitespace --delimiter ' ' --columns 1 e", _,
        testing::HasSubstr("the delimiter is white space"), 2}});
}

TEST(pipelines, take_columns_as_cut_does) {
  const std::string setting = "printf 'a:b:c\\nd:e:f\\n:g:\\n' > f; tr : '\\t' < f > t";
  expect_same({{"cut -f 2 t", "cat -f 2 t"},
               {"cut -d : -f 1,3 f", "cat -d : -f 1,3 f"},
               {"cut -d: -f2- f", "cat -d: -f2- f"},
               {"cut -d : -f 2 --complement f", "cat -d : -f 2 --complement f"},
               {"cut -d : -f 1,3 --complement f", "cat -d : -f 3,1 --complement f"},
               {"cut -d : -f 2- --complement f", "cat --separator : --plain --columns 2- --complement f"},
               {"cut -d : -f 1 --complement --output-delimiter , f",
                "cat -d : -f 1 --complement --to-separator , f"}},
              setting);
  expect_rows({{"printf 'a,b,c\\n1,2,3\\n' | $riffle cat --columns b --complement", "a,c\n1,3\n"},
               {"printf 'a,b,c\\n1,2,3\\n' | $riffle cat --columns 1- --complement", "\n\n"},
               {"$riffle cat --complement e", _,
                "riffle: option '--complement' needs '--columns' (see riffle cat --help)\n", 2},
               {"$riffle cat --separator , e", _,
                "riffle: option '--separator' needs '--columns' (see riffle cat --help)\n", 2}},
              setting);
}

TEST(pipelines, merge_files_below_one_header) {
  const std::string setting =
      "printf 'a,b\\n1,\"x\\ny\"\\n' > 1; printf '\\357\\273\\277a,b\\r\\n\\n2,\"a,b\"\\r\\n3' > 2; printf "
      "'b,a\\n4,5\\n' > 3";
  expect_rows({{"$riffle cat --csv 1 2", "a,b\n1,\"x\ny\"\n2,\"a,b\"\n3\n"},
               {"$riffle cat --csv --threads 2 1 2", "a,b\n1,\"x\ny\"\n2,\"a,b\"\n3\n"},
               {"$riffle cat --csv --starting-with 2 1 2", "a,b\n2,\"a,b\"\n"},
               {"$riffle cat --csv --number 1 2", "a,b\n     1\t1,\"x\ny\"\n     2\t2,\"a,b\"\n     3\t3\n"},
               {"$riffle cat --csv 1 3", "a,b\n1,\"x\ny\"\n",
                "riffle: cannot copy '3': its column 1 is 'b', and that of '1' is 'a'; name the columns in "
                "--columns, or use --any-header\n",
                1},
               {"$riffle cat --csv --any-header 1 3", "a,b\n1,\"x\ny\"\n4,5\n"},
               {"$riffle cat --csv e 1 e", "a,b\n1,\"x\ny\"\n"}},
              setting);
  expect_same({{"awk 'NR == 1 || FNR > 1' x y", "cat --tsv x y"}}, "seq 3000 > x; (echo 1; seq 9 3000) > y");
}

TEST(pipelines, sum_several_columns_in_one_pass) {
  expect_rows(
      {{"$riffle sum --columns b,3 f", "22 b\n7 3\n"},
       {"$riffle sum --columns 2-3,1 --header --threads 2 f f",
        "22 2 f\n7 3 f\n6 1 f\n22 2 f\n7 3 f\n6 1 f\n44 2 total\n14 3 total\n12 1 total\n"},
       {"$riffle sum --columns c,b --stats f",
        "count\tmin\tmax\tsum\tmean\tcolumn\n3\t0.5\t4\t7\t2.3333333333333335\tc\n3\t-1\t20\t22\t7."
        "333333333333333\tb\n"},
       {"$riffle sum --columns b --json f", "{\"file\":\"f\",\"column\":\"b\",\"sum\":22}\n"},
       // A row of which one field is bad adds to no column.
       {"printf '1,2\\n3,x\\n,5\\n' | $riffle sum --columns 1,2 --bad-rows skip --null ''", "1 1\n7 2\n",
        testing::HasSubstr("skipped 1 row"), 1},
       {"$riffle sum --columns 2- f", _,
        "riffle: --columns '2-': a range without an end; name its last column (see riffle sum --help)\n", 2}},
      "printf 'a,b,c\\n1,3,2.5\\n2,20,4\\n3,-1,0.5\\n' > f");
  expect_same({{"awk '{a += $1; b += $2} END {print b \" 2\"; print a \" 1\"}' g",
                "sum --whitespace --columns 2,1 --threads 2 g"}},
              "seq 5000 | awk '{print \"  \" $1 \"   \" $1 * 3}' > g");
}

TEST(pipelines, read_names_from_a_list) {
  expect_rows({{"ls a b | $riffle cat --files-from - --head 1 e", testing::Not("")},
               {"$riffle count --lines --files-from list", "2 a\n1 b\n3 total\n"},
               {"$riffle count --lines --files-from list --total=only", "3\n"},
               {"$riffle count --lines --files-from list --total=never", "2 a\n1 b\n"},
               {"$riffle count --lines --total=always a", "2 a\n2 total\n"},
               {"$riffle wc -l --files-from list", " 2 a\n 1 b\n 3 total\n"},
               {"$riffle count --lines --files-from /dev/null < a", ""},
               {"$riffle cat --files-from /dev/null < a", ""},
               {"printf '1\\n2\\n' > n; $riffle sum --column 1 --total=only n n", "6\n"},
               {"printf '1\\n2\\n' > n; $riffle sum --column 1 --total=only --json n n",
                "{\"total\":true,\"files\":2,\"sum\":6}\n"},
               {"$riffle count --files-from /missing --help", testing::HasSubstr("Usage: ")},
               {"$riffle count --lines --files-from /missing", _,
                "riffle: cannot open '/missing': No such file or directory\n", 1}},
              "printf 'a\\n\\nb\\n' > list");
}

}  // namespace

}  // namespace riffle::test
