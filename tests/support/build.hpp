/// Where the build put the programs under test, and how it compiled them.
#pragma once

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

}  // namespace riffle::test
