/// The options of `riffle cat`, beside the tools that people use for the same.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

using testing::_;

TEST(cat, writes_the_lines_that_are_asked_for) {
  const std::vector<command_row> rows{
      {"lines 'a\\nb\\nc\\n' -n", "     1\ta\n     2\tb\n     3\tc\n"},
      {"lines 'a\\nb' --number", "     1\ta\n     2\tb"},
      {"lines 'a\\nb\\nc\\n' --head 2", "a\nb\n"},
      {"lines 'a\\nb\\nc' --head 9", "a\nb\nc"},
      {"lines 'a\\nb\\nc\\n' --tail 2", "b\nc\n"},
      {"lines 'a\\nb\\nc' --tail 1", "c"},
      {"lines 'a\\nb\\nc\\n' --tail 9", "a\nb\nc\n"},
      {"lines 'a\\nb\\nc\\n' --tail 2 --queue-depth 4 --whole-file", "b\nc\n"},
      {"lines 'a\\nb\\nc\\nd\\n' --range 2:3", "b\nc\n"},
      {"lines 'a\\nb\\nc\\nd\\n' --range 2,3", "b\nc\n"},
      {"lines 'a\\nb\\nc\\nd\\n' --range 3:", "c\nd\n"},
      {"lines 'a\\nb\\nc\\nd\\n' --range :2", "a\nb\n"},
      {"lines 'a\\nb\\nc\\nd\\n' --range 3", "c\n"},
      {"lines 'a\\nb\\n' --range 3:", ""},
      {"lines 'a\\nb\\nc\\nd\\n' --range 2:3 --number", "     2\tb\n     3\tc\n"},
      {"lines 'a\\nb\\nc\\nd\\n' --tail 2 --number", "     3\tc\n     4\td\n"},
      {"lines 'a\\nb\\nc\\nd\\n' --head 9 --head 1", "a\n"},
      {"lines 'a\\0b\\0' --delimiter '\\0' --to-delimiter '\\n'", "a\nb\n"},
      {"lines 'a;b;c' --delimiter ';' --to-delimiter ,", "a,b,c"},
      {"lines 'a\\nb\\n' --to-delimiter ' '", "a b "},
      {"lines 'a;b;c;d;' --delimiter ';' --range 2:3 --number --to-delimiter '\\n'",
       "     2\tb\n     3\tc\n"},
      {"lines 'a\\r\\nb\\rc\\r\\r\\nd\\r' --strip-cr", "a\nb\rc\r\nd\n"},
      {"lines 'a\\r\\nb' --strip-cr --to-delimiter ';'", "a;b;"},
      {"lines 'a\\tb\\nc\\td\\ne\\tf\\n' --tsv --columns 2 --range 2:", "d\nf\n"},
      {"lines 'a\\tb\\nc\\td\\ne\\tf\\n' --tsv --columns 2,1 --head 1 --to-delimiter ';'", "b\ta;"},
      {"lines 'a\\tb\\nc\\td\\n' --tsv --columns 2 --range 2: --number", "     2\td\n"},
      {"lines '\\357\\273\\277a\\n' --tsv --columns 1", "a\n"},
      {"lines '\\357\\273\\277\"a,\",b\\n' --columns 1 --quote '\"'", "\"a,\"\n"},
      {"lines 'a\",b\\n\"c\"d,e\\r\\n' --columns 2,1 --quote '\"'", "b,a\"\ne,\"c\"d\n"},
      {"lines 'x\\n#\ty\\n\\na\tb\\n\\r\\nc\td\\n' --tsv --columns 2 --skip-rows 1 --comment '#' --number",
       "     1\tb\n     2\td\n"},
  };
  expect_rows(rows, "lines() { printf \"$1\" | $riffle cat \"${@:2}\" --block-size 1; }");
  expect_rows(rows, "lines() { printf \"$1\" > f; $riffle cat \"${@:2}\" f; }");
  expect_rows({{"$riffle cat --head 0 /proc/self/status; $riffle cat --tail 0 /proc/self/status"}});
}

