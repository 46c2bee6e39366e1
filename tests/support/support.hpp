/// What the suites share: children, texts, and by its headers files, pipes, naive oracles and methods.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <source_location>
#include <string>
#include <string_view>

#include "tests/support/files.hpp"
#include "tests/support/oracles.hpp"
#include "tests/support/reading.hpp"

namespace riffle::test {

/// Expects that a child that runs `f` ends with this status, before `f` returns.
template <class F>
void expect_exit(int status, F f, std::source_location from = std::source_location::current()) {
  const testing::ScopedTrace trace(from.file_name(), static_cast<int>(from.line()), "in a child");
  constexpr int returned = 100;
  EXPECT_EXIT(
      {
        f();
        std::_Exit(returned);
      },
      testing::ExitedWithCode(status), "");
}

/// Expects that `f` returns true in a child.
template <class F>
void expect_in_child(F f, std::source_location from = std::source_location::current()) {
  expect_exit(0, [&] { std::_Exit(f() ? 0 : 1); }, from);
}

/// As the suffix of a test's name.
inline std::string method_name(const testing::TestParamInfo<method>& tested) {
  return std::string(name_of(tested.param));
}

/// Returns the error that `f` throws; the test fails if it throws none.
template <class F>
error thrown_by(F f) {
  if (const auto thrown = error_of(f)) return *thrown;
  ADD_FAILURE() << "no error was thrown";
  return {std::error_code(), "", ""};
}

/// `size` bytes in which no two pages are alike, and every page has spaces and newlines.
inline std::string patterned_bytes(std::size_t size) {
  std::string bytes(size, '\0');
  std::uint64_t state = 1;
  for (char& byte : bytes) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    byte = "acgtACGT \n"[(state >> 33) % 10];
  }
  return bytes;
}

/// Numbered lines, `count` of them: each byte tells where it stands.
inline std::string numbered_lines(std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += "line " + std::to_string(i) + "\n";
  return text;
}

}  // namespace riffle::test
