/// Offers what the records of FASTQ and of FASTA have in common.
#pragma once

#include <riffle/detail/byte_order_mark.hpp>
#include <riffle/error.hpp>
#include <riffle/source.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "source/source_state.hpp"

namespace riffle::inline v0::detail {

/// Returns how many bytes of a byte order mark the first line of an input starts with.
inline std::size_t size_of_mark(std::string_view line) noexcept {
  return line.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
}

/// Throws `riffle::error` (`errc::invalid_argument`) for a split, which may start inside a record.
inline void require_no_split(const source& from) {
  if (!source_state::of(from).input()->part) return;
  throw error(errc::invalid_argument, "read", from.name(), std::nullopt,
              "a split of lines cuts records of FASTQ and FASTA; read the file whole");
}

}  // namespace riffle::inline v0::detail
