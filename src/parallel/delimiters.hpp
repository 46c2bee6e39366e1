/// Finds the ends of records in a split of an input.
#pragma once

#include <riffle/parallel.hpp>

#include <cstddef>
#include <optional>
#include <string_view>

namespace riffle::inline v0 {

/// Return the position after the first or the last delimiter of `bytes`; `std::nullopt` if there is none.
std::optional<std::size_t> behind_first(std::string_view bytes, char delimiter);
std::optional<std::size_t> behind_last(std::string_view bytes, char delimiter);

/// Returns the size of the whole records at the start of `bytes`, whose first `searched`
/// bytes hold no delimiter.
std::size_t whole_records(std::string_view bytes, std::size_t searched, const parallel_options& splitting);

}  // namespace riffle::inline v0
