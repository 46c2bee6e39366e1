/// What a command has found, it writes before it waits; and it waits for who reads its output.
#include <gmock/gmock.h>

#include <array>
#include <string>
#include <vector>

#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

using testing::_;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Ne;

// Makes files that each command reads, and a FIFO.
const std::string files =
    "mkfifo fifo; printf '>s\\nAC\\n' > fa; printf '@r\\nAC\\n+\\nII\\n' > fq; printf '1\\n' > n; printf "
    "12345678 > u8";

TEST(tool, writes_the_rows_of_a_file_before_it_waits_for_the_next_one) {
  const std::vector<std::string> commands = naive_fields(
      "wc n|wc -l n|wc -c n|wc --json n|wc --threads 2 n|count --lines n|count --json --byte 1 n|count "
      "--lines --threads 2 n|count --byte 1 --per-line n|count --fasta fa|count --fasta --json fa|count "
      "--fastq fq|sum --type u8 u8|sum --stats --tsv --column 1 n|sum --json --tsv --column 1 n|cat n|cat "
      "--tail 1 n|cat --columns 1 n|advise n",
      '|');
  // A FIFO that has a writer, standard input, and a FIFO that has none.
  for (const auto& [held, next] :
       {std::pair("<>fifo", "fifo"), {"<>fifo", "- <&$held"}, {"</dev/null", "fifo"}}) {
    expect_each(
        commands,
        {std::string("exec {held}") + held + "; exec {in}< <(exec $riffle {} " + next +
             "); IFS= read -r -t 20 -u $in row; echo \"$? $row\"; kill $! 2> /dev/null; exec {held}>&-",
         MatchesRegex("0 .(.|\n)*"), _},
        files);
  }
}

TEST(tool, writes_the_rows_of_many_files_before_it_reads_a_pipe) {
  expect_each({"1 wc n", "1 wc --threads 2 n", "1 count --lines n", "1 count --fasta fa",
               "3 count --fastq fq", "1 sum --type u8 u8", "1 cat n"},
              {"set -- {}; rows=$(($1 * 256)); shift; for i in {1..255}; do set -- \"$@\" \"${@: -1}\"; "
               "done; exec {held}<>fifo; exec {in}< <(exec $riffle \"$@\" fifo); timeout 20 head -n $rows "
               "<&$in | wc -l | grep -x $rows; kill $! 2> /dev/null; exec {held}>&-",
               Ne(""), _},
              files);
}

TEST(tool, writes_each_sequence_when_the_next_one_begins) {
  const shell_result found = shell(
      "coproc $riffle count --fasta; out=${COPROC[0]} in=${COPROC[1]}; printf '>a\\nAC\\n>' >&$in; for name "
      "in b c; do IFS= read -r -t 20 -u $out row && echo \"$row\" || exit 1; printf \"$name\\nG\\n>\" >&$in; "
      "done; exec {in}>&-; wait");
  EXPECT_EQ(found.out, "a\t2\t1\t1\t0\t0\t0\t50.00\nb\t1\t0\t0\t1\t0\t0\t100.00\n");
}

TEST(tool, waits_for_a_slow_reader_of_an_output_that_does_not_block) {
  if (shell("command -v perl").status != 0) GTEST_SKIP() << "perl is not there";
  // Fills the pipe before the command starts. All commands wait at the same time.
  expect_rows({{R"sh(
    slowly() {
      perl -MFcntl -e 'fcntl(STDOUT, F_SETFL, O_NONBLOCK | fcntl(STDOUT, F_GETFL, 0));
        $| = 1; 1 while syswrite(STDOUT, "=" x 4096); 1 while syswrite(STDOUT, "="); exec @ARGV' "$@"
    }
    compare() {
      expected=$($riffle $1 | tr -d =; echo 0 0)
      found=$(slowly $riffle $1 | (sleep 0.2; tr -d =); echo ${PIPESTATUS[*]})
      [ "$found" = "$expected" ] || echo "$1: $found"
    }
    for command in 'wc n n' 'wc --json n' 'count --lines n n' 'count --byte 1 --per-line n' 'count --fasta fa' \
        'count --fastq fq' 'sum --type u8 u8 u8' 'sum --stats --tsv --column 1 n' 'cat n n' 'cat --number n' 'advise n' \
        methods --version --help 'wc --help' 'bench --help' 'bench --list' '--generate man' '--generate zsh'; do
      compare "$command" &
    done
    wait)sh"}},
              files);
}

TEST(cat, writes_what_has_come_before_it_waits_for_more) {
  // The options, what comes out for "a\tb" and for "c\td", and its delimiter.
  std::vector<std::array<std::string, 4>> cases{
      {"", "a\tb", "c\td", "\\n"},
      {"--lines", "a\tb", "c\td", "\\n"},
      {"--max-length 100", "a\tb", "c\td", "\\n"},
      {"--number", "     1\ta\tb", "     2\tc\td", "\\n"},
      {"--strip-cr", "a\tb", "c\td", "\\n"},
      {"--to-delimiter ';'", "a\tb", "c\td", ";"},
      {"--tsv --columns 2", "b", "d", "\\n"},
      {"--tsv --columns 2 --threads 2", "b", "d", "\\n"},
      {"--columns 1 --quote '\"' --separator '\\t'", "a", "c", "\\n"},
      {"--head 5", "a\tb", "c\td", "\\n"},
      {"--every 1~1", "a\tb", "c\td", "\\n"},
      {"-v --containing x", "a\tb", "c\td", "\\n"},
      {"--tsv --where 1!=x", "a\tb", "c\td", "\\n"},
      {"--range 1:", "a\tb", "c\td", "\\n"},
      {"--block-size 1", "a\tb", "c\td", "\\n"},
  };
  for (const method used : usable_methods(input_kind::stream)) {
    const std::string options = "--method " + std::string(name_of(used));
    cases.push_back({options, "a\tb", "c\td", "\\n"});
    cases.push_back({options + " --number", "     1\ta\tb", "     2\tc\td", "\\n"});
  }
  for (const auto& [options, first, second, delimiter] : cases) {
    expect_rows({{"coproc $riffle cat " + options +
                      "; out=${COPROC[0]} in=${COPROC[1]}; for line in 'a\tb' 'c\td'; do echo \"$line\" "
                      ">&$in; IFS= read -r -t 20 -d $'" +
                      delimiter + "' -u $out got && echo \"$got\" || exit 1; done; exec {in}>&-; wait",
                  first + "\n" + second + "\n", _}});
  }
}

TEST(cat, writes_the_start_of_a_line_at_once_unless_it_writes_whole_lines) {
  const auto expect = [](const std::string& options, const std::string& seconds, const std::string& got) {
    expect_rows({{"coproc $riffle cat " + options + "; printf abc >&${COPROC[1]}; read -r -t " + seconds +
                      " -N 3 -u ${COPROC[0]} got; echo \"$got\"",
                  got, _}});
  };
  expect("--lines", "0.3", "\n");
  expect("--max-length 100", "0.3", "\n");
  expect("", "20", "abc\n");
}

TEST(tool, advises_on_a_fifo_that_has_no_writer) {
  expect_each({"advise fifo", "advise --measure fifo"},
              {"timeout 20 $riffle {} 2>&1; [ $? != 124 ]", HasSubstr("a pipe, ")}, "mkfifo fifo");
}

}  // namespace
}  // namespace riffle::test
