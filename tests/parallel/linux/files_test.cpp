/// Threads that take many files side by side write what one thread writes, byte by byte and in the same
/// order, results and errors alike.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "tests/support/build.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

namespace fs = std::filesystem;

// Lines of text whose number and length differ from file to file.
std::string text_of(std::size_t number) {
  return std::string(number % 7, '\n') + std::string(number % 301, 'x') + " y\tz\n" +
         std::to_string(number * number);
}

// A folder that the tests run in, filled once.
class folder {
 public:
  static constexpr std::size_t small_files = 700;  // more than are looked at before the first is read

  folder() : path_(fs::temp_directory_path() / ("riffle-files-" + std::to_string(::getpid()))) {
    fs::create_directories(path_ / "folder");
    add("empty", "");
    add("middle", patterned_bytes(5U << 20U));
    add("large", patterned_bytes(20U << 20U));
    for (std::size_t number = 0; number < small_files; ++number) {
      add("small" + std::to_string(1000 + number), text_of(number));
    }
    // What takes long comes first, so that what comes next is done before it.
    add("falling1", patterned_bytes(15U << 20U));
    add("falling2", patterned_bytes(1U << 20U));
    add("falling3", "a\n");
  }
  folder(const folder&) = delete;
  folder& operator=(const folder&) = delete;
  ~folder() { fs::remove_all(path_); }

  /// Runs a command there, its errors among its output.
  static shell_result run(const std::string& command) {
    static const folder made;
    return shell("cd " + made.path_.string() + " && { " + command + "; } 2>&1");
  }

 private:
  void add(const std::string& name, std::string_view bytes) const {
    std::ofstream(path_ / name, std::ios::binary) << bytes;
  }
  fs::path path_;
};

constexpr const char* thread_counts[] = {"2", "5", "0"};

// One of each kind, and some of them in between others.
constexpr const char* mixed =
    " small1000 missing small1001 folder empty large small1002 - /proc/version missing small1003 middle - "
    "large"
    " small1004 /dev/null small1005 folder small1006 < small1100";

TEST(files, threads_write_what_one_thread_writes) {
  for (const char* command : {"wc", "wc -l", "wc -lm", "count --lines", "count --any-of xyz"}) {
    const std::string tool = std::string("$riffle ") + command;
    const shell_result expected = folder::run(tool + mixed);
    EXPECT_EQ(expected.status, 1);
    EXPECT_NE(expected.out.find("cannot open 'missing'"), std::string::npos) << expected.out;
    for (const char* threads : thread_counts) {
      const shell_result ours = folder::run(tool + " --threads " + threads + mixed);
      EXPECT_EQ(ours.out, expected.out) << command << " " << threads;
      EXPECT_EQ(ours.status, 1);
    }
  }
}

TEST(files, equal_gnu) {
  for (const std::string files : {"small1000 missing large empty /proc/version - small1001 - < middle",
                                  "missing empty", "empty /dev/null small1000", "small* missing small* empty",
                                  "small* /dev/null large - /proc/version < empty", "small* folder",
                                  "falling1 falling2 falling3 missing small* missing falling3"}) {
    for (const char* columns : {"", "-l", "-w", "-lc"}) {
      const std::string arguments = std::string(columns) + " " + files;
      // A folder has a row of zeros there; errors are worded otherwise.
      const std::string rows = " 2>/dev/null | grep -v ' folder$'";
      const shell_result expected = folder::run("wc " + arguments + rows);
      for (const char* threads : {"1", "2", "5", "0"}) {
        const shell_result ours =
            folder::run(std::string("$riffle wc --threads ") + threads + " " + arguments + rows);
        EXPECT_TRUE(ours.out == expected.out) << arguments << " by " << threads << " threads:\n" << ours.out;
      }
    }
  }
}

