/// The bytes of an input, one after the other, as plain `char`.
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

/// A place that is kept at the end of a scope, an exception included.
struct place_in_block {
  const char*& kept;
  const char* at;
  [[gnu::always_inline]] ~place_in_block() { kept = at; }
};

}  // namespace detail

/// The bytes of an input: a single-pass range that owns its source. Made by `riffle::bytes`.
///
/// Three outcomes: a byte; the end; a failure, thrown as `riffle::error`. A loop that was left can be taken
/// up again: the next one goes on behind the last byte.
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
      if (range_ != nullptr && at_ != end_ && loop_ == range_->loop_) range_->next_ = at_ + 1;
    }

    byte_range* range_ = nullptr;
    const char* at_ = nullptr;
    const char* end_ = nullptr;  // of the block; equal to `at_` at the end of the input
    std::uint32_t loop_ = 0;
  };

  explicit byte_range(const input& from, const read_options& reading = {}) : source_(from, reading) {}

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
  std::uint32_t loop_ = 0;      // the one that was begun last
};

/// The bytes of any input: `for (char base : riffle::bytes("genome.fa"))`.
[[nodiscard]] inline byte_range bytes(const input& from, const read_options& reading = {}) {
  return byte_range(from, reading);
}

/// Calls `f` with every byte that is left; `f` may return false to stop. A plain loop over each block, which
/// compilers turn into SIMD code where they can.
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
