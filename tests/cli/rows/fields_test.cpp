/// The tool cuts rows into fields as its manual says, and tells which row it cannot use.
#include <gmock/gmock.h>

#include <string>

#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

using testing::_;
using testing::EndsWith;
using testing::MatchesRegex;

struct field_case {
  const char* text;
  const char* options;
  const char* output;
};

TEST(tool, copies_the_fields_that_are_named) {
  for (const field_case& each : {
           field_case{"a\\tb\\tc\\n", "--tsv --columns 3,1", "c\ta\n"},
           {"a\\tb\\tc", "--tsv --columns 3,1", "c\ta\n"},
           {"a\\tb\\tc\\n", "--tsv --columns 2,2", "b\tb\n"},
           {"a\\tb\\n\\nc\\n", "--tsv --columns 2", "b\n\n"},
           {"a,b\\n\\nc\\n", "--columns 1,2", "a,b\nc,\n"},
           {"a,b\\n\\nc\\n", "--plain --columns 1,2", "a,b\n,\nc,\n"},
           {"a\\tb\\tc\\td\\n", "--tsv --columns 2-3", "b\tc\n"},
           {"a\\tb\\tc\\td\\n", "--tsv --columns 3-,1", "c\td\ta\n"},
           {"a\\tb\\tc\\td\\n", "--tsv --columns -2", "a\tb\n"},
           {"a\\tb\\n", "--tsv --columns 3-", "\n"},
           {"a\\tb\\n", "--tsv --columns 1-3", "a\tb\t\n"},
           {"", "--tsv --columns 1", ""},
           {"a,b;c,d;", "--columns 2 --plain --separator , --delimiter ';'", "b;d;"},
           {"a,b\\r\\nc,d\\r\\n", "--columns 2,1 --plain --separator , --strip-cr", "b,a\nd,c\n"},
           {"\"a,b\",\"c\\n\"\"d\"\n", "--columns 2,1 --separator , --quote '\"'", "\"c\n\"\"d\",\"a,b\"\n"},
           {"\"a,b\",c\n", "--columns 2 --plain --separator ,", "b\"\n"},
           // A row ends in LF, also if it ended in CR LF.
           {"1,\"b\"\\r\\n2,c\\r\\n3\\r\\n4,d\\n\\r\\n", "--columns 2,1 --separator , --quote '\"'",
            "\"b\",1\nc,2\n,3\nd,4\n"},
           {"1,\"b\"\\r", "--columns 2 --separator , --quote '\"'", "\"b\"\n"},
           {"1,\"b\"\\r\\n", "--columns 2,1 --separator , --quote '\"' --strip-cr", "\"b\",1\n"},
           {"1,b\\r\\n", "--columns 2,1 --plain --separator ,", "b\r,1\n"},
           // A dialect leaves what the other options say.
           {"@a\\t@\\tb\\n", "--columns 1 --quote @ --tsv", "@a\t@\n"},
           {"a;@b;@\\n", "--separator ';' --quote @ --columns 2 --plain", "@b;@\n"},
           {"a\tb,c\\n", "--columns 2 --quote '\"'", "c\n"},
           {"a\tb,c\\n", "--columns 2 --quote '\"' --separator '\\t'", "b,c\n"},
           // By name: the header is copied as it stands.
           {"a\\tb\\n1\\t2\\n", "--tsv --columns b,a --header", "b\ta\n2\t1\n"},
           {"a,\"b\"\\r\\n1,2\\r\\n", "--columns b,1 ", "\"b\",a\n2,1\n"},
           {"a,b\\r\\n1,2\\r\\n", "--columns b", "b\n2\n"},
           {"a;b\\n1;2\\n", "--separator ';' --columns b ", "b\n2\n"},
           {"a,@b,c@\\n1,2\\n", "--header --quote @ --columns 2", "@b,c@\n2\n"},
           {"1,a-b,3\\n4,5,6\\n", "--columns name:3,name:1,1,a-b,-2", "3,1,1,a-b,1,a-b\n6,4,4,5,4,5\n"},
           {"a,b\\n1\\n", "--columns b,a", "b,a\n,1\n"},
           // What stands in quotes is a name.
           {"\"x, y\",1-2,3\\n4,5,6\\n", "--columns '\"x, y\",3,\"1-2\",\"3\"'",
            "\"x, y\",3,1-2,3\n4,6,5,6\n"},
           {"\"say \"\"a\"\"\",,p\"q\\n1,2,3\\n", "--columns 'p\"q,\"\",\"say \"\"a\"\"\"'",
            "p\"q,,\"say \"\"a\"\"\"\n3,2,1\n"},
           {"\"a\\nb\",2\\n1,2\\n", "--columns $'\"a\\nb\"'", "\"a\nb\"\n1\n"},
           {"\"b\\t2\\n1\\t3\\n", "--tsv --columns '2,name:\"b'", "2\t\"b\n3\t1\n"},
           {"a,b\\n1,2\\n3,4\\n", "--columns a --head 1", "a\n1\n"},
           {"a,b\\n1,2\\n3,4\\n", "--columns a --range 2:", "a\n3\n"},
           {"a,b\\n1,2\\n", "--columns a --number", "a\n     1\t1\n"},
           {"", "--header --columns 1", ""},
           // Another byte between fields. Quotes keep a field that holds it one field.
           {"a;b;c\\nd;e;f\\n", "--columns 3,1 --plain --separator ';' --to-separator ,", "c,a\nf,d\n"},
           {"a;b\\nc;d\\n", "--columns 2,1 --plain --separator ';' --to-separator , --to-delimiter '|'",
            "b,a|d,c|"},
           {"a,b\\n\"x;y\",z\\n", "--header --columns 2,1 --to-separator ';'", "b;a\nz;\"x;y\"\n"},
           {"a,b\\r\\nx;y,p;\"q\\r\\n", "--header --columns 1,2 --to-separator ';'",
            "a;b\n\"x;y\";\"p;\"\"q\"\n"},
           {"a;h,b\\n\"x\"\"\"y;,\"s,t\"\\n", "--header --columns 2,1 --to-separator ';'",
            "b;\"a;h\"\n\"s,t\";\"x\"\"y;\"\n"},
           {"a\\tb,c\\n", "--tsv --columns 1- --to-separator '\\t'", "a\tb,c\n"},
       }) {
    expect_each(
        {"", "--block-size 1"},
        {std::string("printf '") + each.text + "' | $riffle cat " + each.options + " {}", each.output});
  }
}

