/// Offers the binary values of an input, in either byte order, and its bytes as `char`.
#pragma once

#include <riffle/detail/record_iterator.hpp>
#include <riffle/detail/scanned.hpp>
#include <riffle/error.hpp>
#include <riffle/export.hpp>
#include <riffle/source.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace riffle::inline v0 {

/// Says how values are stored. Use designated initialisers: `{.order = std::endian::big}`.
struct value_options {
  /// The byte order of the values in the input; `std::endian::big` is network order.
  std::endian order = std::endian::native;
};

namespace detail {

/// Throws `riffle::error` (`errc::invalid_argument`) if T is no number or enumeration, whose
/// bytes could be swapped.
template <class T>
void require_number(std::string_view name) {
  if constexpr (!std::is_arithmetic_v<T> && !std::is_enum_v<T>) {
    throw error(errc::invalid_argument, "read", name, std::nullopt,
                "only numbers have another byte order; read the fields of the structure one by one");
  }
}

/// Returns the value whose bytes start at `bytes`, at any alignment.
template <class T>
[[gnu::always_inline]] inline T value_at(const char* bytes) noexcept {
  static_assert(std::is_trivially_copyable_v<T>, "a value must be trivially copyable");
  if constexpr (std::is_trivial_v<T> && std::is_standard_layout_v<T> && alignof(T) <= alignof(double)) {
    // g++ copies a structure by memcpy through general registers: a loop over 12 bytes took 1.5 times as
    // long.
    struct [[gnu::packed, gnu::may_alias]] anywhere {
      T value;
    };
    return reinterpret_cast<const anywhere*>(bytes)->value;
  } else {
    std::array<char, sizeof(T)> copy;
    std::memcpy(copy.data(), bytes, sizeof(T));
    return std::bit_cast<T>(copy);
  }
}

/// Returns the value whose bytes start at `bytes`, in reverse if `swapped`.
template <class T>
[[gnu::always_inline]] inline T value_at(const char* bytes, bool swapped) noexcept {
  if (!swapped) return value_at<T>(bytes);
  std::array<char, sizeof(T)> copy;
  std::reverse_copy(bytes, bytes + sizeof(T), copy.begin());
  return value_at<T>(copy.data());
}

/// Hands out the values of an input as bytes, many at a time: the whole ones of a block, in the byte order of
/// this machine.
///
/// Its functions do not throw, because g++ keeps no floating-point variable of the caller in a register
/// across a call that can. A loop calls `fail` after them.
class RIFFLE_API value_source {
 public:
  /// `size` and `alignment` are those of a value, in bytes; `swapped` says that its bytes lie in reverse.
  value_source(source from, std::size_t size, std::size_t alignment, bool swapped)
      : source_(std::move(from)), size_(size), alignment_(alignment), swapped_(swapped && size > 1) {}

  const std::string& name() const noexcept { return source_.name(); }

  /// Returns the next values: those of the block, or some of them in the right byte order. Returns
  /// none at the end, or if it `failed`. Lifetime: until the next call of `next` or `align`.
  std::string_view next() noexcept;
  /// Returns an aligned copy of the first of `values`: as many as stay in the first-level cache. Returns none
  /// if it `failed`. Lifetime: until the next call of `next` or `align`.
  std::string_view align(std::string_view values) noexcept;

  bool failed() const noexcept { return failure_ != nullptr; }
  /// Throws the failure of the last call of `next` or `align`.
  [[noreturn]] void fail();

 private:
  void next_block();
  std::string_view copied(std::string_view values);

  source source_;
  std::size_t size_;
  std::size_t alignment_;
  bool swapped_;
  reset_by_move<std::string_view> rest_;  // of the block, after what was handed out
  std::unique_ptr<char[]> copy_;
  std::optional<std::uint64_t> cut_;  // the offset of a value that the end of the input cuts, if it was met
  std::exception_ptr failure_;
};

/// The values of a chunk that are left.
struct values_left {
  const char* next = nullptr;
  const char* end = nullptr;  // of the chunk
};

/// Stores a place at the end of a scope, also if an exception ends it.
struct place_in_block {
  const char*& kept;
  const char* at;
  [[gnu::always_inline]] ~place_in_block() { kept = at; }
};

}  // namespace detail

