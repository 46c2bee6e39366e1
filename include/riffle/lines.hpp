/// Lines, of any input and of memory, without a copy and without an allocation for each.
#ifndef RIFFLE_LINES_HPP
#define RIFFLE_LINES_HPP

#include <riffle/detail/line_scan.hpp>
#include <riffle/detail/record_iterator.hpp>
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

/// The lines of an input: a single-pass range that owns its source. Made by `riffle::lines`.
///
/// A line is valid until the iterator moves on. Three outcomes: a line; the
/// end; a failure, thrown as `riffle::error` (`errc::record_too_long` for a
/// line over `max_length`). Bytes after the last delimiter are a line too.
class RIFFLE_API line_range {
 public:
  using value_type = std::string_view;
  using cursor = detail::line_scan::cursor;
  using iterator = detail::record_iterator<line_range>;

  line_range(const input& from, const line_options& lines, const read_options& reading);

  iterator begin() { return iterator(*this); }
  std::default_sentinel_t end() const noexcept { return {}; }

  /// The cursor before the first line that is left.
  cursor resume() const noexcept { return scan_.resume(); }
  /// Moves to the next line; false at the end.
  [[gnu::always_inline]] bool advance(cursor& at) {
    if (scan_.next(at)) return true;
    at = next_block();
    return at.record.data() != nullptr;
  }

 private:
  friend class numbered_line_range;
  cursor next_block();

  source source_;
  detail::line_scan scan_;
};

/// The lines of memory: a forward range that borrows it. A line is valid as long as the memory.
class line_view : public std::ranges::view_interface<line_view> {
 public:
  using iterator = detail::view_iterator<detail::line_scan>;

  line_view() = default;
  explicit line_view(memory bytes RIFFLE_LIFETIMEBOUND, const line_options& options = {})
      : memory_(bytes.bytes()), options_(options) {}

  iterator begin() const { return iterator(started()); }
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

/// Returns the lines of any input: `for (std::string_view line : riffle::lines("access.log"))`. Throws
/// `riffle::error` if it cannot be opened.
[[nodiscard]] inline line_range lines(const input& from, const line_options& options = {},
                                      const read_options& reading = {}) {
  return {from, options, reading};
}
template <std::same_as<read_options> Options = read_options>  // a template, so that `{}` is not ambiguous
[[nodiscard]] line_range lines(const input& from, const Options& reading) {
  return {from, {}, reading};
}

/// Returns the lines of memory: `for (std::string_view line : riffle::lines(riffle::memory(text)))`.
[[nodiscard]] inline line_view lines(memory bytes RIFFLE_LIFETIMEBOUND, const line_options& options = {}) {
  return line_view(bytes, options);
}

/// Calls `f` with every line of memory; `f` may return false to stop.
template <class F>
[[gnu::always_inline]] inline void for_each(const line_view& lines, F f) {
  detail::for_each_record(lines.started(), f);
}

}  // namespace riffle::inline v0

template <>
inline constexpr bool std::ranges::enable_borrowed_range<riffle::line_view> = true;

#endif