TEST(tool, sums_the_field_that_is_named) {
  for (const field_case& each : {
           field_case{"a\\t1.5\\nb\\t-0.25\\n", "--tsv --column 2", "1.25\n"},
           {"x,n\\r\\na,1\\r\\nb,2\\r\\n", "--column 2 --header", "3\n"},
           {"a,\"9223372036854775807\"\\n", "--column 2 --separator , --quote '\"' --type i64",
            "9223372036854775807\n"},
           {"9223372036854775807\\n5\\n-9\\n", "--tsv --column 1 --type i64", "9223372036854775803\n"},
           {"18446744073709551615\\n", "--tsv --column 1 --type u64", "18446744073709551615\n"},
           {"", "--tsv --column 1 --type u64", "0\n"},
           {"n\\n", "--tsv --column 1 --header", "0\n"},
           {"1e400\\n", "--column 2 --plain --separator e", "400\n"},
           {"\\357\\273\\2771\\n", "--tsv --column 1", "1\n"},
           {"\\357\\273\\277\"a\"\\n1\\n", "--column 1 --header --quote '\"'", "1\n"},
           {"\"4\"0\\n", "--column 1 --quote '\"'", "40\n"},
           {"x\"\\n#\"\\n\\n1\\n\\r\\n2\\n#x\\n", "--column 1 --quote '\"' --skip-rows 1 --comment '#'",
            "3\n"},
           {"+1\\n+2.5\\n", "--tsv --column 1", "3.5\n"},
           {"a,price\\r\\nx,1.5\\r\\n\"y,z\",\"2\"\\r\\n", "--column price", "3.5\n"},
           {"a,b\\n1,2\\n", "--column 2 --quote '\"' --header", "2\n"},
           {"a\\tb,c\\n1\\t2\\n", "--header --tsv --column b,c", "2\n"},
           {"1,2\\n3,4\\n", "--column name:2", "4\n"},
           {"\"\",1\\n,2\\nNA,3\\n4,5\\n", "--column 1 --null '' --null NA", "4\n"},
           {"\"4\",1\\n,2\\nNA,3\\n", "--column 1 --null '' --null NA --no-quoted-null", "4\n"},
           {"\"x, y\",1-2\\n3,4\\n", "--column '\"x, y\"'", "3\n"},
           {"\"x, y\",1-2\\n3,4\\n", "--columns '\"1-2\",\"x, y\"'", "4 1-2\n3 x, y\n"},
       }) {
    expect_rows({{std::string("printf '") + each.text + "' | $riffle sum " + each.options, each.output}});
  }
  expect_rows({{"seq 1 100000 | $riffle sum --tsv --column 1 --type u64", "5000050000\n"}});
}

