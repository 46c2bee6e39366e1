/// Tests of the tool and of the examples run them as a user does, in a shell, from where the build put them.
#pragma once

#include <string>

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

/// Returns the most memory that `riffle ARGUMENTS` has, in KiB, if it reads what the command `from` writes.
/// An emulator has memory of its own: compare it with that for a small input.
long peak_memory(const std::string& arguments, const std::string& from = "true");

}  // namespace riffle::test
