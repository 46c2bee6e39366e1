/// Offers the binary values of an input, in either byte order.
#ifndef RIFFLE_VALUES_HPP
#define RIFFLE_VALUES_HPP

#include <riffle/detail/record_iterator.hpp>
#include <riffle/error.hpp>
#include <riffle/source.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <optional>
#include <string_view>
#include <type_traits>

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
T value_at(const char* bytes, bool swapped) noexcept {
  static_assert(std::is_trivially_copyable_v<T>, "a value must be trivially copyable");
  std::array<char, sizeof(T)> copy;
  std::memcpy(copy.data(), bytes, sizeof(T));
  if (swapped) std::reverse(copy.begin(), copy.end());
  return std::bit_cast<T>(copy);
}

}  // namespace detail

/// Iterates over the values of an input, once. `riffle::values<T>` makes this range; it owns its source.
///
/// Each step gives a copy of a value, or the end, or throws `riffle::error`. If the input ends inside a
/// value, it throws `errc::partial_value`, with the offset of that value, after all whole values. After a
/// `break`, the next loop continues behind the last value. Thread safety: one thread at a time.
template <class T>
class value_range {
 public:
  using value_type = T;
  using iterator = detail::record_iterator<value_range>;
  struct cursor {
    const char* next = nullptr;
    const char* end = nullptr;  // of the block
    T record{};
    std::uint32_t loop = 0;
  };

  /// As `riffle::values`.
  value_range(const input& from, const value_options& options, const read_options& reading)
      : source_(from, reading), swapped_(options.order != std::endian::native) {
    if (swapped_) detail::require_number<T>(source_.name());
  }

  /// Returns an iterator to the first value that is left. Throws as a step does.
  iterator begin() { return iterator(*this); }
  std::default_sentinel_t end() const noexcept { return {}; }

  /// Starts a loop: returns the cursor before the first value that is left.
  cursor resume() noexcept { return {next_, end_, {}, ++loop_}; }
  /// Moves `at` to the next value. Returns false at the end. Throws as a step does.
  [[gnu::always_inline]] bool advance(cursor& at) {
    if (static_cast<std::size_t>(at.end - at.next) < sizeof(T)) {
      next_ = at.next;
      const bool more = next_block();
      at.next = next_;
      at.end = end_;
      if (!more) return false;
    }
    at.record = detail::value_at<T>(at.next, swapped_);
    at.next += sizeof(T);
    return true;
  }
  /// Ends the loop of `at`: the next one continues behind it. It does nothing if a later loop has begun.
  void leave(const cursor& at) noexcept {
    if (at.loop != loop_) return;
    next_ = at.next;
    end_ = at.end;
  }

 private:
  bool next_block() {
    if (cut_) throw error(errc::partial_value, "read", source_.name(), cut_);
    std::size_t kept = static_cast<std::size_t>(end_ - next_);
    while (true) {
      const block region = source_.next(kept);
      next_ = region.data();
      end_ = region.data() + region.size();
      if (region.size() == kept) {
        if (kept == 0) return false;
        cut_ = region.offset;
        throw error(errc::partial_value, "read", source_.name(), region.offset);
      }
      if (region.size() >= sizeof(T)) return true;
      kept = region.size();
    }
  }

  source source_;
  bool swapped_;
  const char* next_ = nullptr;
  const char* end_ = nullptr;         // of the block
  std::uint32_t loop_ = 0;            // number of the loop begun last
  std::optional<std::uint64_t> cut_;  // the offset of a value that the end of the input cuts, if it was met
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
  return {from, options, reading};
}
/// The same, with the default `value_options`.
template <class T, std::same_as<read_options> Options = read_options>
[[nodiscard]] value_range<T> values(const input& from, const Options& reading) {
  return {from, {}, reading};
}

}  // namespace riffle::inline v0

#endif