TEST(tool, names_the_row_that_it_cannot_use) {
  for (const field_case& each : {
           field_case{"1\\n2\\nx\\n", "sum --tsv --column 1",
                      "riffle: cannot read 'standard input' at byte 4: field 1 of row 3 is no number: 'x'; "
                      "--null x leaves such cells out\n"},
           {"a\\t1\\nb\\t \\n", "sum --tsv --column 2 --type i64",
            "riffle: cannot read 'standard input' at byte 6: field 2 of row 2 is no i64: ' '; use --trim to "
            "drop the blanks around it\n"},
           {"abc\"a\"\\n1\\n", "sum --column 1 --header --quoting strict",
            "riffle: cannot read 'standard input' at byte 3: malformed quoting; a quote stands inside an "
            "unquoted field in the header\n"},
           {"1\\n\\n", "sum --plain --column 1",
            "riffle: cannot read 'standard input' at byte 2: field 1 of row 2 is no number: ''; --null '' "
            "leaves such cells out\n"},
           {"1\\t2\\n3\\n", "sum --tsv --column 2",
            "riffle: cannot read 'standard input' at byte 4: missing field; row 2 has 1 field, and no field "
            "2; --bad-rows skip leaves such rows out, and --ragged pad adds empty fields\n"},
           {"18446744073709551615\\n1\\n", "sum --tsv --column 1 --type u64",
            "riffle: cannot sum 'standard input': the sum does not fit u64; use --type f64\n"},
           {"1,\\n2,\"\"\\n", "sum --column 2 --null '' --no-quoted-null",
            "riffle: cannot read 'standard input' at byte 5: field 2 of row 2 is no number: ''; --bad-rows "
            "skip "
            "leaves such rows out\n"},
           {"1\\n\"2\\n", "cat --columns 1 --quote '\"'",
            "riffle: cannot read 'standard input' at byte 2: malformed quoting; a quote is not closed in row "
            "2\n"},
       }) {
    expect_rows({{std::string("printf '") + each.text + "' | $riffle " + each.options,
                  std::string(each.options).starts_with("cat") ? "1\n" : "", each.output, 1}});
  }
}

TEST(tool, writes_no_separator_that_a_field_holds) {
  for (const char* threads : {"", " --threads 2"}) {
    expect_rows(
        {{std::string(
              "printf '1\\t2\\n3\\t4,5\\n6\\t7\\n' > f; $riffle cat --tsv --columns 1- --to-separator , f") +
              threads,
          "1,2\n",
          "riffle: cannot copy 'f' at byte 4: field 2 of this row holds the byte of --to-separator; use "
          "another byte, or --quote '\"' --separator '\\t'\n",
          1}});
  }
  expect_each({"1", "2", "5"}, {"{ seq 300000; echo 'a;b'; seq 9; } > f; $riffle cat --tsv --columns 1 "
                                "--to-separator ';' --threads {} f | cmp - <(seq 300000)",
                                "",
                                "riffle: cannot copy 'f' at byte 1988895: field 1 of this row holds the byte "
                                "of --to-separator; use another byte, or --quote '\"' --separator '\\t'\n",
                                1});
}

