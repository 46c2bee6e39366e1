/// What a user gets of a file by every way to read: the right answer, or a right beginning and an error.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <ostream>
#include <string_view>
#include <vector>

#include "tests/support/support.hpp"

namespace riffle::test {

/// What one way gave.
struct answer {
  std::string_view way;
  bool right = false;  // everything that was delivered is how the truth begins
  bool whole = false;  // it is all of the truth
  std::optional<error> failure;
};

/// The answers of all ways to a file that should hold `truth`, whose size is a multiple of 8.
std::vector<answer> answers(const std::filesystem::path& file, std::string_view truth,
                            const read_options& reading);

/// The same by `blocks` alone.
answer answer_in_blocks(const std::filesystem::path& file, std::string_view truth,
                        const read_options& reading);

/// Fails the test unless each answer is right and whole, or right and an error of this file with the code,
/// and with the offset if there is one.
void expect_right_or_error(const std::vector<answer>& given, const std::filesystem::path& file,
                           const std::vector<std::error_condition>& codes,
                           std::optional<std::uint64_t> offset = std::nullopt);

/// The same, and each answer must be an error.
void expect_errors(const std::vector<answer>& given, const std::filesystem::path& file,
                   const std::vector<std::error_condition>& codes,
                   std::optional<std::uint64_t> offset = std::nullopt);

/// Fails the test unless each answer is right, whole and without an error.
void expect_whole(const std::vector<answer>& given);

}  // namespace riffle::test
