/// Finds the name that a mistyped word most likely means.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace riffle::text {

/// How many letters must be inserted, left out, replaced or swapped with their neighbour to make one word of
/// the other (the restricted Damerau-Levenshtein distance).
std::size_t distance(std::string_view from, std::string_view to);

/// The name at the least distance from `word`, the first of several; empty if each is further than a third of
/// the longer one's letters.
std::string nearest(std::string_view word, std::span<const std::string> names);

}  // namespace riffle::text
