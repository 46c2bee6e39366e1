/// Holds the SIMD kernels that only the tool needs, in a table for each instruction set of the library's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <tuple>

#include "kernel/kernels.hpp"
#include "kernel/plans.hpp"

namespace riffle::cli::kernel {

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

/// Says how many lines end, and how many of the lines after these ends start with a text.
struct line_starts {
  std::uint64_t ends = 0;
  std::uint64_t starts = 0;
  friend bool operator==(const line_starts&, const line_starts&) = default;
};

/// Returns the lower letter of an upper one of ASCII, and any other byte as it is.
constexpr char lower(char byte) noexcept {
  return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte | 0x20) : byte;
}

/// Holds the functions for one instruction set, with the rules of those of the library. None prefetches.
struct table {
  const char* name;  ///< the instruction set, as in `riffle::kernel::table::instructions`

  /// Counts the bits of `bits` in the parts that the bits of `ends` end: each part is after the end before,
  /// and holds its own end. Writes a count for each part, and last that of the bits after the last end.
  /// Returns the number of ends. `words`, the number of masks in each, is at most 2^20.
  std::size_t (*count_between)(const std::uint64_t* bits, const std::uint64_t* ends, std::size_t words,
                               std::uint32_t* counts);

  min_max_kernels min_max;

  /// Counts the delimiters, and those with the text after them. The text has a byte, and no delimiter.
  line_starts (*count_line_starts)(const char* data, std::size_t size, char delimiter, std::string_view text);

  /// Returns the first place of a text whose letters, which are lower, stand for both cases; `size` if there
  /// is none.
  std::size_t (*find_any_case)(const char* data, std::size_t size, const riffle::kernel::text_plan& text);
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

}  // namespace riffle::cli::kernel
