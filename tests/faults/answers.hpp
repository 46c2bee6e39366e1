/// What a user gets of a file by every way to read: the right answer, or a right beginning and an error.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "tests/support/posix/ways.hpp"

namespace riffle::test {

/// The answer by `blocks` to a file that should hold `truth`.
inline ending answer_in_blocks(const std::filesystem::path& file, std::string_view truth,
                               const read_options& reading) {
  const way& blocks = way_named("blocks");
  return read_by(blocks, file, expecting(blocks, truth, {.reading = reading}));
}

/// The answers of all ways, to a file whose size is a multiple of 8.
inline std::vector<ending> answers(const std::filesystem::path& file, std::string_view truth,
                                   const read_options& reading) {
  std::vector<ending> all;
  for (const way& how : ways())
    all.push_back(read_by(how, file, expecting(how, truth, {.reading = reading})));
  return all;
}

/// Fails the test unless each answer is right and whole, or right and an error of this file with one of the
/// codes, and with the offset if there is one.
inline void expect_right_or_error(const std::vector<ending>& given, const std::filesystem::path& file,
                                  const std::vector<std::error_condition>& codes,
                                  std::optional<std::uint64_t> offset = std::nullopt) {
  for (const ending& each : given) {
    SCOPED_TRACE(each.way);
    EXPECT_EQ(fault_of(each), "");
    EXPECT_FALSE(each.out_of_memory);
    if (!each.failure) continue;
    const error& failure = *each.failure;
    const auto is_its_code = [&](const auto& code) { return failure.code() == code; };
    EXPECT_TRUE(std::ranges::any_of(codes, is_its_code)) << failure.what();
    EXPECT_FALSE(failure.operation().empty()) << failure.what();
    EXPECT_EQ(failure.path(), file.string());
    if (offset && each.way != "parallel_rows") {  // whose blocks begin where a row does
      EXPECT_EQ(failure.offset(), offset) << failure.what();
    }
  }
}

/// The same, and each answer must be an error.
inline void expect_errors(const std::vector<ending>& given, const std::filesystem::path& file,
                          const std::vector<std::error_condition>& codes,
                          std::optional<std::uint64_t> offset = std::nullopt) {
  expect_right_or_error(given, file, codes, offset);
  for (const ending& each : given) EXPECT_TRUE(each.failure) << each.way << ": no error";
}

/// Fails the test unless each answer is right, whole and without an error.
inline void expect_whole(const std::vector<ending>& given) {
  for (const ending& each : given) {
    EXPECT_FALSE(each.failure) << each.way << ": " << each.failure->what();
    EXPECT_EQ(fault_of(each), "") << each.way;
    EXPECT_TRUE(each.whole()) << each.way;
  }
}

}  // namespace riffle::test