template <class Values>
class span_range;

/// Iterates over the values of an input, once. `riffle::values<T>` makes this range; it owns its source.
///
/// Each step gives a copy of a value, or the end, or throws `riffle::error`. If the input ends inside a
/// value, it throws `errc::partial_value`, with the offset of that value, after all whole values. After a
/// `break`, the next loop continues after the last value. Thread safety: one thread at a time.
template <class T>
class value_range {
 public:
  using value_type = T;

  class iterator {
   public:
    using iterator_concept = std::input_iterator_tag;
    using value_type = T;
    using difference_type = std::ptrdiff_t;

    iterator() = default;
    explicit iterator(value_range& range)
        : range_(&range),
          at_(range.rest_.next),
          end_(range.rest_.end),
          loop_(++range.loop_),
          more_(at_ != end_) {
      if (!more_) refill();
    }
    iterator(iterator&& other) noexcept
        : range_(std::exchange(other.range_, nullptr)),
          at_(other.at_),
          end_(other.end_),
          loop_(other.loop_),
          more_(other.more_) {}
    iterator& operator=(iterator&& other) noexcept {
      if (this != &other) leave();
      range_ = std::exchange(other.range_, nullptr);
      at_ = other.at_;
      end_ = other.end_;
      loop_ = other.loop_;
      more_ = other.more_;
      return *this;
    }
    [[gnu::always_inline]] ~iterator() { leave(); }

    [[gnu::always_inline]] T operator*() const noexcept { return detail::value_at<T>(at_); }
    detail::arrow<T> operator->() const noexcept { return {**this}; }
    [[gnu::always_inline]] iterator& operator++() {
      const char* const next = at_ + sizeof(T);
      more_ = next != end_;
      if (more_) {
        at_ = next;
      } else {
        refill();
      }
      return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const iterator& it, std::default_sentinel_t) noexcept { return !it.more_; }

   private:
    // Inlined always: called with the iterator's address, it would keep the loop's state out of registers.
    [[gnu::always_inline]] void refill() {
      more_ = at_ != end_;  // and so it stays if the next line throws
      const std::string_view chunk = range_->next_chunk();
      at_ = chunk.data();
      end_ = chunk.data() + chunk.size();
      more_ = !chunk.empty();
    }
    [[gnu::always_inline]] void leave() noexcept {
      if (range_ != nullptr && loop_ == range_->loop_) range_->rest_.next = more_ ? at_ + sizeof(T) : at_;
    }

    value_range* range_ = nullptr;
    const char* at_ = nullptr;   // the value
    const char* end_ = nullptr;  // of the chunk
    std::uint32_t loop_ = 0;
    // Whether there is a value. If the loop compared `at_` with `end_`, clang would test twice in each step.
    bool more_ = false;
  };

  /// Opens an input as `riffle::values` does.
  explicit value_range(const input& from, const value_options& options = {}, const read_options& reading = {})
      : value_range(source(from, reading), options) {}
  /// The values of a source from which no block was taken.
  explicit value_range(source from, const value_options& options = {})
      : source_(std::move(from), sizeof(T), alignof(T), options.order != std::endian::native) {
    if (options.order != std::endian::native) detail::require_number<T>(source_.name());
  }

  /// Returns an iterator to the first value that is left. Throws as a step does. Destroy the iterator of the
  /// loop before first: it stores its place then, for speed.
  iterator begin() { return iterator(*this); }
  std::default_sentinel_t end() const noexcept { return {}; }

  /// Returns a range of `std::span<const T>` over the values that are left, aligned and in the byte order of
  /// this machine. A span is a part of the block if the values lie there like this, else a copy of a few KiB.
  /// No span is empty. The range borrows this one, or owns it if this one is a temporary. Its loops give what
  /// loops over the values give: each takes up where the last one ended, after the last value or span.
  ///
  /// Lifetime: a span stays valid until you advance to the next one, begin another loop, or destroy the
  /// range.
  span_range<value_range&> spans() & RIFFLE_LIFETIMEBOUND { return span_range<value_range&>(*this); }
  span_range<value_range> spans() && { return span_range<value_range>(std::move(*this)); }

