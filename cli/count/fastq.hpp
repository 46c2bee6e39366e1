/// Counts the reads, bases and qualities of a FASTQ file.
#pragma once

#include <riffle/detail/byte_order_mark.hpp>
#include <riffle/source.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "cli/count/sequence_stats.hpp"

namespace riffle::cli {

/// Returns the first block of an input without a byte order mark: the second block, if there is nothing else
/// in it. Throws what `source::next` throws.
inline block behind_byte_order_mark(source& from) {
  using detail::byte_order_mark;
  block first = from.next();
  std::size_t had = 0;
  while (first.size() != had && first.size() < byte_order_mark.size() &&
         byte_order_mark.starts_with(first.bytes)) {
    had = first.size();
    first = from.next(had);
  }
  if (first.offset != 0 || !first.bytes.starts_with(byte_order_mark)) return first;
  if (first.size() == byte_order_mark.size()) return from.next();
  return {first.bytes.substr(byte_order_mark.size()), byte_order_mark.size()};
}

/// What a FASTQ file has. A quality is a character from '!', which is 0, to '~'.
struct read_counts {
  static constexpr std::size_t qualities = '~' - '!' + 1;

  std::uint64_t reads = 0;
  std::uint64_t bases = 0;
  /// How often each byte is a quality, together. Several tables, because adding to a counter waits for the
  /// addition before to the same counter.
  std::array<std::array<std::uint64_t, 256>, 4> tables{};

  std::uint64_t of_quality(std::size_t quality) const;
  void add_qualities(std::string_view text);
  void add(const read_counts& other);
};

/// Adds the records of an input to `counts`: four lines each, with empty lines between records. Throws
/// `riffle::error` with the offset for a malformed record, and as reading does; `counts` then has all records
/// before it. `stats`, if it is not null, gets the same records. Memory grows with the longest line.
void count_reads(source from, read_counts& counts, sequence_stats* stats = nullptr);

}  // namespace riffle::cli
