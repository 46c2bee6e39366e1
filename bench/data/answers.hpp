/// What a process answers in text, as an answer that can be compared: numbers by their values.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "bench/data/task.hpp"

namespace riffle::bench {

/// Returns a decimal number in the one form that its value has: "2e-1" for "0.20", ".2" and "+2E-1". Nothing
/// if the text is something else than one number, but for white space around it.
std::optional<std::string> number_in(std::string_view text);

/// Returns the runs of digits at these places of a line, 0 for the first, as one text: "12 7". Nothing if it
/// has fewer.
std::optional<std::string> digits_in(std::string_view line, std::span<const std::size_t> places);

/// Appends a part of a text to an answer that is its size and its digest. Every part but the last has the
/// same size.
void add_part(answer& to, std::string_view part);

/// A whole number of 64 bits is the count; any other text is its size and its digest, in the one form if it
/// is a number.
answer answer_of(std::string_view text);

}  // namespace riffle::bench
