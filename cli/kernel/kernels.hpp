/// Holds the SIMD kernels that only the tool needs, in a table for each instruction set of the library's.
#pragma once

#include <riffle/scan.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <tuple>

#include "cli/kernel/utf8_white_space.hpp"
#include "kernel/kernels.hpp"

namespace riffle::cli::kernel {

using riffle::kernel::plan;
using riffle::kernel::prefetching;
using riffle::kernel::set_plan;
using riffle::kernel::utf8_prefix;

/// Says how many columns the bytes of a line take at most: one for each of `ones`, eight for each tab. In
/// UTF-8 a continuation right after a byte from F0 on takes none, so that four bytes take two columns.
struct column_bounds {
  set_plan ones;  ///< its rows, without tab and newline
  bool utf8 = false;
};

/// Holds the smallest and the largest of numbers that are no NaN. Without such a number `min` is above `max`.
/// -0 and 0 are equal, so either of them may stand for both.
template <class T>
struct min_max {
  using limits = std::numeric_limits<T>;

  T min = limits::has_infinity ? limits::infinity() : limits::max();
  T max = limits::has_infinity ? -limits::infinity() : limits::lowest();

  constexpr void add(const min_max& other) noexcept {
    if (other.min < min) min = other.min;
    if (max < other.max) max = other.max;
  }
};

/// Returns the smallest and the largest of `count` elements.
template <class T>
using min_max_kernel = min_max<T> (*)(const char* data, std::size_t count);

/// One kernel for each type: `std::get<min_max_kernel<float>>(kernels)`.
using min_max_kernels =
    std::tuple<min_max_kernel<std::int8_t>, min_max_kernel<std::uint8_t>, min_max_kernel<std::int16_t>,
               min_max_kernel<std::uint16_t>, min_max_kernel<std::int32_t>, min_max_kernel<std::uint32_t>,
               min_max_kernel<std::int64_t>, min_max_kernel<std::uint64_t>, min_max_kernel<float>,
               min_max_kernel<double>>;

/// Holds the functions for one instruction set, with the rules of those of the library.
struct table {
  const char* name;  ///< that of a table of the library, or of the instruction set of several

  /// Counts the bits of `bits` in the parts that the bits of `ends` end: each part is after the end before,
  /// and holds its own end. Writes a count for each part, and last that of the bits after the last end.
  /// Returns the number of ends. `words`, the number of masks in each, is at most 2^20.
  std::size_t (*count_between)(const std::uint64_t* bits, const std::uint64_t* ends, std::size_t words,
                               std::uint32_t* counts);

  /// Return the number of words that start in `data`, and set `in_word` to whether the last byte belongs to
  /// one. White space is a set of bytes; or that of UTF-8, where a character that is cut at the end of `data`
  /// is none.
  std::uint64_t (*count_words_of_set)(const char* data, std::size_t size, const byte_set& white,
                                      bool& in_word);
  std::uint64_t (*count_words_utf8)(const char* data, std::size_t size, const utf8_white_space& white,
                                    bool& in_word);

  /// Returns the place of the first newline that ends a line which, by its bounds, may take more than so many
  /// columns; `size` if there is none. A line starts at `data`. What is after the last newline is no line.
  std::size_t (*find_wide_line)(const char* data, std::size_t size, const column_bounds& bounds,
                                std::uint64_t columns);

  min_max_kernels min_max;
};

/// Returns the table of plain loops. Tests compare every other table with it.
const table& scalar() noexcept;

/// Returns the tables that were compiled, whether or not this processor has their instruction sets. Some
/// pointers may be null.
std::span<const table* const> simd_tables() noexcept;

/// Returns the table for the instruction set of a table of the library.
const table& beside(const riffle::kernel::table& library) noexcept;

/// Returns the table beside the one that the library uses: RIFFLE_KERNEL chooses both.
const table& active() noexcept;

/// Returns the longest valid start of `data`, by the library's kernel: its size and its characters, counted
/// in one pass.
utf8_prefix valid_utf8(std::string_view data) noexcept;

}  // namespace riffle::cli::kernel
