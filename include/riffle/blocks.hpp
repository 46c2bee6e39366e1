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
class block_range {
 public:
  using value_type = block;
  using iterator = detail::record_iterator<block_range>;
  struct cursor {
    block record;
  };

  /// Opens an input as `riffle::blocks` does.
  explicit block_range(const input& from, const read_options& reading = {}) : source_(from, reading) {}

  /// Returns an iterator to the first block that is left. Throws `riffle::error` if reading fails.
  iterator begin() { return iterator(*this); }
  std::default_sentinel_t end() const noexcept { return {}; }

  /// Returns the cursor before the first block that is left.
  cursor resume() const noexcept { return {}; }
  /// Moves `at` to the next block. Returns false at the end. Throws `riffle::error` if reading fails.
  bool advance(cursor& at) {
    at.record = source_.next();
    return !at.record.empty();
  }
  /// Returns the source of the blocks, valid as long as this range: ask it for the method in use, or call its
  /// `check` before you trust the block handed out last.
  const source& from() const noexcept { return source_; }

 private:
  source source_;
};

/// Returns the blocks of an input: `for (riffle::block block : riffle::blocks("big.bin"))`.
///
/// Throws `riffle::error` if the input cannot be opened, or if the method named in `reading` cannot read it.
[[nodiscard]] inline block_range blocks(const input& from, const read_options& reading = {}) {
  return block_range(from, reading);
}

}  // namespace riffle::inline v0
