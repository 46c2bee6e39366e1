/// Offers the bytes of an input one by one, as `char`.
#ifndef RIFFLE_BYTES_HPP
#define RIFFLE_BYTES_HPP

#include <riffle/detail/record_iterator.hpp>
#include <riffle/source.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>

namespace riffle::inline v0 {

namespace detail {

/// Stores a place at the end of a scope, also if an exception ends it.
struct place_in_block {
  const char*& kept;
  const char* at;
  [[gnu::always_inline]] ~place_in_block() { kept = at; }
};

}  // namespace detail

/// Iterates over the bytes of an input, once. `riffle::bytes` makes this range; it owns its source.
///
/// Each step gives a byte, or the end, or throws `riffle::error`. After a `break`, the next loop continues
/// behind the last byte. Thread safety: one thread at a time.
class byte_range {
 public:
  class iterator {
   public:
    using iterator_concept = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;

    iterator() = default;
    explicit iterator(byte_range& range)
        : range_(&range), at_(range.next_), end_(range.end_), loop_(++range.loop_) {
      if (at_ == end_) refill();
    }
    iterator(iterator&& other) noexcept
        : range_(std::exchange(other.range_, nullptr)),
          at_(other.at_),
          end_(other.end_),
          loop_(other.loop_) {}
    iterator& operator=(iterator&& other) noexcept {
      if (this != &other) leave();
      range_ = std::exchange(other.range_, nullptr);
      at_ = other.at_;
      end_ = other.end_;
      loop_ = other.loop_;
      return *this;
    }
    [[gnu::always_inline]] ~iterator() { leave(); }

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
      const block next = range_->next_block();
      at_ = next.data();
      end_ = next.data() + next.size();
    }
    [[gnu::always_inline]] void leave() noexcept {
      if (range_ != nullptr && loop_ == range_->loop_) range_->next_ = at_ == end_ ? at_ : at_ + 1;
    }

    byte_range* range_ = nullptr;
    const char* at_ = nullptr;
    const char* end_ = nullptr;  // of the block; equal to `at_` at the end of the input
    std::uint32_t loop_ = 0;
  };

  /// As `riffle::bytes`.
  explicit byte_range(const input& from, const read_options& reading = {}) : source_(from, reading) {}

  /// Returns an iterator to the first byte that is left. Throws `riffle::error` if reading fails.
  iterator begin() { return iterator(*this); }
  std::default_sentinel_t end() const noexcept { return {}; }

 private:
  template <class F>
  friend void for_each(byte_range&& bytes, F f);
  template <class F>
  friend void for_each(byte_range& bytes, F f);

  block next_block() {
    const block next = source_.next();
    next_ = next.data();
    end_ = next.data() + next.size();
    return next;
  }

  source source_;
  const char* next_ = nullptr;  // the first byte that is left of the block
  const char* end_ = nullptr;   // of the block
  std::uint32_t loop_ = 0;      // number of the loop begun last
};

/// Returns the bytes of an input: `for (char base : riffle::bytes("genome.fa"))`.
///
/// Throws `riffle::error` if the input cannot be opened, or if the method named in `reading` cannot read it.
[[nodiscard]] inline byte_range bytes(const input& from, const read_options& reading = {}) {
  return byte_range(from, reading);
}

/// Calls `f(char)` with every byte that is left; `f` may return false to stop. It is a plain loop over each
/// block, which a compiler can turn into SIMD code.
///
/// Throws `riffle::error` if reading fails, after the bytes before the failure, and what `f` throws.
template <class F>
[[gnu::always_inline]] inline void for_each(byte_range& bytes, F f) {
  ++bytes.loop_;
  do {
    detail::place_in_block place{bytes.next_, bytes.next_};
    for (const char* const end = bytes.end_; place.at != end;) {
      if (!detail::wants_more(f, *place.at++)) return;
    }
  } while (!bytes.next_block().empty());
}
template <class F>
[[gnu::always_inline]] inline void for_each(byte_range&& bytes, F f) {
  for_each(bytes, std::move(f));
}

}  // namespace riffle::inline v0

#endif
