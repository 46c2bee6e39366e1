/// Offers the lines of an input or of memory as views.
#ifndef RIFFLE_LINES_HPP
#define RIFFLE_LINES_HPP

#include <riffle/detail/line_scan.hpp>
#include <riffle/detail/record_iterator.hpp>
#include <riffle/detail/reset_by_move.hpp>
#include <riffle/detail/view_iterator.hpp>
#include <riffle/error.hpp>
#include <riffle/source.hpp>

#include <concepts>
#include <cstddef>
#include <iterator>
#include <memory>
#include <ranges>
#include <string_view>

namespace riffle::inline v0 {

/// Iterates over the lines of an input, once. `riffle::lines` makes this range; it owns its source.
///
/// Each step gives a line, or the end, or throws `riffle::error`: `errc::record_too_long` for a line over
/// `max_length`, another code if reading fails. Bytes after the last delimiter are a line too. After a
/// `break`, the next loop continues behind the last line.
///
/// Lifetime: a line stays valid until you advance to the next one or destroy the range. Thread safety: one
/// thread at a time.
class RIFFLE_API line_range {
 public:
  using value_type = std::string_view;
  using cursor = detail::line_scan::cursor;
  using iterator = detail::record_iterator<line_range>;

  /// As `riffle::lines`.
  line_range(const input& from, const line_options& lines, const read_options& reading);
  /// The lines of a source from which no block was taken.
  explicit line_range(source from, const line_options& lines = {});

  /// Returns an iterator to the first line that is left. Throws as a step does.
  [[gnu::always_inline]] iterator begin() { return iterator(*this); }
  std::default_sentinel_t end() const noexcept { return {}; }

  /// Returns the cursor before the first line that is left.
  cursor resume() const noexcept { return scan_.resume(); }
  /// Moves `at` to the next line. Returns false at the end. Throws as a step does.
  [[gnu::always_inline]] bool advance(cursor& at) {
    if (scan_.next(at)) return true;
    at = next_block();
    return at.record.data() != nullptr;
  }
  /// Moves `at` to the next line that ends in the current block, without reading. Returns false if there is
  /// none: `advance` then reads. A binding releases its lock of the interpreter for that call only.
  [[gnu::always_inline]] bool advance_in_block(cursor& at) { return scan_.next(at); }
  /// Returns the source, valid as long as this range: ask it for the method in use, or call its `check`
  /// before you trust the records since the last step that read a block.
  const source& from() const noexcept { return source_; }

 private:
  friend class numbered_line_range;
  cursor next_block();

  source source_;
  detail::reset_by_move<detail::line_scan> scan_;
};

/// Iterates over the lines of memory: a forward range, each loop over which starts at the
/// front. `riffle::lines` makes it.
///
/// A step throws `riffle::error` (`errc::record_too_long`) for a line over `max_length`. The iterator can
/// then only be destroyed or assigned to. Lifetime: it borrows the memory, and a line stays valid as long as
/// the memory. Thread safety: any number of threads may use one object.
class line_view : public std::ranges::view_interface<line_view> {
 public:
  using iterator = detail::view_iterator<detail::line_cursor>;

  /// No lines.
  line_view() = default;
  /// As `riffle::lines`.
  explicit line_view(memory bytes RIFFLE_LIFETIMEBOUND, const line_options& options = {})
      : memory_(bytes.bytes()), options_(options) {}

  [[gnu::always_inline]] iterator begin() const { return iterator(detail::line_cursor(memory_, options_)); }
  std::default_sentinel_t end() const noexcept { return {}; }

 private:
  template <class F>
  friend void for_each(const line_view& lines, F f);

  detail::line_scan started() const {
    detail::line_scan scan(options_);
    scan.start({memory_, 0}, 0);
    return scan;
  }

  std::string_view memory_;
  line_options options_;
};

/// Returns the lines of an input: `for (std::string_view line : riffle::lines("access.log"))`.
///
/// Throws `riffle::error` if the input cannot be opened, or if the method named in `reading` cannot read it.
[[nodiscard]] inline line_range lines(const input& from, const line_options& options = {},
                                      const read_options& reading = {}) {
  return {from, options, reading};
}
/// The same, with the default `line_options`.
template <std::same_as<read_options> Options = read_options>  // a template, so that `{}` is not ambiguous
[[nodiscard]] line_range lines(const input& from, const Options& reading) {
  return {from, {}, reading};
}

/// Returns the lines of memory: `for (std::string_view line : riffle::lines(riffle::memory(text)))`.
/// Lifetime: the bytes must outlive the result and its lines.
[[nodiscard]] inline line_view lines(memory bytes RIFFLE_LIFETIMEBOUND, const line_options& options = {}) {
  return line_view(bytes, options);
}

/// Calls `f(std::string_view)` with every line of memory; `f` may return false to stop. Throws
/// `riffle::error` (`errc::record_too_long`) for a line over `max_length`, and what `f` throws.
template <class F>
[[gnu::always_inline]] inline void for_each(const line_view& lines, F f) {
  detail::for_each_record(lines, lines.memory_.size(), [&] { return lines.started(); }, f);
}

}  // namespace riffle::inline v0

template <>
inline constexpr bool std::ranges::enable_borrowed_range<riffle::line_view> = true;

#endif
