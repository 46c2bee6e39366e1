/// The one line scanner: it cuts a region into lines, for files and for memory alike.
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
  /// Where a loop over the lines stands; see `match_cursor`.
  struct cursor {
    match_cursor matches = {};
    const char* line = nullptr;    // where the next line starts
    std::string_view record = {};  // the line stood on; data() is null when there is none
  };

  /// `name`: of the input, for messages; stays where it is.
  explicit line_scan(const line_options& options = {}, std::string_view name = "memory")
      : scan_(match_delimiter{options.delimiter}), name_(name) {
    set(options);
  }

  /// Goes on in `region`. Its first `searched` bytes are the
  /// start of a line (the carry), known to hold no delimiter.
  void start(const block& region, std::size_t searched) noexcept {
    scan_.start(region.bytes.substr(searched));
    line_ = region.data();
    end_ = region.data() + region.size();
    begin_ = region.data();
    offset_ = region.offset;
  }

  /// Goes on in the same region at `place`, where a line starts, by other options; the delimiter stays.
  void go_on(const char* place, const line_options& options) noexcept {
    scan_.pass(place);
    line_ = place;
    set(options);
  }
  char delimiter() const noexcept { return options_.delimiter; }

  /// Where a place in the region stands in the input, in bytes.
  std::uint64_t offset_of(const char* place) const noexcept {
    return offset_ + static_cast<std::uint64_t>(place - begin_);
  }

  /// Where the next line starts.
  const char* place() const noexcept { return line_; }

  /// The cursor before the next line.
  cursor resume() const noexcept { return {scan_.resume(line_), line_}; }

  /// Moves to the next line that ends within the region; false when there is none.
  [[gnu::always_inline]] bool next(cursor& at) {
    if (!scan_.more(at.matches)) return false;
    const char* const stop = scan_.take(at.matches);
    at.record = std::string_view(at.line, static_cast<std::size_t>(stop - at.line));
    line_ = at.line = stop + 1;
    if (!plain_) at.record = adjusted(at.record, 1);
    return true;
  }

  /// The bytes after the last delimiter, which the end of
  /// the input makes a line; no line where there are none.
  cursor last() {
    cursor at = resume();
    if (line_ == end_) return at;
    at.record = adjusted({line_, static_cast<std::size_t>(end_ - line_)}, 0);
    line_ = at.line = end_;
    return at;
  }

  /// The size of the start of a line whose end the region does
  /// not hold. Throws when it is longer than any line may be.
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

  // What the options make of a line that ends in so many delimiters, which lie behind it.
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