// Each error ends in the option that may lack, if the text of the row shows one.
TEST(tool, names_the_option_that_a_field_may_lack) {
  for (const field_case& each : {
           field_case{"price\\n1\\n", "sum --tsv --column 1",
                      "at byte 0: field 1 of row 1 is no number: 'price'; use --header if the first row "
                      "holds names\n"},
           {"1\\nprice\\n", "sum --tsv --column 1",
            "at byte 2: field 1 of row 2 is no number: 'price'; --null price leaves such cells out\n"},
           {"a\\nprice\\n", "sum --header --tsv --column 1",
            "at byte 2: column 'a' of row 1 is no number: 'price'; --null price leaves such cells out\n"},
           {"a\\n1,5\\n", "sum --plain --separator ';' --column a",
            "column 'a' of row 1 is no number: '1,5'; use --separator ','\n"},
           {"a,b\\nx, 5\\n", "sum --column b",
            "is no number: ' 5'; use --trim to drop the blanks around it\n"},
           {"1\\n\"2\"\\n", "sum --tsv --column 1",
            "at byte 2: field 1 of row 2 is no number: '\"2\"'; use --quote '\"'\n"},
           {"a,1\\n", "sum --tsv --column 2",
            "at byte 0: missing field; row 1 has 1 field, and no field 2; use --separator ','\n"},
           {"a 1\\n", "sum --column 2",
            "at byte 0: missing field; row 1 has 1 field, and no field 2; use --separator ' '\n"},
           {"a,1\\n", "sum --tsv --column 1",
            "at byte 0: field 1 of row 1 is no number: 'a,1'; use --separator ','\n"},
           {"1\\t2\\n", "sum --plain --separator , --column 2",
            "row 1 has 1 field, and no field 2; use --separator '\\t'\n"},
           {"a;b\\n1;2\\n", "sum --column b", "no column 'b'; the columns are 'a;b'; use --separator ';'\n"},
           {"a|b\\n1|2\\n", "cat --header --tsv --columns b",
            "no column 'b'; the columns are 'a|b'; use --separator '|'\n"},
           {"a,b\\n1,2\\n", "cat --columns c", "no column 'c'; the columns are 'a', 'b'\n"},
           {"a,b,a\\n1,2,3\\n", "sum --column a", "the columns 1 and 3 are both named 'a'\n"},
           {"a,b\\n1\\n", "sum --column b", "row 1 has 1 field, and no column 'b'\n"},
           {"", "sum --column b", "no column 'b', as the input has no rows\n"},
           // Excel's first line.
           {"sep=;\\r\\na;b\\r\\n1;2\\r\\n", "cat --columns b",
            "the columns are 'sep=;'; use --separator ';' --skip-rows 1\n"},
           {"sep=;\\na;b\\n1;2\\n", "sum --column 2", "no field 2; use --separator ';' --skip-rows 1\n"},
           {"sep=;\\na;b\\n1;2\\n", "cat --header --columns 2",
            "and no field 2; use --separator ';' --skip-rows 1\n"},
           {"sep=,\\na,b\\n1,2\\n", "freq --columns b", "the columns are 'sep=', ''; use --skip-rows 1\n"},
           {"sep=,\\na,b\\n1,2\\n", "sum --column 2",
            "field 2 of row 1 is no number: ''; use --skip-rows 1\n"},
       }) {
    expect_rows({{std::string("printf '") + each.text + "' | $riffle " + each.options, "",
                  EndsWith(each.output), 1}});
  }
}

