/// Offers the search for a text in memory, by the best SIMD kernel of this processor. Counts in a whole input
/// are in count.hpp.
#pragma once

#include <riffle/export.hpp>

#include <cstddef>
#include <string_view>

namespace riffle::inline v0::scan {

/// Returns the position of the first `text` in `data` at or after `from`; `std::string_view::npos` if there
/// is none. Bytes are compared as bytes: either may hold NUL bytes and invalid UTF-8. An empty text stands at
/// each position up to the size of `data`.
///
/// It compares two bytes of the text at 64 positions at once, and the rest where both are found. If they are
/// found almost everywhere, as in a text of a thousand equal bytes, it takes the time of comparing the whole
/// text at each position. It does not allocate or throw. Thread safety: any number of threads may call it.
[[nodiscard]] RIFFLE_API std::size_t find(std::string_view data, std::string_view text,
                                          std::size_t from = 0) noexcept;

}  // namespace riffle::inline v0::scan
