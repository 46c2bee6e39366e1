/// Offers the blocks of an input as a range, for code that scans the bytes itself.
#pragma once

#include <riffle/detail/record_iterator.hpp>
#include <riffle/source.hpp>

#include <iterator>

namespace riffle::inline v0 {

/// Iterates over the blocks of an input, once. `riffle::blocks` makes this range; it owns its source.
///
/// Each step gives a block of at least one byte, or the end, or throws `riffle::error`.
///
/// Lifetime: a block stays valid until you advance to the next one or destroy the range. Thread safety: one
/// thread at a time.
class block_range : public detail::single_pass<block_range, block> {
 public:
  /// Opens an input as `riffle::blocks` does.
  explicit block_range(const input& from, const read_options& reading = {}) : source_(from, reading) {}

  /// Returns the source of the blocks, valid as long as this range: ask it for the method in use, or call its
  /// `check` before you trust the block handed out last.
  const source& from() const noexcept { return source_; }

 private:
  friend detail::steps;
  struct cursor {
    block record;
  };

  cursor resume() const noexcept { return {}; }
  bool advance(cursor& at) {
    at.record = source_.next();
    return !at.record.empty();
  }

  source source_;
};

/// Returns the blocks of an input: `for (riffle::block block : riffle::blocks("big.bin"))`.
///
/// Throws `riffle::error` if the input cannot be opened, or if the method named in `reading` cannot read it.
[[nodiscard]] inline block_range blocks(const input& from, const read_options& reading = {}) {
  return block_range(from, reading);
}

}  // namespace riffle::inline v0