// What a pipe holds belongs to the first that names it, however many threads there are.
TEST(files, read_pipes_in_their_turn) {
  for (const char* threads : {"1", "2", "5"}) {
    const std::string tool = std::string("timeout 20 $riffle wc -l --threads ") + threads;
    EXPECT_EQ(folder::run("seq 200000 | " + tool + " - empty /dev/stdin - empty").out,
              " 200000 -\n      0 empty\n      0 /dev/stdin\n      0 -\n      0 empty\n 200000 total\n")
        << threads;
    EXPECT_EQ(folder::run(tool + " <(seq 3) small1000 <(seq 100000) | tr -s ' ' | sed 's/^ //; s: .*::'").out,
              "3\n1\n100000\n100004\n")
        << threads;
    // The writer of the second waits until the first is read.
    EXPECT_EQ(folder::run("rm -f fifo; mkfifo fifo; { seq 100000; exec >&-; seq 5 > fifo; } | " + tool +
                          " small1000 - fifo | tr -s ' ' | sed 's/^ //'")
                  .out,
              "1 small1000\n100000 -\n5 fifo\n100006 total\n")
        << threads;
  }
}

// The reader of the first row keeps the pipe open until it has it.
TEST(files, hold_no_row_back_before_a_pipe) {
  for (const char* threads : {"1", "2"}) {
    const shell_result result =
        folder::run(std::string("rm -f fifo; mkfifo fifo; timeout 20 $riffle wc -l --threads ") + threads +
                    " small* fifo | { exec 9>fifo; head -n 1; exec 9>&-; cat > /dev/null; } | tr -s ' '");
    EXPECT_EQ(result.out, " 1 small1000\n") << threads;
    EXPECT_EQ(result.status, 0) << threads;
  }
}

TEST(files, are_opened_once) {
  if (build::instrumented) GTEST_SKIP() << "a sanitizer opens files of its own";
  if (shell("strace -o /dev/null true").status != 0) GTEST_SKIP() << "strace cannot run here";
  for (const char* method : {"automatic", "read", "mmap", "stdio", "iostream"}) {
    for (const char* files : {"large", "small1000 large middle"}) {
      const std::string traced =
          std::string("strace -f -e trace=?open,openat -o calls $riffle wc --threads 2 --method ") + method +
          " " + files;
      EXPECT_EQ(folder::run(traced + " > /dev/null; grep -c '\"large\"' calls").out, "1\n") << traced;
    }
  }
}

// Several threads ask once more at the end, as none of them may have met it.
TEST(files, are_asked_once_for_their_size_by_one_thread_and_twice_by_several) {
  if (build::instrumented) GTEST_SKIP() << "a sanitizer makes system calls of its own";
  if (shell("strace -o /dev/null true").status != 0) GTEST_SKIP() << "strace cannot run here";
  for (const char* times : {"1", "2"}) {
    const std::string traced =
        std::string(
            "strace -f -y -e trace=openat,newfstatat,fstat,stat,statx -o calls $riffle wc --method read ") +
        "--threads " + times + " large";
    EXPECT_EQ(folder::run(traced + " > /dev/null; grep stat calls | grep -c large").out,
              std::string(times) + "\n")
        << traced;
  }
}

// All large, all opened before the first is finished: but few at a time.
TEST(files, wait_for_their_turn_without_piling_up) {
  const std::string many = " falling1 $(yes large | head -n 60)";
  const shell_result expected = folder::run("$riffle wc -l" + many);
  EXPECT_EQ(folder::run("ulimit -n 24; $riffle wc -l --threads 5" + many).out, expected.out);
}

TEST(files, counted_up_to_a_failure_have_their_row) {
  for (const char* files : {"/proc/self/mem", "small1000 /proc/self/mem small1001"}) {
    const shell_result expected = folder::run(std::string("$riffle wc ") + files);
    EXPECT_NE(expected.out.find("at byte 0"), std::string::npos) << expected.out;
    EXPECT_NE(expected.out.find(" 0 /proc/self/mem\n"), std::string::npos) << expected.out;
    EXPECT_EQ(folder::run(std::string("$riffle wc --threads 2 ") + files).out, expected.out);
  }
}

TEST(files, stop_when_the_output_is_lost) {
  for (const char* command : {"wc", "wc --threads 5", "count --lines --threads 5"}) {
    for (const char* files : {"small*", "small1000 missing", "large small*"}) {
      const shell_result result =
          folder::run(std::string("$riffle ") + command + " " + files + " 2>&1 >/dev/full | grep -v missing");
      EXPECT_EQ(result.out, "riffle: cannot write 'standard output': No space left on device\n")
          << command << " " << files;
    }
  }
}

}  // namespace
}  // namespace riffle::test
