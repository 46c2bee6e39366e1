/// The blocks of an input as a range, for those who scan the bytes themselves.
#ifndef RIFFLE_BLOCKS_HPP
#define RIFFLE_BLOCKS_HPP

#include <riffle/detail/record_iterator.hpp>
#include <riffle/source.hpp>

#include <iterator>

namespace riffle::inline v0 {

/// The blocks of an input: a single-pass range that owns its source. Made by `riffle::blocks`.
///
/// A block is never empty, and valid until the iterator moves on. Three outcomes: a block; the end; a
/// failure, thrown as `riffle::error`.
class block_range {
 public:
  using value_type = block;
  using iterator = detail::record_iterator<block_range>;
  struct cursor {
    block record;
  };

  explicit block_range(const input& from, const read_options& reading = {}) : source_(from, reading) {}

  iterator begin() { return iterator(*this); }
  std::default_sentinel_t end() const noexcept { return {}; }

  /// The cursor before the first block that is left.
  cursor resume() const noexcept { return {}; }
  /// Moves to the next block; false at the end.
  bool advance(cursor& at) {
    at.record = source_.next();
    return !at.record.empty();
  }
  /// The source, to ask for the method at work.
  const source& from() const noexcept { return source_; }

 private:
  source source_;
};

/// The blocks of any input: `for (riffle::block block :
/// riffle::blocks("big.bin", {.method = riffle::method::read}))`.
[[nodiscard]] inline block_range blocks(const input& from, const read_options& reading = {}) {
  return block_range(from, reading);
}

}  // namespace riffle::inline v0

#endif
