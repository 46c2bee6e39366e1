/// Offers the bytes of an input one by one, as `char`.
#pragma once

#include <riffle/values.hpp>

namespace riffle::inline v0 {

/// Iterates over the bytes of an input, once. `riffle::bytes` makes this range; it owns its source.
///
/// Each step gives a byte, or the end, or throws `riffle::error`. After a `break`, the next loop continues
/// after the last byte. Thread safety: one thread at a time.
using byte_range = value_range<char>;

/// Returns the bytes of an input: `for (char base : riffle::bytes("genome.fa"))`. `for_each(bytes, f)` is a
/// plain loop over each block, which a compiler can turn into SIMD code.
///
/// Throws `riffle::error` if the input cannot be opened, or if the method named in `reading` cannot read it.
[[nodiscard]] inline byte_range bytes(const input& from, const read_options& reading = {}) {
  return byte_range(from, {}, reading);
}

}  // namespace riffle::inline v0
