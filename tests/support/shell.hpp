/// Tests of the tool and of the examples run them as a user does, in a shell, from where the build put them.
#pragma once

#include <gmock/gmock.h>

#include <source_location>
#include <string>
#include <vector>

namespace riffle::test {

/// Absolute paths. Only build.cpp knows them from the build, so that another path recompiles one file.
struct build {
  static const char* const tool;
  static const char* const examples;  // a folder; empty if the examples are not built
  static const char* const programs;  // the folder of riffle-hot-loops and riffle-peak-memory
  static const char* const slow_fs;   // empty if riffle-slow-fs is not built
  static const char* const compiler;
  static const char* const sources;  // the root of the project
  static const char* const shared_library;
  static const bool
      instrumented;  // by a sanitizer or for coverage, which cost memory, calls and instructions
};

/// How a command ended and what it said.
struct shell_result {
  int status;  // 128 + the signal if a signal killed it
  std::string out;
  std::string err;
};

/// Runs `command` in bash, in the C locale. "$riffle" is the tool, "$examples" the folder of the examples,
/// "$programs" that of the programs in tests/cost.
shell_result shell(const std::string& command);

/// What a command has to write, and how it has to end. A text is the whole one, or a matcher:
/// testing::HasSubstr.
struct command_row {
  using text = testing::Matcher<const std::string&>;
  std::string command;
  text out = "";
  text err = "";
  int status = 0;
};

/// Runs the command of each row, after the command `setting`, in a folder of its own that has `a` (2 lines, 3
/// words, 10 bytes), `b` (1 line, 1 word, 3 bytes), an empty `e` and a folder `d`. `wc` is riffle called as
/// wc.
void expect_rows(const std::vector<command_row>& rows, const std::string& setting = "true",
                 std::source_location from = std::source_location::current());

/// Expects the same of each of the commands, which stand for `{}` in that of the row.
void expect_each(const std::vector<std::string>& commands, const command_row& row,
                 const std::string& setting = "true",
                 std::source_location from = std::source_location::current());

/// Returns the most memory that `riffle ARGUMENTS` has, in KiB, if it reads what the command `from` writes.
/// An emulator has memory of its own: compare it with that for a small input.
long peak_memory(const std::string& arguments, const std::string& from = "true");

}  // namespace riffle::test
