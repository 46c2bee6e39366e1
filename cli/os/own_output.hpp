/// Detects an input that is also standard output: copying it would never end.
#pragma once

#include <cstdint>
#include <filesystem>

namespace riffle::os {

/// Returns whether standard output is a regular file, and the same as this one.
bool is_standard_output(const std::filesystem::path& file);

/// Returns whether copying an open input from `position` on to standard output would read what it writes:
/// both are one regular file, and the output's next byte goes after the input's, as GNU cat has it, or gets
/// there because the copy is `longer` than its input. What was printed before must have been flushed.
bool copy_would_never_end(int input, std::uint64_t position, bool longer);

}  // namespace riffle::os