 private:
  template <class Values>
  friend class span_range;
  template <class U, class F>
  friend void for_each(value_range<U>& values, F f);

  // Moves to the next chunk and returns it; it is empty at the end.
  [[gnu::always_inline]] std::string_view next_chunk() {
    const std::string_view chunk = source_.next();
    if (chunk.empty() && source_.failed()) source_.fail();
    rest_.next = chunk.data();
    rest_.end = chunk.data() + chunk.size();
    return chunk;
  }

  // Returns the next span; it is empty at the end.
  [[gnu::always_inline]] std::span<const T> next_span() {
    if (rest_.next == rest_.end && next_chunk().empty()) return {};
    std::string_view values(rest_.next, static_cast<std::size_t>(rest_.end - rest_.next));
    if (reinterpret_cast<std::uintptr_t>(rest_.next) % alignof(T) != 0) {
      values = source_.align(values);
      if (values.empty()) source_.fail();
    }
    rest_.next += values.size();
    return {reinterpret_cast<const T*>(values.data()), values.size() / sizeof(T)};
  }

  detail::value_source source_;
  detail::reset_by_move<detail::values_left> rest_;
  std::uint32_t loop_ = 0;  // number of the loop begun last
};

/// Iterates over the values of an input in spans, once. `value_range::spans` makes this range. `Values` is a
/// `value_range`, or a reference to one.
///
/// Each step gives a span of at least one value, or the end, or throws as a step of `value_range` does.
/// Thread safety: one thread at a time.
template <class Values>
class span_range
    : public detail::single_pass<span_range<Values>,
                                 std::span<const typename std::remove_reference_t<Values>::value_type>> {
 public:
  /// Takes the values that are left, as `value_range::spans` does.
  explicit span_range(Values&& values) : values_(std::forward<Values>(values)) {}

 private:
  friend detail::steps;
  struct cursor {
    typename span_range::value_type record;
  };

  // Starts a loop.
  cursor resume() noexcept {
    ++values_.loop_;
    return {};
  }
  [[gnu::always_inline]] bool advance(cursor& at) {
    at.record = values_.next_span();
    return !at.record.empty();
  }

  Values values_;
};

/// Returns the values of an input: `for (std::uint64_t prime : riffle::values<std::uint64_t>("primes.dat"))`.
/// `T` is trivially copyable; a structure is read as its bytes lie in memory.
///
/// Throws `riffle::error`: `errc::invalid_argument` if `order` is not native and `T` is no number
/// or enumeration; another code if the input cannot be opened, or if the method named in
/// `reading` cannot read it.
template <class T>
[[nodiscard]] value_range<T> values(const input& from, const value_options& options = {},
                                    const read_options& reading = {}) {
  return value_range<T>(from, options, reading);
}
template <class T, std::same_as<read_options> Options = read_options>
[[nodiscard]] value_range<T> values(const input& from, const Options& reading) {
  return value_range<T>(from, {}, reading);
}

/// Calls `f(T)` with every value that is left; `f` may return false to stop. It is a plain loop over each
/// block, which a compiler can turn into SIMD code.
///
/// Throws `riffle::error` as a step of the range does, after the values before the failure, and what `f`
/// throws.
template <class T, class F>
[[gnu::always_inline]] inline void for_each(value_range<T>& values, F f) {
  ++values.loop_;
  do {
    detail::place_in_block place{values.rest_.next, values.rest_.next};
    for (const char* const end = values.rest_.end; place.at != end;) {
      T value = detail::value_at<T>(place.at);
      place.at += sizeof(T);
      if (!detail::wants_more(f, value)) return;
    }
  } while (!values.next_chunk().empty());
}
template <class T, class F>
[[gnu::always_inline]] inline void for_each(value_range<T>&& values, F f) {
  for_each(values, std::move(f));
}

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
