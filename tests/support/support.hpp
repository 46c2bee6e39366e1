/// What the suites begin with: GoogleTest, the headers of the standard that most of them use, files and
/// pipes, naive oracles, methods, children and texts. A suite that includes this includes none of these
/// again.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <random>
#include <source_location>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/support/files.hpp"
#include "tests/support/oracles.hpp"
#include "tests/support/reading.hpp"

/// A suite whose tests run with each method that this machine has for a file, or for an input of a kind.
#define EACH_METHOD(suite, ...)                           \
  class suite : public testing::TestWithParam<method> {}; \
  INSTANTIATE_TEST_SUITE_P(methods, suite, testing::ValuesIn(usable_methods(__VA_ARGS__)), method_name)

namespace riffle::inline v0 {

inline void PrintTo(const error& shown, std::ostream* out) {
  *out << shown.code() << ": " << shown.what();
}

}  // namespace riffle::inline v0

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

/// Matches an error of this code, and of this offset, with these words and of this path if they are given.
template <class Code>
testing::Matcher<const error&> is_error(Code code, std::optional<std::uint64_t> offset = {},
                                        std::string_view words = {},
                                        std::optional<std::string_view> path = {}) {
  return testing::Truly([=, words = std::string(words), any = !path,
                         path = std::string(path.value_or(""))](const error& found) {
    return found.code() == code && (!offset || found.offset() == offset) && (any || found.path() == path) &&
           std::string_view(found.what()).find(words) != words.npos;
  });
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

/// A text, so many times.
inline std::string repeated(std::string_view part, std::size_t count) {
  std::string text;
  for (; count != 0; --count) text += part;
  return text;
}

/// Numbered lines, `count` of them: each byte tells where it stands.
inline std::string numbered_lines(std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += "line " + std::to_string(i) + "\n";
  return text;
}

}  // namespace riffle::test
