/// Offers the lines of an input or of memory as views, alone or with their numbers and offsets.
#pragma once

#include <riffle/detail/line_scan.hpp>
#include <riffle/detail/record_iterator.hpp>
#include <riffle/detail/scanned.hpp>
#include <riffle/source.hpp>

#include <concepts>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <utility>

namespace riffle::inline v0 {

/// Iterates over the lines of an input, once. `riffle::lines` makes this range; it owns its source.
///
/// Each step gives a line, or the end, or throws `riffle::error`: `errc::record_too_long` for a line over
/// `max_length`, another code if reading fails. Bytes after the last delimiter are a line too. After a
/// `break`, the next loop continues after the last line.
///
/// Lifetime: a line stays valid until you advance to the next one or destroy the range. Thread safety: one
/// thread at a time.
class RIFFLE_API line_range : public detail::scanned_range<detail::line_scan> {
 public:
  /// Opens an input as `riffle::lines` does.
  line_range(const input& from, const line_options& lines, const read_options& reading);
  /// The lines of a source from which no block was taken.
  explicit line_range(source from, const line_options& lines = {});
};

namespace detail {

/// The lines of a source, and their places in it.
class placed_lines : public line_range {
 public:
  using line_range::line_range;
  /// Returns the offset in the input of a place in the block.
  std::uint64_t offset_of(const char* place) noexcept { return scan().offset_of(place); }
  /// Returns where the next line starts.
  const char* place() noexcept { return scan().place(); }
  /// Gives away the source of a range from which no line was taken.
  source taken() && noexcept { return std::move(*this).scanned_range::taken(); }
};

}  // namespace detail

/// Iterates over the lines of memory: a forward range, each loop over which starts at the
/// front. `riffle::lines` makes it.
///
/// A step throws `riffle::error` (`errc::record_too_long`) for a line over `max_length`. The iterator can
/// then only be destroyed or assigned to. Lifetime: it borrows the memory, and a line stays valid as long as
/// the memory. Thread safety: any number of threads may use one object.
using line_view = detail::scanned_view<detail::line_scan>;

/// Returns the lines of an input: `for (std::string_view line : riffle::lines("access.log"))`.
///
/// Throws `riffle::error` if the input cannot be opened, or if the method named in `reading` cannot read it.
[[nodiscard]] inline line_range lines(const input& from, const line_options& options = {},
                                      const read_options& reading = {}) {
  return {from, options, reading};
}
template <std::same_as<read_options> Options = read_options>
[[nodiscard]] line_range lines(const input& from, const Options& reading) {
  return {from, {}, reading};
}

/// Returns the lines of memory: `for (std::string_view line : riffle::lines(riffle::memory(text)))`.
/// Lifetime: the bytes must outlive the result and its lines.
[[nodiscard]] inline line_view lines(memory bytes RIFFLE_LIFETIMEBOUND, const line_options& options = {}) {
  return line_view(bytes, options);
}

/// Holds a line, its number and its offset.
struct numbered_line {
  std::string_view text;     ///< stays valid until you advance to the next line
  std::uint64_t number = 0;  ///< 1 for the first line read
  std::uint64_t offset = 0;  ///< of its first byte, in bytes from the start of the input
};

/// Iterates over the lines of an input with their numbers and offsets, once. `riffle::numbered_lines` makes
/// this range. Outcomes, errors, lifetimes and thread safety are those of `riffle::line_range`.
class numbered_line_range : public detail::single_pass<numbered_line_range, numbered_line> {
 public:
  /// Opens an input as `riffle::numbered_lines` does.
  numbered_line_range(const input& from, const line_options& lines, const read_options& reading)
      : lines_(from, lines, reading) {}
  /// The lines of a source from which no block was taken.
  explicit numbered_line_range(source from, const line_options& lines = {})
      : lines_(std::move(from), lines) {}

  /// Returns the source of the lines, valid as long as this range.
  const source& from() const noexcept { return lines_.from(); }

 private:
  friend detail::steps;
  struct cursor {
    detail::steps::cursor<line_range> line;
    numbered_line record = {};
  };

  cursor resume() noexcept { return {detail::steps::resume(lines_)}; }
  [[gnu::always_inline]] bool advance(cursor& at) {
    if (!detail::steps::advance(lines_, at.line)) return false;
    at.record = {at.line.record, ++number_, lines_.offset_of(at.line.record.data())};
    return true;
  }

  detail::placed_lines lines_;
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
template <std::same_as<read_options> Options = read_options>
[[nodiscard]] numbered_line_range numbered_lines(const input& from, const Options& reading) {
  return {from, {}, reading};
}

}  // namespace riffle::inline v0