TEST(tool, reads_fields_by_any_number_of_threads) {
  std::string text = "\"no\"\"te\",price\r\n";
  for (int i = 0; i < 200'000; ++i)
    text += "\"a\n\"," + std::to_string(i) + ".1e-" + std::to_string(i % 9) + "\n";
  const temporary_file file(text);
  const temporary_file bad(text + "b,x\n");
  const temporary_file open(text + "b,x\n\"c,2\n");
  const temporary_file long_row(text + "b,x\n" + std::string(2000, 'y') + "\nc,3\n");
  const temporary_file ragged(text + "b,x\nb,1,2\nc,3\n");
  const std::string sum = "$riffle sum --column price --threads ";
  const std::string expected = shell(sum + "1 --stats " + file.path().string()).out;
  EXPECT_EQ(shell("$riffle count --rows --header " + file.path().string()).out, "200000\n");
  for (const char* threads : {"1", "2", "5"}) {
    const shell_result found = shell(sum + threads + " --stats " + file.path().string());
    EXPECT_EQ(found.out, expected) << threads;
    EXPECT_EQ(found.err, "") << threads;
    const shell_result failed = shell(sum + threads + ' ' + bad.path().string());
    EXPECT_TRUE(failed.err.ends_with(
        "column 'price' of row 200001 is no number: 'x'; --null x leaves such cells out\n"))
        << failed.err;
    EXPECT_EQ(failed.out, "");
  }
  for (const char* options :
       {"'price,no\"te'", "2,1,3", "1- --to-delimiter ';'", "2,1 --to-separator 9", "2 --max-length 1000",
        "1 --head 150000", "2 --number", "2 --ragged fail", "1 --where 'price>1e-3'"}) {
    for (const temporary_file* each : {&file, &open, &long_row, &ragged}) {
      const std::string cat = " $riffle cat --header --columns " + std::string(options) + " --threads ";
      const std::string rest = " - " + each->path().string() + "; cat; } < " + each->path().string();
      const shell_result one = shell("{" + cat + "1" + rest);
      for (const char* threads : {"2", "5"}) {
        const shell_result found = shell("{" + cat + threads + rest);
        EXPECT_TRUE(found.out == one.out)
            << options << ", " << threads << ": " << found.out.size() << " bytes for " << one.out.size();
        EXPECT_EQ(found.err, one.err);
      }
    }
  }
  const shell_result total = shell(sum + "3 " + file.path().string() + ' ' + file.path().string());
  EXPECT_EQ(total.out, shell(sum + "1 " + file.path().string() + ' ' + file.path().string()).out);
}

// Rows that lack the text are not cut.
TEST(tool, copies_the_columns_of_rows_with_a_text) {
  for (const char* options :
       {"--containing 7", "-v --containing 7", "-v --containing '\\r'", "--head 9 --containing b7",
        "-i --starting-with B1 --starting-with a2", "--tail 3 --containing 77 --comment a"}) {
    const std::string one = "$riffle cat " + std::string(options);
    for (const char* rows :
         {" --whitespace --columns 2,1", " --tsv --header --columns 1", " --plain -f 2-"}) {
      expect_each({"--threads 1", "--threads 3", "--block-size 100"},
                  {"cmp <(" + one + rows + " {} f) <(" + one + rows + " --max-length 9K f); cmp <(cat f | " +
                   one + rows + ") <(" + one + rows + " f)"},
                  "seq 50000 | sed 's/.*[02468]$/a&\\tx\\r/; s/.*[13579]$/b& y/; /99/s/$/\\n/' > f");
    }
  }
  expect_rows({{"printf 'a\\r\\nb\\r\\n' | $riffle cat --tsv -v --containing 'a\\r' --columns 1", "a\nb\n"}});
}

TEST(tool, copies_the_header_once_and_finds_the_columns_of_each_file) {
  expect_rows(
      {{"printf 'a,b\\n1,2\\n' > ab; printf 'b,c,a\\n3,4,5' > bca; $riffle cat --columns b,a e ab bca",
        "b,a\n2,1\n3,5\n", EndsWith("no column 'b', as the input has no rows\n"), 1}});
}

TEST(tool, copies_fields_by_numbers_only_if_the_headers_are_the_same) {
  const std::string make =
      "printf 'a,b\\n1,2\\n' > ab; printf 'b,a\\n3,4\\n' > ba; printf '\"a\",b\\r\\n5,6\\n' > same; printf "
      "'a\\n7\\n' > a; : > empty; $riffle cat --header --columns ";
  const std::string fix = "; name the columns in --columns, or use --any-header\n";
  const std::string other = "riffle: cannot copy 'ba': its column 1 is 'b', and that of 'ab' is 'a'" + fix;
  expect_rows({
      {make + "1- ab same", "a,b\n1,2\n5,6\n"},
      {make + "1- ab ba same", "a,b\n1,2\n5,6\n", other, 1},
      {make + "1- empty ab - < ba", "a,b\n1,2\n",
       "riffle: cannot copy 'standard input': its column 1 is 'b', and that of 'ab' is 'a'" + fix, 1},
      {make + "1,b ab ba", "a,b\n1,2\n", other, 1},
      {make + "1- ab ba --threads 2", "a,b\n1,2\n", other, 1},
      {make + "1 ab a", "a\n1\n",
       "riffle: cannot copy 'a': its column 2 is missing, and that of 'ab' is 'b'" + fix, 1},
      {make + "1- a ab", "a\n7\n",
       "riffle: cannot copy 'ab': its column 2 is 'b', and that of 'a' is missing" + fix, 1},
      {make + "1- --any-header ab ba a", "a,b\n1,2\n3,4\n7\n"},
      {make + "a,b ab ba same", "a,b\n1,2\n4,3\n5,6\n"},
      {make + "1- ab ba --separator ';' --quote @", "a,b\n1,2\n",
       "riffle: cannot copy 'ba': its column 1 is 'b,a', and that of 'ab' is 'a,b'" + fix, 1},
      {"printf '1\\t2\\n' > x; $riffle cat --tsv --columns 2 x x", "2\n2\n"},
  });
}

// -f and -d are those of cut only if no dialect is named.
TEST(tool, takes_options_of_rows_in_any_order) {
  expect_each({"--csv -f 2", "-f 2 --csv", "--csv -d , -f 2", "-d , -f 2 --csv", "-f 2 -d , --csv",
               "--columns 2 --csv"},
              {"$riffle cat {} f", "price\n3\n4\n"}, "printf 'item,price\\n\"a,b\",3\\nx,4\\n' > f");
  expect_each({"-d , -f 2", "-f 2 -d ,", "-f 2 --separator ,", "-d , --plain -f 2"},
              {"cmp <(cut -d , -f 2 f) <($riffle cat {} f)"}, "printf 'item,price\\n\"a,b\",3\\n' > f");
  const std::string none =
      "riffle: cannot copy 'f': the header has one field, and no field 2; use --separator ','\n";
  expect_each({"-f 2 --header", "--header -f 2", "--header --tsv --columns 1,2"},
              {"$riffle cat {} f", "", none, 1}, "printf 'item,price\\nx,4\\n' > f");
  expect_rows(
      {{"$riffle cat -f 2 -f 1 f", "2\t1\n4\t3\n"},
       {"$riffle cat --tsv --columns 2 -f 1 f", "2\t1\n4\t3\n"},
       {"$riffle cat --head 1 --head 2 -f 1 f", "1\n3\n"},
       {"$riffle sum --tsv --column 1 --column 2 f", "4 1\n6 2\n"},
       {"$riffle sum --tsv --columns 2 --column 1 f", "6 2\n4 1\n"},
       {"$riffle freq --tsv --columns 2 --columns 1 f", "1\t2\t1\n1\t4\t3\n"},
       {"$riffle sum --tsv --csv --column 1 f", "",
        "riffle: --csv: use only one of --csv, --tsv, --plain, --whitespace (see riffle sum --help)\n", 2}},
      "printf '1\\t2\\n3\\t4\\n' > f");
}

TEST(tool, refuses_a_row_that_is_too_long_in_every_command) {
  expect_each(
      {"sum --column 1", "freq --columns 1", "count --rows", "cat --columns 1"},
      {"printf '1\\n234\\n' | $riffle {} --max-length 2", _,
       testing::HasSubstr("at byte 2: the record is longer than the limit; use a larger --max-length\n"), 1});
}

// A row without a byte and one of a CR are blank. One of two CRs is not.
TEST(tool, skips_the_same_rows_in_every_command) {
  expect_rows({{"printf 'a\\r\\n\\r\\r\\n\\r\\n\\nb\\r\\n' | $riffle count --tsv --rows", "3\n"},
               {"printf 'a\\r\\n\\r\\r\\n\\r\\n\\nb\\r\\n' | $riffle cat --tsv --columns 1", "a\n\r\nb\n"},
               {"printf '1\\r\\n\\r\\r\\n\\r\\n\\n2\\r\\n' | $riffle sum --tsv --column 1", "",
                testing::HasSubstr("at byte 3: field 1 of row 2 is no number"), 1}});
}

// A file of an old Mac would be one row.
TEST(tool, refuses_rows_that_end_in_cr_in_every_command) {
  for (const char* const command :
       {"count --rows", "cat --columns 1", "sum --column 1", "sum --column a", "split --csv --dry-run"}) {
    expect_rows({{"printf 'a,b\\r1,2\\r' | $riffle " + std::string(command), _,
                  testing::HasSubstr("at byte 3: no LF ends the first row"), 1},
                 {"printf 'a,b\\r1,2\\r' | $riffle " + std::string(command) + " --plain > /dev/null || true",
                  "", testing::Not(testing::HasSubstr("no LF"))}});
  }
  expect_rows({{"printf 'a,b\\r1,2\\r' | $riffle cat --columns 2 --delimiter '\\r'", "b\r2\r"}});
}

TEST(tool, refuses_fields_that_make_no_sense) {
  expect_each(
      naive_fields("cat --tsv --columns 0|cat --columns ''|cat --columns 1,|cat --columns 3-2|cat --columns "
                   "-|cat --columns 1-99999999999|cat --quote '\"'|cat --columns 1 --separator '\\n'|cat "
                   "--columns 1 --quote ,|cat --header|cat --columns 1 --separator '\"'|sum --column 1-2|sum "
                   "--plain --type u8|sum --column 0|sum --header --type u8|sum --column 1 --big-endian|sum "
                   "--column 1 --quote '\\n'|sum --separator , --type u8|cat --any-header|cat --to-separator "
                   ",|cat --columns 1 --to-separator '\\n'|cat --header --columns 1 --to-separator '\"'|cat "
                   "--columns '1,\"a'|sum --column '\"a\",\"b\"'|freq --columns '\"'",
                   '|'),
      {"$riffle {} < /dev/null", _, MatchesRegex("[^\n]+\n"), 2});
}

}  // namespace
}  // namespace riffle::test
