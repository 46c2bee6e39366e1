/// The pull form of reading, for binary formats whose parts follow from each other.
#ifndef RIFFLE_READER_HPP
#define RIFFLE_READER_HPP

#include <riffle/detail/line_scan.hpp>
#include <riffle/error.hpp>
#include <riffle/options.hpp>
#include <riffle/source.hpp>
#include <riffle/values.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

namespace riffle::inline v0 {

/// Takes values, arrays, lines and bytes from the front of an input, as the caller asks for them.
///
/// Three outcomes for each function: what was asked for; the end (`at_end`, an empty `line`); a failure,
/// thrown as `riffle::error`. Asking for more than is left is `errc::unexpected_end` with the offset where it
/// was asked for, and takes nothing. What was returned is valid until the next call.
class RIFFLE_API reader {
 public:
  explicit reader(const input& from, const read_options& reading = {})
      : source_(from, reading), scan_({}, source_.name()), end_offset_(source_.start()) {}

  /// Returns the next value, at any alignment. A structure is read as its bytes lie in memory: another byte
  /// order is `errc::invalid_argument` for it, and takes nothing.
  template <class T>
  T get(std::endian order = std::endian::native) {
    const bool swapped = order != std::endian::native;
    if (swapped) detail::require_number<T>(source_.name());
    return detail::value_at<T>(bytes(sizeof(T)).data(), swapped);
  }

  /// The next `count` values. Points into the block where they are aligned there, else at a copy. A count
  /// below zero is `errc::invalid_argument`, so that a length read from a file may be passed on unchecked.
  template <class T, std::integral Count>
  std::span<const T> take(Count count) {
    static_assert(std::is_trivially_copyable_v<T>);
    const char* place = bytes(size_of(count, sizeof(T))).data();
    if (reinterpret_cast<std::uintptr_t>(place) % alignof(T) != 0) {
      place = aligned(static_cast<std::size_t>(count) * sizeof(T), alignof(T));
    }
    return {reinterpret_cast<const T*>(place), static_cast<std::size_t>(count)};
  }

  /// Returns the next `count` bytes. Memory grows to hold them, but not before they are there.
  std::string_view bytes(std::size_t count) {
    if (static_cast<std::size_t>(end_ - next_) < count) gather(count);
    const std::string_view taken(next_, count);
    next_ += count;
    return taken;
  }

  /// Passes over `count` bytes, without reading them where the input has positions. Where it has none, an
  /// input that ends before has been passed over to its end when `errc::unexpected_end` is thrown.
  void skip(std::uint64_t count);

  /// The next line as `options` want it; nothing at the end.
  std::optional<std::string_view> line(const line_options& options = {});

  /// Whether the input has ended. Reads on where it must, to find out.
  bool at_end() { return next_ == end_ && !more(); }

  /// Where the next byte stands in the input.
  std::uint64_t offset() const noexcept { return end_offset_ - static_cast<std::uint64_t>(end_ - next_); }

  /// The source, to ask for the method at work.
  const source& from() const noexcept { return source_; }

 private:
  std::size_t left() const noexcept { return static_cast<std::size_t>(end_ - next_); }
  bool more();
  void gather(std::size_t count);
  const char* aligned(std::size_t size, std::size_t alignment);
  [[noreturn]] void fail(errc code) const;

  template <class Count>
  std::size_t size_of(Count count, std::size_t each) const {
    if constexpr (std::signed_integral<Count>) {
      if (count < 0) fail(errc::invalid_argument);
    }
    if (static_cast<std::uint64_t>(count) > std::numeric_limits<std::size_t>::max() / each)
      fail(errc::unexpected_end);
    return static_cast<std::size_t>(count) * each;
  }

  source source_;
  detail::line_scan scan_;
  bool scanning_ = false;  // whether `scan_` has been started on this block
  const char* next_ = nullptr;
  const char* end_ = nullptr;     // of the block
  std::uint64_t end_offset_;      // of `end_` in the input
  std::unique_ptr<char[]> copy_;  // of the values taken last, where they were not aligned
  std::size_t copy_size_ = 0;
};

}  // namespace riffle::inline v0

#endif