TEST(cat, takes_each_file_by_itself_but_numbers_all) {
  expect_rows({{"$riffle cat --head 1 1 2 3", "a\nd\nf\n"},
               {"$riffle cat --tail 1 1 2 3", "c\neg\n"},
               {"$riffle cat --range 2: 1 2 3", "b\nc\neg\n"},
               {"$riffle cat --range 2: --number 1 3", "     2\tb\n     3\tc\n     2\tg\n"},
               {"$riffle cat --tail 1 --number 1 3", "     3\tc\n     2\tg\n"},
               {"seq 1000000 | $riffle cat --number | tail -n 1", "1000000\t1000000\n"},
               {"$riffle cat --tail 1 --number 2 3", "     2\te     2\tg\n"},
               {"printf 'x\\r' | $riffle cat --strip-cr - 2", "x\nd\ne\n"},
               {"cmp <($riffle cat --number 1 2 3 - 3 < 1) <(cat -n 1 2 3 - 3 < 1)"},
               {"$riffle cat --tsv --columns 1 --number 1 3",
                "     1\ta\n     2\tb\n     3\tc\n     4\tf\n     5\tg\n"}},
              "printf 'a\\nb\\nc\\n' > 1; printf 'd\\ne' > 2; printf 'f\\ng\\n' > 3");
}

TEST(cat, refuses_options_that_make_no_sense_together) {
  const std::string help = " (see riffle cat --help)\n";
  const std::string one = ": use only one of --head, --tail, --range" + help;
  const std::string whole = ": not a whole number; write digits alone, such as 64" + help;
  for (const auto& [options, error] : std::vector<std::pair<std::string, std::string>>{
           {"--head 1 --tail 1", "--tail '1'" + one},
           {"--range 1:2 --head 1", "--head '1'" + one},
           {"-f ''", "--fields '': a field is missing; write numbers, ranges such as 2-4, or names" + help},
           {"--columns 1,",
            "--columns '1,': a field is missing; write numbers, ranges such as 2-4, or names" + help},
           {"--range 0:2", "--range '0:2': too small; use at least 1" + help},
           {"--range 3:2", "--range '3:2': the range ends before it starts" + help},
           {"--range :", "--range ':': a range needs a number, such as 2:4, 5: or :3" + help},
           {"--range 1-2", "--range '1-2': write a range as 1:2" + help},
           {"--range 2-", "--range '2-': write a range as 2:" + help},
           {"--range 1:-2", "--range '1:-2'" + whole},
           {"--range a-b", "--range 'a-b'" + whole},
           {"--range 1-2-3", "--range '1-2-3'" + whole},
           {"--head -1", "--head '-1'" + whole},
           {"--containing ''", "--containing '': an empty text; name at least one byte" + help},
           {"--containing 'a\\n'",
            "--containing: no line holds the byte that ends it; use a text without it" + help},
           {"--every 3", "--every '3': a step is FIRST~STEP, such as 2~4" + help},
           {"--every 0~0", "--every '0~0': no line is 0; use a step of at least 1" + help},
           {"--threads 2", "--threads needs --columns, --where, --containing or --starting-with" + help}}) {
    expect_rows({{"$riffle cat " + options + " /missing", _, "riffle: " + error, 2}});
  }
}

TEST(cat, copies_the_lines_that_contain_a_text) {
  expect_rows(
      {{"$riffle cat --containing a 1 2", "a\nbb a\nc a a\na\n"},
       {"$riffle cat --containing a --number 1 2", "     1\ta\n     2\tbb a\n     4\tc a a\n     2\ta\n"},
       {"$riffle cat --containing 'b a' --to-delimiter ';' 1", "bb a;"},
       {"$riffle cat --containing '\\xFF\\0' 3 | od -An -tx1", " ff 00 0a\n"},
       {"printf 'a\\0b\\0' | $riffle cat --delimiter '\\0' --containing b --to-delimiter '\\n'", "b\n"},
       {"printf 'a\\r\\nb' | $riffle cat --strip-cr --containing a", "a\n"},
       {"yes | $riffle cat --containing y | head -n 2 || true", "y\ny\n", _},
       {"mkfifo go; (echo a; cat go; echo ab) | $riffle cat --containing a | (read line; echo got $line; "
        "echo > go; cat)",
        "got a\nab\n"},
       {"gzip -k 1; $riffle cat -z --containing c 1.gz", "c a a\n"},
       {"$riffle cat --containing q 1 < /dev/null"},
       {"$riffle cat --containing a -v --number 1 2", "     3\t\n     1\tx\n"},
       {"$riffle cat --starting-with a -v --number 1", "     2\tbb a\n     3\t\n     4\tc a a\n"},
       {"printf 'a\\0b\\0' | $riffle cat --delimiter '\\0' --starting-with b --to-delimiter '\\n'", "b\n"}},
      "printf 'a\\nbb a\\n\\nc a a' > 1; printf 'x\\na\\n' > 2; printf '\\377\\0\\n' > 3");
}

