/// Holds the SIMD kernels of one instruction set in one table of functions, so that dispatch happens once,
/// and lists the tables.
#pragma once

#include <riffle/scan.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "kernel/plans.hpp"
#include "kernel/processor.hpp"

namespace riffle::inline v0::kernel {

/// The most elements in one call of a function that sums: its 64-bit counters cannot overflow
/// up to that number.
inline constexpr std::size_t max_sum_count = std::size_t{1} << 30U;

/// The number of partial sums of a float sum; see `riffle::summer`.
inline constexpr std::size_t float_lanes = 32;

/// The bytes that make rows: `field` ends a field, `row` ends a row and its last field. They differ.
struct row_bytes {
  char field;
  char row;
  char quote = '\0';  ///< of `match_quoted_rows` only
  bool lax = false;   ///< the same: no quote stands in a wrong place
};

/// Holds what the bytes before a batch say about quotes in it, each as 0 or 1.
struct quote_state {
  std::uint64_t inside = 0;  ///< the next byte lies inside quotes
  /// A quote may come next: the last byte is a delimiter or a quote, or there is none.
  std::uint64_t may_open = 1;
  std::uint64_t closed = 0;  ///< the last byte is a closing quote
  std::uint64_t cr = 0;      ///< the last byte is a CR after a closing quote
  friend bool operator==(const quote_state&, const quote_state&) = default;
};

/// Says what was found in a batch.
struct row_matches {
  std::size_t size;  ///< of the bytes that follow the rules of quoting: all, if they are lax
  std::size_t ends;  ///< of fields in them
  std::size_t rows;  ///< that end in them
  /// Which 64 bytes hold the second of two quotes that stand for one: bit i for those at 64 * i, the last bit
  /// for all after them too. With an empty field in quotes no bit is set. By lax rules also those that hold
  /// a byte that strict rules refuse.
  std::uint64_t doubled = 0;
  friend bool operator==(const row_matches&, const row_matches&) = default;
};
/// How many elements after the last the functions that match rows may overwrite.
inline constexpr std::size_t row_slack = 16;

/// Holds the longest valid start of some bytes.
struct utf8_prefix {
  std::size_t size = 0;          ///< in bytes; it ends between two characters
  std::uint64_t characters = 0;  ///< in these bytes
  friend constexpr bool operator==(utf8_prefix, utf8_prefix) = default;
};

/// Says how many columns the bytes of a line take at most: one for each of `ones`, eight for each tab. In
/// UTF-8 a continuation right after a byte from F0 on takes none, so that four bytes take two columns.
struct column_bounds {
  set_plan ones;  ///< its rows, without tab and newline
  bool utf8 = false;
};

// The walks over memory, in groups: on one processor each group may be fastest by another way of fetching.
// None reads outside [data, data + size). `data` may be null if `size` is 0, and need not be aligned for the
// element type.

/// Find places, in order.
struct place_walks {
  /// Sets bit i % 64 of masks[i / 64] if data[i] matches. Writes (size + 63) / 64 words; bits
  /// past `size` are 0.
  void (*match_byte)(const char* data, std::size_t size, char byte, std::uint64_t* masks);
  void (*match_set)(const char* data, std::size_t size, const byte_set& set, std::uint64_t* masks);

  /// Writes i to `places` for every data[i] that equals `byte`, in order, and returns their number. `size` is
  /// at most 65535, and `places` needs room for `size` + detail::place_slack elements.
  std::size_t (*match_delimiter)(const char* data, std::size_t size, char byte, std::uint16_t* places);

  /// Sets the bits of the first byte of each word and the first byte after it, in a batch of at most 4096
  /// bytes. `in_word` says whether the byte before `data` belongs to a word, and then whether the last byte
  /// does. Returns which masks are not 0: bit i for masks[i]. Writes zeros up to a multiple of 8 masks.
  std::uint64_t (*match_word_edges)(const char* data, std::size_t size, bool& in_word, std::uint64_t* masks);

  /// Returns the first place of the text in `data`; `size` if there is none.
  std::size_t (*find_text)(const char* data, std::size_t size, const text_plan& text);
  friend bool operator==(const place_walks&, const place_walks&) = default;
};

/// Find rows and fields, in order.
struct row_walks {
  /// Write `base` + i to `ends` for every data[i] that ends a field or a row, and to `rows` the number of
  /// `ends` up to and including each end of a row. Both need room for `size` + row_slack elements. With
  /// quotes, delimiters inside them do not count. A quote may stand at the start of a field, after another
  /// quote, or inside quotes. A closing quote is followed by a delimiter, a quote, or a CR and the end of a
  /// row. By lax rules, a quote elsewhere is a byte of its field, and so are the bytes after a closing
  /// quote.
  row_matches (*match_rows)(const char* data, std::size_t size, row_bytes bytes, std::uint64_t base,
                            std::uint64_t* ends, std::uint32_t* rows);
  row_matches (*match_quoted_rows)(const char* data, std::size_t size, row_bytes bytes, quote_state& state,
                                   std::uint64_t base, std::uint64_t* ends, std::uint32_t* rows);
  friend bool operator==(const row_walks&, const row_walks&) = default;
};

/// Count bytes and add up integers, in any order.
struct count_walks {
  std::uint64_t (*count_byte)(const char* data, std::size_t size, char byte);
  std::uint64_t (*count_set)(const char* data, std::size_t size, const byte_set& set);
  /// Returns the number of bytes that do not continue a UTF-8 character.
  std::uint64_t (*count_utf8)(const char* data, std::size_t size);

