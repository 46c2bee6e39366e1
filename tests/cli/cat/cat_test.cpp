/// `riffle cat` beside the tools that people use for the same; where it stops reading, and its memory.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

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

TEST(cat, bounds_the_memory_of_the_last_lines) {
  if (build::instrumented) GTEST_SKIP() << "a sanitizer takes memory of its own";
  const shell_result found = shell("yes | head -c 100M | $riffle cat --tail 3");
  EXPECT_EQ(found.out, "y\ny\ny\n") << found.err;
  const std::string many = "head -c 100M /dev/zero | tr '\\0' '\\n'";
  EXPECT_LT(peak_memory("cat --tail 3", many) - peak_memory("cat --tail 3", "echo"), 12 * 1024);
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
