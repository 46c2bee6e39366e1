/// `riffle freq` counts what sort and uniq count, in the order of the first appearance.
#include <gmock/gmock.h>

#include <string>

#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

using testing::_;
using testing::HasSubstr;

TEST(freq, counts_what_sort_and_uniq_count) {
  const std::string as_freq = " | uniq -c | sed 's/^ *//; s/ /\\t/'";
  const std::string by_count = "sort -k1,1nr -k2";  // uniq has the values of a count in the order of sort
  expect_rows(
      {{"$riffle freq t | sort > x; sort t" + as_freq + " | sort | cmp - x"},
       {"$riffle freq --top 50 t | cut -f1 > x; sort t" + as_freq + " | " + by_count +
        " | sed -n 1,50p | cut -f1 | cmp - x"},
       {"$riffle freq --distinct t > x; sort -u t | wc -l | cmp - x"},
       {"$riffle freq --min 20 t | sort > x; sort t" + as_freq + " | awk '$1 >= 20' | sort | cmp - x"},
       {"$riffle freq --words w | sort > x; tr -s ' ' '\\n' < w | sort" + as_freq + " | sort | cmp - x"},
       {"cmp <($riffle freq --align t v | sort) <(sort t v | uniq -c | sort)"},
       {"cmp <($riffle freq --align --words w | sort) <(tr -s ' ' '\\n' < w | sort | uniq -c | sort)"},
       {"$riffle freq --words --word-separators '12\\n' --threads 2 t | sort > x; tr -s '12' '\\n' < t | "
        "grep . | sort" +
        as_freq + " | sort | cmp - x"},
       {"cmp <($riffle freq --columns 2,1 --align --tsv c | sort) <(awk '{print $2 \"\\t\" $1}' c | sort | "
        "uniq "
        "-c | sort)"},
       {"$riffle freq --columns 2 --tsv c | sort > x; cut -f2 c | sort" + as_freq + " | sort | cmp - x"},
       {"$riffle freq --columns 2,1 --tsv c | sort > x; awk '{print $2 \"\\t\" $1}' c | sort" + as_freq +
        " | sort | cmp - x"},
       {"for n in 1 2 4; do $riffle freq u --threads $n | md5sum; done | uniq | wc -l", "1\n"},
       {"for n in 1 2 4; do $riffle freq --words v --threads $n | md5sum; done | uniq | wc -l", "1\n"},
       {"for n in 1 2 4; do $riffle freq --tsv --columns 2,1 c5 --threads $n | md5sum; done | uniq | wc -l",
        "1\n"}},
      "awk 'BEGIN { srand(2); for (i = 0; i < 200000; ++i) print int(1000 * rand() ^ 3) }' > t; paste -d' ' "
      "-s t | fold -w 5000 -s > w; paste t <(tac t) > c; cat t t t t t > u; cat w w w w w > v; cat c c c c c "
      "> c5");
}

TEST(freq, prints_values_as_fields_or_as_lines_of_json) {
  const std::string csv =
      "printf 'item,n\\na,1\\n\"b,\"\"c\",2\\na,3\\n\"t\\tu\\nv\",1\\n' | $riffle freq --columns ";
  expect_rows({{csv + "item", "2\ta\n1\t\"b,\"\"c\"\n1\t\"t\tu\nv\"\n"},
               {csv + "item --json",
                "{\"count\":2,\"value\":\"a\"}\n{\"count\":1,\"value\":\"b,\\\"c\"}\n{\"count\":1,\"value\":"
                "\"t\\u0009u\\u000av\"}\n"},
               {csv + "n,item --json --top 2",
                "{\"count\":1,\"value1\":\"1\",\"value2\":\"a\"}\n{\"count\":1,\"value1\":\"2\",\"value2\":"
                "\"b,\\\"c\"}\n"},
               {csv + "1-2 --header --top 3", "1\ta\t1\n1\t\"b,\"\"c\"\t2\n1\ta\t3\n"},
               {csv + "n", "2\t1\n1\t2\n1\t3\n"},
               {csv + "n --top 1", "2\t1\n"},
               {csv + "n --top 0"},
               {csv + "n --min 2", "2\t1\n"},
               {csv + "n --distinct", "3\n"},
               {csv + "n --distinct --min 2 --json", "{\"distinct\":1}\n"},
               {"printf 'say \"a\"\\n\\n' | $riffle freq", "1\t\"say \"\"a\"\"\"\n1\t\n"},
               {"printf 'x\\r\\nx' | $riffle freq", "1\t\"x\r\"\n1\tx\n"},
               {"printf '\"\"\"\",\"\"\\n\"a\"\"\",b\\n' | $riffle freq --columns 1,2 --json",
                "{\"count\":1,\"value1\":\"\\\"\",\"value2\":\"\"}\n{\"count\":1,\"value1\":\"a\\\"\","
                "\"value2\":\"b\"}\n"},
               {"printf 'a\\tb \"\\r\\n' | $riffle freq --align", "      1 a\tb \"\r\n"},
               {csv + "item --align", "      2 a\n      1 \"b,\"\"c\"\n      1 \"t\tu\nv\"\n"},
               {"printf 'a,b\\nc,b' | $riffle freq --words --word-separators ,", "1\ta\n1\t\"b\nc\"\n1\tb\n"},
               {"$riffle freq e"},
               {"$riffle freq --distinct < e", "0\n"}});
}

