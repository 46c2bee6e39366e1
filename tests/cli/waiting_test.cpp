/// What a command has found, it writes before it waits; and it waits for who reads its output.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

// Makes files that each command reads, and a FIFO.
std::string in(const temporary_directory& directory) {
  return "cd " + directory.path().string() +
         " && mkfifo fifo && printf '>s\\nAC\\n' > fa && printf '@r\\nAC\\n+\\nII\\n' > fq"
         " && printf '1\\n' > n && printf 12345678 > u8 && ";
}

TEST(tool, writes_the_rows_of_a_file_before_it_waits_for_the_next_one) {
  for (const char* command :
       {"wc n", "wc -l n", "wc -c n", "wc --json n", "wc --threads 2 n", "count --lines n",
        "count --json --byte 1 n", "count --lines --threads 2 n", "count --byte 1 --per-line n",
        "count --fasta fa", "count --fasta --json fa", "count --fastq fq", "sum --type u8 u8",
        "sum --stats --field 1 n", "sum --json --field 1 n", "cat n", "cat --tail 1 n", "cat --fields 1 n",
        "advise n"}) {
    for (const char* next : {"fifo", "-"}) {
      const temporary_directory directory;
      const shell_result found =
          shell(in(directory) + "exec {held}<>fifo; exec {in}< <(timeout 30 $riffle " + command + " " + next +
                (std::string_view(next) == "fifo" ? "" : " <&$held") +
                "); IFS= read -r -t 20 -u $in row; echo \"$? $row\"; kill $! 2> /dev/null; exec {held}>&-");
      EXPECT_EQ(found.out.substr(0, 2), "0 ") << command << ' ' << next << found.err;
      EXPECT_GT(found.out.size(), 3U) << command << ' ' << next;
    }
  }
}

TEST(tool, writes_the_rows_of_a_file_before_it_waits_for_the_writer_of_the_next_one) {
  for (const char* command :
       {"wc -l n", "wc --threads 2 n", "count --lines n", "count --lines --threads 2 n",
        "count --byte 1 --per-line n", "count --fasta fa", "count --fastq fq", "sum --type u8 u8", "cat n"}) {
    const temporary_directory directory;
    const shell_result found = shell(in(directory) + "exec {in}< <(timeout 30 $riffle " + command +
                                     " fifo); IFS= read -r -t 20 -u $in row; echo \"$? $row\"; kill $!");
    EXPECT_EQ(found.out.substr(0, 2), "0 ") << command << found.err;
  }
}

TEST(tool, writes_the_rows_of_many_files_before_it_reads_a_pipe) {
  for (const char* command : {"1 wc n", "1 wc --threads 2 n", "1 count --lines n", "1 count --fasta fa",
                              "3 count --fastq fq", "1 sum --type u8 u8", "1 cat n"}) {
    const temporary_directory directory;
    const shell_result found =
        shell(in(directory) + "set -- " + command + "; rows=$(($1 * 256)); shift" +
              "; for i in {1..255}; do set -- \"$@\" \"${@: -1}\"; done; exec {held}<>fifo" +
              "; exec {in}< <(timeout 30 $riffle \"$@\" fifo); timeout 20 head -n $rows <&$in | "
              "wc -l | grep -x $rows; kill $! 2> /dev/null; exec {held}>&-");
    EXPECT_NE(found.out, "") << command << found.err;
  }
}

TEST(tool, writes_each_sequence_when_the_next_one_begins) {
  const shell_result found = shell(
      "coproc $riffle count --fasta; out=${COPROC[0]} in=${COPROC[1]}; printf '>a\\nAC\\n>' >&$in"
      "; for name in b c; do IFS= read -r -t 20 -u $out row && echo \"$row\" || exit 1"
      "; printf \"$name\\nG\\n>\" >&$in; done; exec {in}>&-; wait");
  EXPECT_EQ(found.out, "a\t2\t1\t1\t0\t0\t0\t50.00\nb\t1\t0\t0\t1\t0\t0\t100.00\n");
}

TEST(tool, waits_for_a_slow_reader_of_an_output_that_does_not_block) {
  if (shell("command -v perl").status != 0) GTEST_SKIP() << "perl is not there";
  // Fills the pipe before the command starts.
  const std::string start =
      "perl -MFcntl -e 'fcntl(STDOUT, F_SETFL, O_NONBLOCK | fcntl(STDOUT, F_GETFL, 0))"
      "; $| = 1; 1 while syswrite(STDOUT, \"=\" x 4096); 1 while syswrite(STDOUT, \"=\"); exec @ARGV' ";
  for (const char* command :
       {"wc n n", "wc --json n", "count --lines n n", "count --byte 1 --per-line n", "count --fasta fa",
        "count --fastq fq", "sum --type u8 u8 u8", "sum --stats --field 1 n", "cat n n", "cat --number n",
        "advise n", "methods", "--version", "--help", "wc --help", "bench --help", "bench --list",
        "--generate man", "--generate zsh"}) {
    const temporary_directory directory;
    const std::string setting = in(directory);
    const shell_result expected =
        shell("cd " + directory.path().string() + "; " + setting + "$riffle " + command);
    const temporary_directory other;
    const shell_result found = shell(in(other) + "set -o pipefail; " + start + "$riffle " + command +
                                     " | (sleep 0.2; tr -d =); echo ${PIPESTATUS[*]}");
    std::string without = expected.out;
    std::erase(without, '=');
    EXPECT_EQ(found.out, without + "0 0\n") << command << found.err;
    EXPECT_EQ(found.err, "") << command;
  }
}

TEST(tool, advises_on_a_fifo_that_has_no_writer) {
  const temporary_directory directory;
  for (const char* command : {"advise fifo", "advise --measure fifo"}) {
    const shell_result found =
        shell("cd " + directory.path().string() + "; mkfifo fifo 2> /dev/null; timeout 20 $riffle " +
              command + "; echo $?");
    EXPECT_NE((found.out + found.err).find("a pipe, "), std::string::npos) << found.out << found.err;
    EXPECT_EQ(found.out.find("124\n"), std::string::npos) << command;
  }
}

}  // namespace
}  // namespace riffle::test