  /// Return the exact sum of `count` elements, at most max_sum_count.
  wide (*sum_i8)(const char* data, std::size_t count);
  wide (*sum_u8)(const char* data, std::size_t count);
  wide (*sum_i16)(const char* data, std::size_t count);
  wide (*sum_u16)(const char* data, std::size_t count);
  wide (*sum_i32)(const char* data, std::size_t count);
  wide (*sum_u32)(const char* data, std::size_t count);
  wide (*sum_i64)(const char* data, std::size_t count);
  wide (*sum_u64)(const char* data, std::size_t count);
  friend bool operator==(const count_walks&, const count_walks&) = default;
};

/// Count words by white space of one byte.
struct word_walks {
  /// Returns the number of words that start in `data`. `in_word` says whether the byte before
  /// belongs to a word.
  std::uint64_t (*count_words)(const char* data, std::size_t size, bool in_word);
  /// Returns the same, and sets `in_word` to whether the last byte belongs to a word.
  std::uint64_t (*count_words_of_set)(const char* data, std::size_t size, const byte_set& white,
                                      bool& in_word);
  friend bool operator==(const word_walks&, const word_walks&) = default;
};

/// Look at the characters of UTF-8.
struct utf8_walks {
  /// Returns the number of words that start in `data`, and sets `in_word` as `count_words_of_set` does. A
  /// character that is cut at the end of `data` is no white space.
  std::uint64_t (*count_words_utf8)(const char* data, std::size_t size, const utf8_white_space& white,
                                    bool& in_word);
  /// Returns the longest start of `data` that is valid UTF-8. A character that is cut at the end is not
  /// valid.
  utf8_prefix (*valid_utf8)(const char* data, std::size_t size);
  friend bool operator==(const utf8_walks&, const utf8_walks&) = default;
};

/// Walks that no processor gained by fetching ahead.
struct other_walks {
  /// Returns the place of the first newline that ends a line which, by its bounds, may take more than so many
  /// columns; `size` if there is none. A line starts at `data`. What is after the last newline is no line.
  std::size_t (*find_wide_line)(const char* data, std::size_t size, const column_bounds& bounds,
                                std::uint64_t columns);

  /// Add element i, widened to double, to lanes[i % float_lanes]; for each lane in the order of the elements.
  void (*add_f32)(const char* data, std::size_t count, double* lanes);
  void (*add_f64)(const char* data, std::size_t count, double* lanes);

  /// Copy `size` bytes of elements, each with its bytes in reverse order. `size` is a multiple of the size of
  /// an element, and `to` does not overlap `from`.
  void (*reverse_16)(const char* from, std::size_t size, char* to);
  void (*reverse_32)(const char* from, std::size_t size, char* to);
  void (*reverse_64)(const char* from, std::size_t size, char* to);
  friend bool operator==(const other_walks&, const other_walks&) = default;
};

/// Holds the functions for one instruction set.
struct table : place_walks, row_walks, count_walks, word_walks, utf8_walks, other_walks {
  const char* name;          ///< as in RIFFLE_KERNEL: "scalar", "ssse3", "avx2", "avx2_pages", "neon"
  const char* instructions;  ///< "avx2"; tables differ in these or in `fetching`
  fetching by;               ///< for each group
};

/// Returns the table in words: "avx512 kernels, prefetching 2 KiB ahead".
std::string description(const table& of);

/// Returns the table of plain loops. Tests compare every other table with it.
const table& scalar() noexcept;

/// Holds all tables that this processor can run, best first, scalar last. It takes no memory, as scans must
/// not fail.
class table_list {
 public:
  using value_type = const table*;

  table_list() noexcept;
  const value_type* begin() const noexcept { return tables_.data(); }
  const value_type* end() const noexcept { return begin() + size_; }
  value_type front() const noexcept { return tables_.front(); }
  value_type back() const noexcept { return end()[-1]; }
  std::size_t size() const noexcept { return size_; }

 private:
  std::array<value_type, 11> tables_{};
  std::size_t size_ = 0;
};

table_list available() noexcept;

/// Returns the available table of that name.
///
/// Throws `riffle::error` (`errc::invalid_argument`), which lists the available names, if there is none.
const table& named(std::string_view name);

/// Returns the table that RIFFLE_KERNEL names, or the best one if it is not set. Throws as `named` does.
const table& asked_for();

/// Returns the table that the library uses: `asked_for()`, or the best one if that throws. The first call
/// chooses it for the rest of the program. Thread safety: any number of threads.
const table& active() noexcept;

/// Holds the table for one instruction set.
struct simd_table {
  bool (*runs)(const processor&);  ///< whether a processor, and the system on it, can run it
  bool (*fast)(const processor&);  ///< whether it is likely to be faster than those after it, if it runs
  const table* kernels;
};

/// Returns all compiled tables, best first; empty if there is no SIMD.
std::span<const simd_table> simd_tables();

}  // namespace riffle::inline v0::kernel
