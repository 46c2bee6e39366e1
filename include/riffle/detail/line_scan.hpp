/// Cuts a region of bytes into lines, for inputs and for memory alike.
#ifndef RIFFLE_DETAIL_LINE_SCAN_HPP
#define RIFFLE_DETAIL_LINE_SCAN_HPP

#include <riffle/detail/match_scan.hpp>
#include <riffle/error.hpp>
#include <riffle/options.hpp>
#include <riffle/source.hpp>

#include <limits>

namespace riffle::inline v0::detail {

/// Cuts a region into lines.
class line_scan {
 public:
  /// Holds the place of a loop over the lines; see `match_cursor`.
  struct cursor {
    match_cursor matches = {};
    const char* line = nullptr;    // where the next line starts
    std::string_view record = {};  // the current line; data() is null if there is none
  };

  /// `name` is the name of the input in messages, and must outlive this object.
  explicit line_scan(const line_options& options = {}, std::string_view name = "memory")
      : scan_(match_delimiter{options.delimiter}), name_(name) {
    set(options);
  }

  /// Continues in `region`. Its first `searched` bytes are the start of a line (the
  /// carry) without a delimiter.
  void start(const block& region, std::size_t searched) noexcept {
    scan_.start(region.bytes.substr(searched));
    line_ = region.data();
    end_ = region.data() + region.size();
    begin_ = region.data();
    offset_ = region.offset;
  }

  /// Continues in the same region at `place`, the start of a line, with other options but the same delimiter.
  void go_on(const char* place, const line_options& options) noexcept {
    scan_.pass(place);
    line_ = place;
    set(options);
  }
  char delimiter() const noexcept { return options_.delimiter; }

  /// Returns the offset in the input of a place in the region, in bytes.
  std::uint64_t offset_of(const char* place) const noexcept {
    return offset_ + static_cast<std::uint64_t>(place - begin_);
  }

  /// Returns the start of the next line.
  const char* place() const noexcept { return line_; }

  /// Returns the cursor before the next line.
  cursor resume() const noexcept { return {scan_.resume(line_), line_}; }

  /// Moves `at` to the next line that ends within the region. Returns false if there is none.
  [[gnu::always_inline]] bool next(cursor& at) {
    if (!scan_.more(at.matches)) return false;
    const char* const stop = scan_.take(at.matches);
    at.record = std::string_view(at.line, static_cast<std::size_t>(stop - at.line));
    line_ = at.line = stop + 1;
    if (!plain_) at.record = adjusted(at.record, 1);
    return true;
  }

  /// Returns the cursor on the line after the last delimiter, which the end of the input ends. Its record has
  /// null data if there are no such bytes.
  cursor last() {
    cursor at = resume();
    if (line_ == end_) return at;
    at.record = adjusted({line_, static_cast<std::size_t>(end_ - line_)}, 0);
    line_ = at.line = end_;
    return at;
  }

  /// Returns the size of the part of a line whose end the region does not hold. Throws `riffle::error`
  /// (`errc::record_too_long`) if the line exceeds `max_length`.
  std::size_t unfinished() const {
    const std::size_t size = static_cast<std::size_t>(end_ - line_);
    // With strip_cr the last byte may be a '\r' that does not count.
    if (size > options_.max_length && size - options_.max_length > (options_.strip_cr ? 1U : 0U)) {
      fail_too_long(name_, offset_of(line_));
    }
    return size;
  }

 private:
  void set(const line_options& options) noexcept {
    options_ = options;
    plain_ = !options.keep_delimiter && !options.strip_cr &&
             options.max_length == std::numeric_limits<std::size_t>::max();
  }

  // Applies the options to a line. `delimiter` is the number of delimiters behind it: 1, or 0 at the end.
  std::string_view adjusted(std::string_view line, std::size_t delimiter) const {
    std::size_t size = line.size();
    const bool cr = options_.strip_cr && size > 0 && line.back() == '\r';
    if (size - (cr && !options_.keep_delimiter ? 1U : 0U) > options_.max_length) {
      fail_too_long(name_, offset_of(line.data()));
    }
    if (options_.keep_delimiter) {
      size += delimiter;
    } else if (cr) {
      --size;
    }
    return {line.data(), size};
  }

  match_scan<match_delimiter> scan_;
  std::string_view name_;
  line_options options_;
  bool plain_ = true;            // no option asks for more than the bytes between delimiters
  const char* begin_ = nullptr;  // of the region
  const char* end_ = nullptr;    // of the region
  const char* line_ = nullptr;   // where the next line starts
  std::uint64_t offset_ = 0;     // of the region in the input
};

}  // namespace riffle::inline v0::detail

#endif
