/// Offers the lines of an input with their numbers and offsets.
#pragma once

#include <riffle/detail/record_iterator.hpp>
#include <riffle/lines.hpp>

#include <concepts>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <utility>

namespace riffle::inline v0 {

/// Holds a line, its number and its offset.
struct numbered_line {
  std::string_view text;     ///< stays valid until you advance to the next line
  std::uint64_t number = 0;  ///< 1 for the first line read
  std::uint64_t offset = 0;  ///< of its first byte, in bytes from the start of the input
};

/// Iterates over the lines of an input with their numbers and offsets, once. `riffle::numbered_lines` makes
/// this range. Outcomes, errors, lifetimes and thread safety are those of `riffle::line_range`.
class numbered_line_range {
 public:
  using value_type = numbered_line;
  using iterator = detail::record_iterator<numbered_line_range>;
  struct cursor {
    line_range::cursor line;
    numbered_line record = {};
  };

  /// Opens an input as `riffle::numbered_lines` does.
  numbered_line_range(const input& from, const line_options& lines, const read_options& reading)
      : lines_(from, lines, reading) {}
  /// The lines of a source from which no block was taken.
  explicit numbered_line_range(source from, const line_options& lines = {})
      : lines_(std::move(from), lines) {}

  /// Returns an iterator to the first line that is left. Throws as a step does.
  [[gnu::always_inline]] iterator begin() { return iterator(*this); }
  std::default_sentinel_t end() const noexcept { return {}; }

  /// Returns the cursor before the first line that is left.
  cursor resume() noexcept { return {lines_.resume()}; }
  /// Moves `at` to the next line. Returns false at the end. Throws as a step does.
  [[gnu::always_inline]] bool advance(cursor& at) {
    if (!lines_.advance(at.line)) return false;
    at.record = {at.line.record, ++number_, lines_.scan().offset_of(at.line.record.data())};
    return true;
  }

  /// Returns the source of the lines, valid as long as this range.
  const source& from() const noexcept { return lines_.from(); }

 private:
  line_range lines_;
  std::uint64_t number_ = 0;  // of the line handed out last
};

/// Returns the lines of an input with their numbers and offsets:
/// `for (const riffle::numbered_line line : riffle::numbered_lines("main.c"))`.
///
/// Throws `riffle::error` if the input cannot be opened, or if the method named in `reading` cannot read it.
[[nodiscard]] inline numbered_line_range numbered_lines(const input& from, const line_options& options = {},
                                                        const read_options& reading = {}) {
  return {from, options, reading};
}
/// Returns the lines of an input with the default `line_options`.
template <std::same_as<read_options> Options = read_options>  // a template, so that `{}` is not ambiguous
[[nodiscard]] numbered_line_range numbered_lines(const input& from, const Options& reading) {
  return {from, {}, reading};
}

}  // namespace riffle::inline v0
