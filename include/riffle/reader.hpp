/// Offers a reader that takes values, arrays, lines and bytes one by one, as binary formats need it.
#pragma once

#include <riffle/detail/text_number.hpp>
#include <riffle/error.hpp>
#include <riffle/export.hpp>
#include <riffle/options.hpp>
#include <riffle/source.hpp>
#include <riffle/values.hpp>

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

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
  explicit reader(const input& from, const read_options& reading = {}) : state_(open(from, reading)) {}
  /// Every call for at least one byte of a reader that was moved from throws `errc::invalid_argument`.
  reader(reader&& other) noexcept
      : state_(std::move(other.state_)),
        next_(std::exchange(other.next_, nullptr)),
        end_(std::exchange(other.end_, nullptr)),
        taken_(std::exchange(other.taken_, nullptr)) {}
  reader& operator=(reader&& other) noexcept {
    state_ = std::move(other.state_);
    next_ = std::exchange(other.next_, nullptr);
    end_ = std::exchange(other.end_, nullptr);
    taken_ = std::exchange(other.taken_, nullptr);
    return *this;
  }

  /// Returns the next value, a copy. It need not be aligned in the input. `T` is trivially copyable; a
  /// structure is read as its bytes lie in memory.
  ///
  /// Throws `riffle::error`: `errc::unexpected_end`; `errc::invalid_argument` if `order` is not native and
  /// `T` is no number or enumeration; another code if reading fails.
  template <class T>
  [[gnu::always_inline]] T get(std::endian order = std::endian::native) {
    need_all<T>(order);
    return next_value<T>(order);
  }
  /// Returns the next values as a tuple: `const auto [id, size] = in.get<std::uint16_t, std::uint32_t>()`.
  /// They lie one after the other, without padding. The input is checked once for all of them. Throws as
  /// `get` of one value does, and then takes none.
  template <class First, class Second, class... More>
  [[gnu::always_inline]] std::tuple<First, Second, More...> get(std::endian order = std::endian::native) {
    need_all<First, Second, More...>(order);
    // Braces are evaluated from left to right.
    return std::tuple<First, Second, More...>{next_value<First>(order), next_value<Second>(order),
                                              next_value<More>(order)...};
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
    need(size);
    const char* place = next_;
    if (reinterpret_cast<std::uintptr_t>(place) % alignof(T) != 0) {
      place = aligned(opened(), {next_, end_}, size, alignof(T));
      if (place == nullptr) rethrow(*state_);
    }
    taken_ = next_;
    next_ += size;
    return {reinterpret_cast<const T*>(place), static_cast<std::size_t>(count)};
  }

  /// Returns the next `count` bytes. Memory grows with the bytes that are there, not with `count`. Throws
  /// `riffle::error`: `errc::unexpected_end`; another code if reading fails or there is no memory for them.
  std::string_view bytes(std::size_t count) {
    need(count);
    taken_ = next_;
    next_ += count;
    return {taken_, count};
  }

  /// Fills `into` with the next bytes, as `fread` and `gzread` do, for a parser with a buffer of its own.
  /// Returns their number: fewer than there is room for only at the end. `unread` gives none of them back.
  ///
  /// Throws `riffle::error` if reading fails. The bytes before the failure are then in `into`, and taken:
  /// `offset` says how many.
  std::size_t read(std::span<char> into) {
    std::size_t count = 0;
    while (count != into.size()) {
      const std::size_t some = read_some(into.subspan(count));
      if (some == 0) break;
      count += some;
    }
    taken_ = next_;
    return count;
  }
  /// Copies the next bytes into `into`, as many as are there: of a pipe or a socket, without waiting for
  /// more. Returns their number: at most what the block has left and `into` has room for; 0 at the end, or if
  /// `into` is empty. Throws `riffle::error` if reading fails.
  std::size_t read_some(std::span<char> into) {
    const std::size_t count = into.empty() || at_end() ? 0 : std::min(into.size(), left());
    taken_ = next_;
    if (count != 0) {
      std::memcpy(into.data(), next_, count);
      from().check();  // a mapped file may have shrunk before it was copied
    }
    next_ += count;
    return count;
  }

  /// Returns the next byte, and does not take it; `std::nullopt` at the end. Throws `riffle::error` if
  /// reading fails.
  std::optional<char> peek() {
    if (at_end()) return std::nullopt;
    return *next_;
  }
  /// Returns the next `count` bytes, and does not take them: fewer at the end. Throws `riffle::error` if
  /// reading fails or there is no memory for them.
  std::string_view peek(std::size_t count) {
    if (left() < count) move_to(fill(opened(), {next_, end_}, count));
    taken_ = next_;
    return {next_, std::min(count, left())};
  }

  /// Gives back the last `count` bytes of what the last call took, at most all of them: the next call takes
  /// them again. What a line took includes its delimiter, what a number took is its text; `read`, `skip`,
  /// `seek`, `peek` and `at_end` take nothing that can be given back. Throws `errc::invalid_argument` if the
  /// last call took fewer.
  void unread(std::size_t count) {
    if (count > static_cast<std::size_t>(next_ - taken_)) fail_unread(state_.get(), {next_, end_});
    next_ -= count;
  }

  /// Continues at `offset`, in bytes from the start of the input. After the end there are no bytes. Throws
  /// `riffle::error`: `std::errc::invalid_seek` if the input is no regular file, block device or memory; the
  /// error of an earlier failure. Then the reader stands where it stood.
  void seek(std::uint64_t offset) { move_to(seek(opened(), {next_, end_}, offset)); }

  /// Skips `count` bytes: riffle seeks in a regular file, a block device or memory, and reads other inputs.
  /// Throws `riffle::error`: `errc::unexpected_end`, after which an input without positions stands at its
  /// end; another code if reading fails.
  void skip(std::uint64_t count) {
    if (count <= left()) {
      next_ += count;
      taken_ = next_;
    } else {
      move_to(skip(opened(), {next_, end_}, count));
    }
  }

  /// Returns the next line, as `options` say; `std::nullopt` at the end. Throws `riffle::error`:
  /// `errc::record_too_long` for a line over `max_length`; another code if reading fails.
  std::optional<std::string_view> line(const line_options& options = {}) {
    std::optional<std::string_view> found;
    move_to(line(opened(), {next_, end_}, options, found));
    if (found) taken_ = found->data();
    return found;
  }

  /// Returns the next number of a text: `while (const auto weight = in.number<double>())`. White space before
  /// it is skipped; `std::nullopt` if nothing else is left. `T` is an integer, `float` or `double`.
  ///
  /// A number is what `row::get<T>` takes: a `+` may lead, `inf` and `nan` are numbers of `float` and
  /// `double`, and what is too small for them is 0 or the nearest. White space or the end of the input ends
  /// it.
  ///
  /// Throws `riffle::error` with the offset and the text: `errc::bad_value` if the bytes up to the next white
  /// space are no number, as `12abc` is none, and `1.5` is no integer; `errc::value_out_of_range` if the
  /// number does not fit `T`; `errc::record_too_long` if it has more than 4096 bytes. The reader then stands
  /// at that text. It throws another code if reading fails.
  template <text_number T>
  std::optional<T> number() {
    detail::taken_number<typename detail::fixed<T>::type> found;
    move_to(number(opened(), {next_, end_}, found));
    taken_ = next_ - found.size;
    if (found.size == 0) return std::nullopt;
    return static_cast<T>(found.value);
  }

  /// Returns whether the input has ended. It reads the next block if none is left of this one, so it throws
  /// `riffle::error` if reading fails.
  [[gnu::always_inline]] bool at_end() {
    taken_ = next_;
    if (next_ != end_) return false;
    move_to(next_block(opened()));
    return next_ == end_;
  }

  /// Returns the offset of the next byte, in bytes from the start of the input.
  std::uint64_t offset() const noexcept { return state_ == nullptr ? 0 : state_->end_offset - left(); }

  /// Returns the source, valid as long as this reader: ask it for the method in use, or call its `check`
  /// before you trust the bytes of the last block.
  const source& from() const noexcept { return source_of(state_.get()); }

 private:
  // Where the reader stands in the block. It is returned in two registers.
  struct position {
    const char* next;
    const char* end;
  };
  // What a loop of the caller need not have in registers. The source and the rest are in the library.
  struct state {
    std::uint64_t end_offset = 0;  // of the end of the block in the input
    bool failed = false;           // there is an exception to throw
  };
  struct full_state;
  struct close {
    void operator()(state* open) const noexcept { destroy(open); }
  };

  // The functions that are not inlined take no address of the reader, so that the compiler can keep the place
  // in registers. They do not throw, because g++ keeps no floating-point variable of the caller in a register
  // across a call that can: `move_to` throws what they met.
  static state* open(const input& from, const read_options& reading);
  static void destroy(state* open) noexcept;
  static const source& source_of(const state* open) noexcept;
  static position next_block(state& open) noexcept;
  static position gather(state& open, position at, std::size_t count) noexcept;
  static position fill(state& open, position at, std::size_t count) noexcept;
  static position seek(state& open, position at, std::uint64_t offset) noexcept;
  static position skip(state& open, position at, std::uint64_t count) noexcept;
  static position line(state& open, position at, const line_options& options,
                       std::optional<std::string_view>& found) noexcept;
  // `T` is one of the types that `detail::fixed` gives.
  template <class T>
  RIFFLE_API static position number(state& open, position at, detail::taken_number<T>& found) noexcept;
  static const char* aligned(state& open, position at, std::size_t size, std::size_t alignment) noexcept;
  [[noreturn]] static void fail(const state& open, position at, errc code, std::string_view detail = {});
  [[noreturn]] static void rethrow(state& open);
  [[noreturn]] static void fail_moved_from();
  [[noreturn]] static void fail_unread(const state* open, position at);

  state& opened() const {
    if (state_ == nullptr) fail_moved_from();
    return *state_;
  }

  std::size_t left() const noexcept { return static_cast<std::size_t>(end_ - next_); }
  [[gnu::always_inline]] void move_to(position to) {
    next_ = taken_ = to.next;
    end_ = to.end;
    if (state_->failed) rethrow(*state_);
  }
  [[gnu::always_inline]] void need(std::size_t count) {
    if (left() < count) move_to(gather(opened(), {next_, end_}, count));
  }

  template <class... Values>
  [[gnu::always_inline]] void need_all(std::endian order) {
    if (order != std::endian::native) (detail::require_number<Values>(from().name()), ...);
    // The end of the values is computed anyway, so this takes one comparison; `need` subtracts too. In 64
    // bits the sum of an address and a size does not wrap.
    constexpr std::uint64_t size = (sizeof(Values) + ...);
    if (reinterpret_cast<std::uintptr_t>(next_) + size > reinterpret_cast<std::uintptr_t>(end_)) {
      move_to(gather(opened(), {next_, end_}, size));
    }
    taken_ = next_;
  }
  template <class T>
  [[gnu::always_inline]] T next_value(std::endian order) noexcept {
    const char* const value = next_;
    next_ += sizeof(T);
    return detail::value_at<T>(value, order != std::endian::native);
  }

  template <class Count>
  std::size_t size_of(Count count, std::size_t each) const {
    if constexpr (std::signed_integral<Count>) {
      if (count < 0) fail(opened(), {next_, end_}, errc::invalid_argument, "the count is negative");
    }
    if (static_cast<std::uint64_t>(count) > std::numeric_limits<std::size_t>::max() / each)
      fail(opened(), {next_, end_}, errc::unexpected_end);
    return static_cast<std::size_t>(count) * each;
  }

  std::unique_ptr<state, close> state_;
  const char* next_ = nullptr;
  const char* end_ = nullptr;    // of the block
  const char* taken_ = nullptr;  // where the last call began: what it took is between here and `next_`
};

}  // namespace riffle::inline v0
