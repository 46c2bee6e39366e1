/// Where records end in a part of an input, found by the same kernel that finds lines.
#ifndef RIFFLE_PARALLEL_DELIMITERS_HPP
#define RIFFLE_PARALLEL_DELIMITERS_HPP

#include <cstddef>
#include <optional>
#include <string_view>

namespace riffle {

/// The place behind the first delimiter of `bytes`, or behind the last one; nothing where there is none.
std::optional<std::size_t> behind_first(std::string_view bytes, char delimiter);
std::optional<std::size_t> behind_last(std::string_view bytes, char delimiter);

}  // namespace riffle

#endif
