/// Every command chooses lines and rows by the same options, in one order whatever that of the options.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/shell.hpp"

namespace riffle::test {
namespace {

using testing::_;
using testing::EndsWith;
using testing::HasSubstr;

const std::string make = R"(printf 'Error 1\nwarn 2\nerror 3\nERROR 4\nnote error\n' > f)";

std::string joined(const std::vector<std::string>& options) {
  std::string all;
  for (const std::string& each : options) all += " " + each;
  return all;
}

TEST(choice, takes_texts_then_a_step_then_a_span) {
  struct row {
    std::vector<std::string> options;
    std::string lines;
  };
  std::vector<command_row> rows;
  for (auto [options, lines] :
       std::vector<row>{{{"--containing error"}, "error 3\nnote error\n"},
                        {{"-i", "--containing error"}, "Error 1\nerror 3\nERROR 4\nnote error\n"},
                        {{"--ignore-case", "--starting-with ERR"}, "Error 1\nerror 3\nERROR 4\n"},
                        {{"--starting-with w", "--containing ' 3'"}, "warn 2\nerror 3\n"},
                        {{"-v", "-i", "--starting-with E", "--containing NOTE"}, "warn 2\n"},
                        {{"-i", "--containing error", "--every 2~2"}, "error 3\nnote error\n"},
                        {{"--every 1~2", "--tail 2"}, "error 3\nnote error\n"},
                        {{"-i", "--containing error", "--every 1~2", "--head 1"}, "Error 1\n"},
                        {{"-i", "--containing error", "--tail 3"}, "error 3\nERROR 4\nnote error\n"},
                        {{"-v", "--containing 3", "--range 2:3"}, "warn 2\nERROR 4\n"},
                        {{"--every 2~0", "--range 2:"}, ""},
                        {{"-v", "--containing ' '"}, ""},
                        {{"--head 0"}, ""}}) {
    const auto count = [&](char byte) { return std::to_string(std::ranges::count(lines, byte)) + "\n"; };
    int digits = 0;
    for (const char each : lines) digits += each >= '1' && each <= '4' ? each - '0' : 0;
    const std::string sum = std::to_string(digits) + "\n";
    for (int turn = 0; turn != 2; ++turn) {
      const std::string chosen = joined(options);
      rows.push_back({"$riffle cat" + chosen + " f", lines});
      rows.push_back({"$riffle cat" + chosen + " --max-length 10 < f", lines});
      rows.push_back({"$riffle cat" + chosen + " --plain --columns 1 <(cat f)", lines});
      rows.push_back({"$riffle count" + chosen + " f", count('\n')});
      rows.push_back({"$riffle count --rows --plain" + chosen + " f", count('\n')});
      rows.push_back({"$riffle count --byte r" + chosen + " f", count('r')});
      rows.push_back({"$riffle freq" + chosen + " f | cut -f 2", lines});
      rows.push_back({"$riffle freq --words" + chosen + " f > x; $riffle cat" + chosen +
                      " f | $riffle freq --words | cmp - x"});
      rows.push_back({"$riffle freq --plain --columns 1" + chosen + " <(cat f) | cut -f 2", lines});
      rows.push_back({"$riffle sum --whitespace --null error --column 2" + chosen + " f", sum});
      rows.push_back({"$riffle sum --whitespace --null error --column 2" + chosen + " < f", sum});
      std::ranges::reverse(options);
    }
  }
  expect_rows(rows, make);
}

TEST(choice, needs_no_more_than_it_takes) {
  expect_rows({{"yes | $riffle count --head 3", "3\n"},
               {"yes | $riffle count --rows --containing y --range 2:4", "3\n"},
               {"yes | $riffle count --byte y --containing y --every 2~2 --head 2", "2\n"},
               {"yes | $riffle cat --containing y --head 2", "y\ny\n"},
               {"{ $riffle cat --containing r --head 2; head -n 1; } < f", "Error 1\nwarn 2\nerror 3\n"},
               {"{ $riffle cat --containing r --head 0; head -n 1; } < f", "Error 1\n"},
               {"{ $riffle cat --every 1~2 --head 2; head -n 1; } < f", "Error 1\nerror 3\nERROR 4\n"},
               {"printf 'a\\r\\nbcd\\r\\nbcde\\n' | $riffle cat --strip-cr --max-length 3", "a\nbcd\n",
                HasSubstr("at byte 8: the record is longer than the limit"), 1}},
              make + "; yes() { command yes 2> /dev/null || true; }; set +o pipefail");
}

TEST(choice, takes_rows_by_their_fields) {
  const std::string x = "x,1,10\n";
  const std::string y = "\"y \"\"q\"\"\",2,-1.5\n";
  const std::string z = ",3,1e2\n";
  std::vector<command_row> rows;
  for (const auto& [options, found] :
       std::vector<std::pair<std::string, std::string>>{{"--where n=10", x},
                                                        {"--where 'n<11'", x + y},
                                                        {"--where 'n>=10' --where name!=x", z},
                                                        {"--where 'n<=10' --where 'n>-1'", x},
                                                        {"--where name=", z},
                                                        {"--where '\"a=b\"<=2'", x + y},
                                                        {"--where 'name=y \"q\"'", y},
                                                        {"--where n!=10 --every 2~2", y},
                                                        {"--where n!=10 --containing 1 --head 1", y},
                                                        {"--where n!=10 --tail 1", z},
                                                        {"--header --where 2=3", z}}) {
    const std::string count = std::to_string(std::ranges::count(found, '\n')) + "\n";
    rows.push_back({"$riffle cat " + options + " t", "name,\"a=b\",n\n" + found});
    rows.push_back({"$riffle cat --threads 2 --columns 2 " + options + " t | tail -n +2 | wc -l", count});
    rows.push_back({"$riffle count " + options + " t", count});
    rows.push_back({"$riffle freq --align --threads 2 " + options + " t | sed 's/^ *1 //'", found});
    rows.push_back({"$riffle freq --columns name,2-3 " + options + " t | wc -l", count});
    const auto has = [&](const std::string& row) { return found.find(row) != std::string::npos; };
    const int sum = (has(x) ? 1 : 0) + (has(y) ? 2 : 0) + (has(z) ? 3 : 0);
    for (const char* const threads : {"1", "2"}) {
      rows.push_back({"$riffle sum --column '\"a=b\"' --threads " + (threads + (" " + options)) + " t",
                      std::to_string(sum) + "\n"});
    }
    rows.push_back({"$riffle sum --by name --column '\"a=b\"' " + options + " t | wc -l", count});
  }
  rows.push_back({"$riffle cat --where 2=3 t", z});
  rows.push_back(
      {"$riffle cat --where 3!=7 -n --skip-rows 1 t t",
       "     1\t" + x + "     2\t" + y + "     3\t" + z + "     1\t" + x + "     2\t" + y + "     3\t" + z});
  rows.push_back({"printf ' 404  x\\n200 y\\n' | $riffle cat --whitespace --where '1>=404'", " 404  x\n"});
  for (const auto& [command, before, two] :
       {std::array<std::string, 3>{"cat", "name,\"a=b\",n\n", "name,\"a=b\",n\n" + z + z},
        {"count --threads 1", "0\n", "2\n"},
        {"count --threads 2", "0\n", "2\n"}}) {
    const std::string riffle = " | $riffle " + command;
    rows.push_back({"(cat t; echo a,b,x)" + riffle + " --where 'n>1e9'", before,
                    EndsWith("column 'n' of row 4 is no number: 'x'; --bad-rows skip leaves such rows out\n"),
                    1});
    rows.push_back({"(cat t; echo a)" + riffle + " --where n=1", before,
                    HasSubstr("row 4 has 1 field, and no column 'n'; --bad-rows skip leaves such rows out"),
                    1});
    rows.push_back({"(cat t; echo a; cat t)" + riffle + " --where '\"a=b\">2' --bad-rows skip", two,
                    HasSubstr("skipped 2 rows: 1 without the field, 1 with a bad value (rows 4, 5)"), 1});
  }
  expect_rows(rows, R"(printf 'name,"a=b",n\nx,1,10\n"y ""q""",2,-1.5\n,3,1e2\n' > t)");
}

TEST(choice, leaves_a_failing_row_its_number_and_its_place_in_the_file) {
  std::vector<command_row> rows;
  for (const std::string in : {"f", "< f", "<(cat f)"}) {
    for (const std::string threads : {" --threads 1", " --threads 2", " --threads 5"}) {
      for (const char* const choice :
           {"--containing ,a", "-v --containing ,b", "--tail 600000",
            "--containing ,a --every 2~2 --tail 400", "--where 3=a", "--containing ,a --head 700"}) {
        const std::string given = choice + threads + " " + in;
        rows.push_back({"$riffle sum --column 2 " + given, "",
                        HasSubstr("at byte 6488891: field 2 of row 600000 is no number: 'x'"), 1});
        rows.push_back({"$riffle sum --column 2 --bad-rows skip " + given, _,
                        HasSubstr("skipped 1 row: 1 with a bad value (row 600000)"), 1});
      }
      rows.push_back({"$riffle freq --columns 4 --containing ,a" + threads + " " + in, "",
                      HasSubstr("at byte 7884: missing field; row 1000 has 3 fields"), 1});
    }
  }
  expect_rows(rows,
              "seq 1000000 | awk '{ print $1 \",\" ($1 == 600000 ? \"x\" : 1) \",\" ($1 % 1000 ? \"b\" : "
              "\"a\") }' > f");
}

TEST(choice, refuses_what_makes_no_sense) {
  const std::string help = " (see riffle cat --help)\n";
  expect_rows(
      {{"$riffle cat -i f", _, "riffle: option '--ignore-case' needs '--containing'" + help, 2},
       {"$riffle cat -v f", _, "riffle: option '--invert-match' needs '--containing'" + help, 2},
       {"$riffle cat --delimiter A -i --containing x f", _,
        "riffle: --ignore-case: a letter ends the lines; use another --delimiter" + help, 2},
       {"$riffle count --fasta --byte a f", _, HasSubstr("use only one of"), 2},
       {"$riffle count --bytes --head 1 f", _,
        HasSubstr("--bytes looks at all of a file; write riffle cat --head ... | riffle count"), 2},
       {"$riffle count --per-line -i --containing a f", _, HasSubstr("--per-line counts bytes or a text"), 2},
       {"$riffle cat --where a f", _, HasSubstr("write a column, one of = != < <= > >=, and a value"), 2},
       {"$riffle cat --where 'a!b' f", _, HasSubstr("write a column, one of"), 2},
       {"$riffle cat --where '\"a=1' f", _, HasSubstr("write a column, one of"), 2},
       {"$riffle cat --where a==1 f", _, HasSubstr("--where 'a==1': write a=1"), 2},
       {"$riffle cat --where 'a<x' f", _, HasSubstr("no number to compare with; a text takes = or !="), 2},
       {"$riffle cat --where 'a<' f", _, HasSubstr("no number to compare with"), 2},
       {"$riffle cat --where 'a<nan' f", _, HasSubstr("no number to compare with"), 2},
       {"$riffle cat --where =1 f", _, HasSubstr("a field is missing"), 2},
       {"$riffle cat --where 2-3=1 f", _, HasSubstr("one field only"), 2},
       {"$riffle count --where 2=1 --byte a f", _, HasSubstr("write riffle cat --where ... | riffle count"),
        2},
       {"$riffle count --head 1 --tail 1 f", _,
        "riffle: --tail '1': use only one of --head, --tail, --range (see riffle count --help)\n", 2}},
      make);
}

}  // namespace
}  // namespace riffle::test