TEST(freq, counts_several_files_together) {
  expect_rows({{"$riffle freq f g", "2\ty\n2\tx\n1\tz\n"},
               {"$riffle freq f g --threads 2", "2\ty\n2\tx\n1\tz\n"},
               {"$riffle freq f missing g", "2\ty\n2\tx\n1\tz\n",
                "riffle: cannot open 'missing': No such file or directory\n", 1},
               {"printf ' x  y\\n\\tz y ' | $riffle freq --whitespace --columns 2", "2\ty\n"},
               {"gzip -k f; $riffle freq f.gz - < g", "2\ty\n2\tx\n1\tz\n"},
               {"$riffle freq --decode none f.gz | grep -c y", "0\n", _, 1},
               {"$riffle freq --columns a h i", "2\t1\n"},
               {"$riffle freq --columns 1 --header h i", "1\t1\n",
                "riffle: cannot count 'i': its column 1 is 'b', and that of 'h' is 'a'; name the columns in "
                "--columns, or use --any-header\n",
                1},
               {"$riffle freq --columns 1 --any-header --header h i", "1\t1\n1\t2\n"}},
              "printf 'y\\nx\\n' > f; printf 'x\\ny\\nz\\n' > g; printf 'a,b\\n1,2\\n' > h; printf "
              "'b,a\\n2,1\\n' > i");
}

TEST(freq, fails_for_rows_and_memory_as_it_says) {
  const std::string help = " (see riffle freq --help)\n";
  expect_rows(
      {{"$riffle freq --columns 2 r", "",
        HasSubstr("cannot read 'r' at byte 5: missing field; row 2 has 1 field"), 1},
       {"$riffle freq --columns 2 --bad-rows skip r", "1\t2\n1\t4\n", HasSubstr("1 row"), 1},
       {"printf 'a;b\\n' | $riffle freq --columns 2", "", HasSubstr("use --separator ';'"), 1},
       {"$riffle freq --max-memory 100K n", "",
        testing::MatchesRegex("riffle: cannot count 'n': [0-9]+ distinct values take all the memory that "
                              "they may; set a larger --max-memory, or count less at a time\n"),
        1},
       {"$riffle freq --max-memory 100K --threads 2 n", "", HasSubstr("cannot count 'n': "), 1},
       {"$riffle freq --max-memory 100K n r", "", HasSubstr("cannot count 'n': "), 1},
       {"seq 40000 69999 > m; $riffle freq --max-memory 1500K n m", "", HasSubstr("cannot count 'm': "), 1},
       {"$riffle freq --max-memory 10M --distinct n", "30000\n"},
       {"$riffle freq --words --columns 1 e", "", "riffle: use --words or --columns, not both" + help, 2},
       {"$riffle freq --top 1 --distinct e", "", "riffle: use --top or --distinct, not both" + help, 2},
       {"$riffle freq --columns 2- e", "",
        "riffle: --columns '2-': a range without an end; name its last column" + help, 2},
       {"$riffle freq --header e", "", "riffle: option '--header' needs '--columns'" + help, 2},
       {"$riffle freq --column 1 r", "1\t1\n1\t\n1\t3\n"},  // an abbreviation
       {"$riffle freq n > /dev/full", "", HasSubstr("No space left on device"), 1}},
      "printf '1,2\\n\\n\"\"\\n3,4\\n' > r; seq 30000 > n");
}

TEST(freq, takes_memory_for_its_values_only) {
  const long small = peak_memory("freq", "seq 10");
  EXPECT_LT(peak_memory("freq", "seq 1000000 | sed s/.*/same/"), small + 2000);
}

}  // namespace
}  // namespace riffle::test
