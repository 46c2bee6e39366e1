/// The kernels of one instruction set are one table of functions, so that dispatch happens once and every
/// kernel can be run, tested and measured by name.
#ifndef RIFFLE_KERNEL_KERNELS_HPP
#define RIFFLE_KERNEL_KERNELS_HPP

#include <riffle/scan.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "kernel/wide.hpp"

namespace riffle::inline v0::kernel {

static_assert(std::endian::native == std::endian::little,
              "the bit order of masks assumes little-endian loads");

/// The most elements that one call of a sum kernel takes: its 64-bit counters cannot overflow below that.
inline constexpr std::size_t max_sum_count = std::size_t{1} << 30U;

/// How many interleaved partial sums a float sum has; see `riffle::summer`.
inline constexpr std::size_t float_lanes = 32;

/// Every kernel for one instruction set. None reads outside [data, data + size); data may be null when size
/// is 0 and need not be aligned, whatever the element type.
struct table {
  const char* name;  ///< as in RIFFLE_KERNEL: "scalar", "ssse3", "sse4", "avx2", "avx512", "neon"

  /// Bit i % 64 of masks[i / 64] is set where data[i] matches.
  /// Writes (size + 63) / 64 words; bits past size are 0.
  void (*match_byte)(const char* data, std::size_t size, char byte, std::uint64_t* masks);
  void (*match_set)(const char* data, std::size_t size, const byte_set& set, std::uint64_t* masks);

  /// The same for a batch of at most 4096 bytes: those that match, and those where a word starts or has just
  /// ended (`in_word`: the byte before `data` belongs to a word; becomes that of the last byte). Returns
  /// which masks have any bit: bit i for masks[i]. Writes zeros up to a multiple of 8 masks.
  std::uint64_t (*match_delimiter)(const char* data, std::size_t size, char byte, std::uint64_t* masks);
  std::uint64_t (*match_word_edges)(const char* data, std::size_t size, bool& in_word, std::uint64_t* masks);

  std::uint64_t (*count_byte)(const char* data, std::size_t size, char byte);
  std::uint64_t (*count_set)(const char* data, std::size_t size, const byte_set& set);
  /// Word starts; in_word: the byte before data was not white space.
  std::uint64_t (*count_words)(const char* data, std::size_t size, bool in_word);
  /// Bytes that do not continue a UTF-8 character.
  std::uint64_t (*count_utf8)(const char* data, std::size_t size);

  /// Exact sums of `count` elements, at most max_sum_count.
  wide (*sum_i8)(const char* data, std::size_t count);
  wide (*sum_u8)(const char* data, std::size_t count);
  wide (*sum_i16)(const char* data, std::size_t count);
  wide (*sum_u16)(const char* data, std::size_t count);
  wide (*sum_i32)(const char* data, std::size_t count);
  wide (*sum_u32)(const char* data, std::size_t count);
  wide (*sum_i64)(const char* data, std::size_t count);
  wide (*sum_u64)(const char* data, std::size_t count);

  /// Adds element i, widened to double, to lanes[i %
  /// float_lanes]; for each lane in the order of the elements.
  void (*add_f32)(const char* data, std::size_t count, double* lanes);
  void (*add_f64)(const char* data, std::size_t count, double* lanes);
};

/// The naive loops that every other table is tested against.
const table& scalar() noexcept;

/// All tables that this processor can run, the fastest on it first, scalar last.
std::span<const table* const> available();

/// The available table of that name.
///
/// Throws `riffle::error` (errc::invalid_argument), which lists the available names, when there is none.
const table& named(std::string_view name);

/// The table that RIFFLE_KERNEL names, or the best one if it is not set. Throws as `named` does.
const table& asked_for();

/// The table that the library uses: `asked_for`, or the best one if that cannot be had. Chosen by the first
/// call, for good; safe from several threads.
const table& active() noexcept;

}  // namespace riffle::inline v0::kernel

#endif
