/// Rows and fields that cannot be used: what --ragged, --null, --trim and --bad-rows do with them, by any
/// number of threads and every block size.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

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
           EndsWith("missing field; row 4 has 1 field, and no column 'b'\n"), 1},
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

}  // namespace
}  // namespace riffle::test
