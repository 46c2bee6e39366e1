/// Offers a reader that takes values, arrays, lines and bytes one by one, as binary formats need it.
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

/// Takes values, arrays, lines and bytes from the front of an input.
///
/// Each call gives what you asked for, or the end (`at_end` returns true, `line` returns `std::nullopt`), or
/// throws `riffle::error`. If you ask for more than is left, a call throws `errc::unexpected_end` with the
/// offset of the next byte, and takes nothing.
///
/// Lifetime: a returned view or span stays valid until the next call of a function that is not const, or the
/// end of the reader. Thread safety: one thread at a time.
class RIFFLE_API reader {
 public:
  /// Opens the input. Throws `riffle::error` if it cannot be opened, or if the method named in
  /// `reading` cannot read it.
  explicit reader(const input& from, const read_options& reading = {})
      : source_(from, reading), scan_({}, source_.name()), end_offset_(source_.start()) {}

  /// Returns the next value, a copy. It need not be aligned in the input. `T` is trivially copyable; a
  /// structure is read as its bytes lie in memory.
  ///
  /// Throws `riffle::error`: `errc::unexpected_end`; `errc::invalid_argument` if `order` is not native and
  /// `T` is no number or enumeration; another code if reading fails.
  template <class T>
  T get(std::endian order = std::endian::native) {
    const bool swapped = order != std::endian::native;
    if (swapped) detail::require_number<T>(source_.name());
    return detail::value_at<T>(bytes(sizeof(T)).data(), swapped);
  }

  /// Returns the next `count` values, in the byte order of this machine: in the block if they are aligned
  /// there, else in a copy. You may pass a length that was read from the file without checking it.
  ///
  /// Throws `riffle::error`: `errc::unexpected_end`; `errc::invalid_argument` if `count` is negative; another
  /// code if reading fails or there is no memory for the values.
  template <class T, std::integral Count>
  std::span<const T> take(Count count) {
    static_assert(std::is_trivially_copyable_v<T>);
    const std::size_t size = size_of(count, sizeof(T));
    if (left() < size) gather(size);
    const char* place = next_;
    if (reinterpret_cast<std::uintptr_t>(place) % alignof(T) != 0) place = aligned(size, alignof(T));
    next_ += size;
    return {reinterpret_cast<const T*>(place), static_cast<std::size_t>(count)};
  }

  /// Returns the next `count` bytes. Memory grows with the bytes that are there, not with `count`. Throws
  /// `riffle::error`: `errc::unexpected_end`; another code if reading fails or there is no memory for them.
  std::string_view bytes(std::size_t count) {
    if (static_cast<std::size_t>(end_ - next_) < count) gather(count);
    const std::string_view taken(next_, count);
    next_ += count;
    return taken;
  }

  /// Skips `count` bytes: riffle seeks in a regular file, a block device or memory, and reads other inputs.
  /// Throws `riffle::error`: `errc::unexpected_end`, after which an input without positions stands at its
  /// end; another code if reading fails.
  void skip(std::uint64_t count);

  /// Returns the next line, as `options` say; `std::nullopt` at the end. Throws `riffle::error`:
  /// `errc::record_too_long` for a line over `max_length`; another code if reading fails.
  std::optional<std::string_view> line(const line_options& options = {});

  /// Returns whether the input has ended. It reads the next block if none is left of this one, so it throws
  /// `riffle::error` if reading fails.
  bool at_end() { return next_ == end_ && !more(); }

  /// Returns the offset of the next byte, in bytes from the start of the input.
  std::uint64_t offset() const noexcept { return end_offset_ - static_cast<std::uint64_t>(end_ - next_); }

  /// Returns the source, valid as long as this reader: ask it for the method in use, or call its `check`
  /// before you trust the bytes of the last block.
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
