/// The bytes of an input, one after the other, as plain `char`.
#ifndef RIFFLE_BYTES_HPP
#define RIFFLE_BYTES_HPP

#include <riffle/detail/record_iterator.hpp>
#include <riffle/source.hpp>

#include <cstddef>
#include <iterator>

namespace riffle {

/// The bytes of an input: a single-pass range that owns its source. Made by `riffle::bytes`.
///
/// Three outcomes: a byte; the end; a failure, thrown as `riffle::error`. A loop that was left can be taken
/// up again at the next block only.
class byte_range {
 public:
  class iterator {
   public:
    using iterator_concept = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;

    iterator() = default;
    explicit iterator(byte_range& range) : range_(&range) { refill(); }

    char operator*() const noexcept { return *at_; }
    [[gnu::always_inline]] iterator& operator++() {
      if (++at_ == end_) refill();
      return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const iterator& it, std::default_sentinel_t) noexcept { return it.at_ == it.end_; }

   private:
    // Inlined always: called with the iterator's address, it would keep the loop's state out of registers.
    [[gnu::always_inline]] void refill() {
      const block next = range_->source_.next();
      at_ = next.data();
      end_ = next.data() + next.size();
    }

    byte_range* range_ = nullptr;
    const char* at_ = nullptr;
    const char* end_ = nullptr;  // of the block; equal to `at_` at the end of the input
  };

  explicit byte_range(const input& from, const read_options& reading = {}) : source_(from, reading) {}

  iterator begin() { return iterator(*this); }
  std::default_sentinel_t end() const noexcept { return {}; }

 private:
  template <class F>
  friend void for_each(byte_range&& bytes, F f);
  template <class F>
  friend void for_each(byte_range& bytes, F f);

  source source_;
};

/// The bytes of any input: `for (char base : riffle::bytes("genome.fa"))`.
[[nodiscard]] inline byte_range bytes(const input& from, const read_options& reading = {}) {
  return byte_range(from, reading);
}

/// Calls `f` with every byte that is left; `f` may return false to stop. A plain loop over each block, which
/// compilers turn into SIMD code where they can.
template <class F>
[[gnu::always_inline]] inline void for_each(byte_range& bytes, F f) {
  for (block next = bytes.source_.next(); !next.empty(); next = bytes.source_.next()) {
    for (const char byte : next) {
      if (!detail::wants_more(f, byte)) return;
    }
  }
}
template <class F>
[[gnu::always_inline]] inline void for_each(byte_range&& bytes, F f) {
  for_each(bytes, std::move(f));
}

}  // namespace riffle

#endif