TEST(cat, reads_no_further_than_it_has_to) {
  for (const auto& [command, lines] :
       {std::pair("yes | $riffle cat --head 2", "y\ny\n"),
        {"yes | $riffle cat --range 1000000:1000001 --number", "1000000\ty\n1000001\ty\n"},
        {"yes y | $riffle cat --tsv --columns 1 --head 1", "y\n"},
        // A line without an end needs no memory, unless whole lines are asked for.
        {"$riffle cat --number /dev/zero | head -c 8 | tr '\\0' z", "     1\tz"},
        // The hole of a terabyte is not read.
        {"truncate -s 1T f; printf '\\nlast\\n' >> f; timeout 20 $riffle cat --tail 1 f", "last\n"}}) {
    expect_rows({{std::string(command) + " || true", lines, _}});
  }
}

TEST(cat, leaves_standard_input_behind_the_last_line) {
  const temporary_file file(numbered_lines(50'000));
  for (const method used : usable_methods()) {
    const std::string by = " --method " + std::string(name_of(used)) + "; ";
    const std::string rest = "head -n 1; } < " + file.path().string();
    EXPECT_EQ(shell("{ $riffle cat --head 2" + by + rest).out, "line 0\nline 1\nline 2\n") << by;
    EXPECT_EQ(shell("{ $riffle cat --range 2:2" + by + rest).out, "line 1\nline 2\n") << by;
    EXPECT_EQ(shell("{ $riffle cat --tail 1" + by + rest).out, "line 49999\n") << by;
    const std::string all = "{ read line; $riffle cat --tail 50000 --method " + std::string(name_of(used));
    EXPECT_EQ(shell(all + " | sed -n 1p; " + rest).out, "line 1\n") << by;
  }
  EXPECT_EQ(shell("{ $riffle cat | tail -n 1; head -n 1; } < " + file.path().string()).out, "line 49999\n");
}

TEST(cat, leaves_standard_input_behind_the_last_row) {
  const temporary_file file(numbered_lines(50'000));
  const std::string name = file.path().string();
  const std::string fields = "$riffle cat --plain --separator ' ' --columns 2 ";
  for (const method used : usable_methods()) {
    const std::string by = " --method " + std::string(name_of(used));
    const auto and_then = [&](const std::string& command) {
      return shell("{ read; " + fields + command + by + "; head -n 1; } < " + name).out;
    };
    EXPECT_EQ(and_then("--head 2"), "1\n2\nline 3\n") << by;
    EXPECT_EQ(and_then("--range 2:2"), "2\nline 3\n") << by;
    EXPECT_EQ(and_then("--head 0"), "line 1\n") << by;
    EXPECT_EQ(and_then("--range 49999:"), "49999\n") << by;
    EXPECT_EQ(shell(fields + "--head 2 - -" + by + " < " + name).out, "0\n1\n2\n3\n") << by;
  }
  const std::string rest = "--tsv --columns 1 --strip-cr --head 1; cat; } < ";
  const temporary_file carriage_returns("a\r\nb\r\n");
  EXPECT_EQ(shell("{ $riffle cat " + rest + carriage_returns.path().string()).out, "a\nb\r\n");
  const temporary_file unended("a");
  EXPECT_EQ(shell("{ $riffle cat " + rest + unended.path().string()).out, "a\n");
}

TEST(cat, numbers_rows_on_behind_a_file_that_fails) {
  expect_rows(
      {{"printf 'a\\nb\\n\"c\\nd\\n' > bad; printf 'x\\ny\\n' > good; $riffle cat -n --columns 1 --quote "
        "'\"' --separator , bad good",
        "     1\ta\n     2\tb\n     3\tx\n     4\ty\n", _, 1}});
}

TEST(cat, bounds_the_memory_of_the_last_lines) {
  if (build::instrumented) GTEST_SKIP() << "a sanitizer takes memory of its own";
  const shell_result found = shell("yes | head -c 100M | $riffle cat --tail 3");
  EXPECT_EQ(found.out, "y\ny\ny\n") << found.err;
  const std::string many = "head -c 100M /dev/zero | tr '\\0' '\\n'";
  EXPECT_LT(peak_memory("cat --tail 3", many) - peak_memory("cat --tail 3", "echo"), 12 * 1024);
  for (const auto& [options, copied] : {std::pair("--tail 3 ", ""), {"", "ab\n"}}) {
    expect_rows({{std::string("printf 'ab\\nabcdef\\n' | $riffle cat --max-length 3 ") + options, copied,
                  "riffle: cannot read 'standard input' at byte 3: the record is longer than the limit; use "
                  "a larger --max-length\n",
                  1}});
  }
}

TEST(cat, reads_files_whose_size_is_wrong) {
  expect_rows({{"$riffle cat /proc/sys/kernel/ostype", "Linux\n"},
               {"$riffle cat --tail 1 /proc/cpuinfo | wc -l", "1\n"},
               {"$riffle cat --head 1 /proc/sys/kernel/ostype", "Linux\n"}});
}

// Each line of the script runs a GNU tool and riffle on all inputs.
TEST(cat, gives_what_gnu_tools_give) {
  const temporary_directory folder;
  const auto make = [&](const char* name, const std::string& text) {
    std::ofstream(folder.path() / name, std::ios::binary) << text;
  };
  make("empty", "");
  make("newline", "\n");
  make("newlines", "\n\n\n");
  make("no-end", "a\nb\nc");
  make("crlf", "a\r\nb\r\n\r\n");
  make("nul", std::string("a\0b\n\0\nc\0", 8));
  make("bytes", patterned_bytes(100'000));
  make("lines", numbered_lines(100'000));
  std::string long_lines;
  for (const char each : std::string_view("abcde")) long_lines.append(200'000, each) += '\n';
  make("long", long_lines);
  make("huge", std::string(700'000, 'x') + "\n" + std::string(700'000, 'y') + "\nend");
  const std::string script = R"(
    same_file() {  # same_file FILE 'OPTIONS OF RIFFLE' COMMAND...
      local file=$1 options=$2; shift 2
      cmp -s <($riffle cat $options $file) <("$@" < $file) || echo "differs: riffle cat $options $file"
    }
    same() {
      same_file "$@"
      local file=$1 options=$2; shift 2
      cmp -s <(cat $file | $riffle cat $options) <("$@" < $file) || echo "differs: riffle cat $options of a pipe of $file"
    }
    for file in *; do
      same $file '' cat
      same $file --lines cat
      same $file --number cat -n
      for by in automatic read stdio mmap; do
        for size in 0 3 4097; do
          [[ $size == 3 && $file == @(bytes|lines|long|huge) ]] && continue
          same_file $file "--number --method $by --block-size $size" cat -n
          same_file $file "--lines --strip-cr --range 2: --method $by --block-size $size" sed -e '1d;s/\r$//' -e '$a\'
          same_file $file "--tail 3 --method $by --block-size $size" tail -n 3
        done
      done
      for n in 0 1 3 100000; do
        same $file "--head $n" head -n $n
        same $file "--tail $n" tail -n $n
      done
      for range in 2,3 500,99999; do
        same $file "--range ${range/,/:}" sed -n "${range}p"
      done
      same $file "--range 3:" tail -n +3
      same $file '--tail 3 --number' bash -c 'cat -n | tail -n 3'
      same $file '--delimiter a --to-delimiter Z' tr a Z
      same $file '--delimiter \0 --to-delimiter \n' tr '\0' '\n'
      same $file '--delimiter \0 --head 2' head -z -n 2
      same $file '--delimiter \0 --tail 2' tail -z -n 2
    done)";
  EXPECT_EQ(shell("cd " + folder.path().string() + "; " + script).out, "");
}

}  // namespace
}  // namespace riffle::test
