/// Cuts a region of bytes into lines, for inputs and for memory alike.
#pragma once

#include <riffle/detail/mask_scan.hpp>
#include <riffle/detail/place_scan.hpp>
#include <riffle/detail/scanned.hpp>
#include <riffle/error.hpp>
#include <riffle/options.hpp>
#include <riffle/source.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

namespace riffle::inline v0::detail {

/// Applies the options to the bytes before a delimiter, for every scan of lines.
class line_rules {
 public:
  explicit line_rules(const line_options& options = {}) noexcept
      : max_length_(options.max_length),
        delimiter_(options.delimiter),
        keep_(options.keep_delimiter),
        strip_(options.strip_cr),
        plain_(!keep_ && !strip_ && max_length_ == std::numeric_limits<std::size_t>::max()) {}

  char delimiter() const noexcept { return delimiter_; }
  /// Returns whether every line is accepted as it is, without its delimiter.
  bool plain() const noexcept { return plain_; }

  /// Returns whether the bytes before a delimiter exceed `max_length`.
  bool too_long(std::string_view line) const noexcept {
    return line.size() - (!keep_ && ends_with_cr(line) ? 1U : 0U) > max_length_;
  }
  /// Returns the size of the record. `delimiter` is the number of delimiters after the line: 1, or 0 at the
  /// end.
  std::size_t record_size(std::string_view line, std::size_t delimiter) const noexcept {
    if (keep_) return line.size() + delimiter;
    return line.size() - (ends_with_cr(line) ? 1U : 0U);
  }
  /// Returns whether `size` bytes without a delimiter are too many. The last may be a '\r' that does not
  /// count.
  bool too_long_unfinished(std::size_t size) const noexcept {
    return size > max_length_ && size - max_length_ > (strip_ ? 1U : 0U);
  }

 private:
  bool ends_with_cr(std::string_view line) const noexcept {
    return strip_ && !line.empty() && line.back() == '\r';
  }

  std::size_t max_length_;
  char delimiter_;
  bool keep_;
  bool strip_;
  bool plain_;
};

class line_cursor;

/// Cuts a region into lines.
class RIFFLE_API line_scan {
 public:
  using options_type = line_options;
  using memory_cursor = line_cursor;

  /// Holds the place of a loop over the lines; see `place_cursor`.
  struct cursor {
    place_cursor matches = {};
    const char* line = nullptr;    // where the next line starts
    std::string_view record = {};  // the current line; data() is null if there is none
  };

  /// `name` is the name of the input in messages, and `from` reads it, unless it is memory; both must outlive
  /// this object.
  explicit line_scan(const line_options& options = {}, std::string_view name = "memory",
                     source_state* from = nullptr)
      : scan_(match_delimiter{options.delimiter}), name_(name), source_(from), rules_(options) {}

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
    rules_ = line_rules(options);
  }
  char delimiter() const noexcept { return rules_.delimiter(); }

  /// Returns the offset in the input of a place in the region, in bytes.
  std::uint64_t offset_of(const char* place) const noexcept {
    return offset_ + static_cast<std::uint64_t>(place - begin_);
  }

  /// Returns the start of the next line.
  const char* place() const noexcept { return line_; }

  /// Returns the cursor before the next line.
  cursor resume() noexcept { return {scan_.resume(line_), line_}; }

  /// Moves `at` to the next line that ends within the region. Returns false if there is none.
  [[gnu::always_inline]] bool next(cursor& at) {
    if (!scan_.more(at.matches)) return false;
    const char* const stop = scan_.take(at.matches);
    at.record = std::string_view(at.line, static_cast<std::size_t>(stop - at.line));
    if (!rules_.plain()) [[unlikely]] {
      at.record = adjusted(at.record, 1);  // if it throws, the loop stays before the line
    }
    line_ = at.line = stop + 1;
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
    if (rules_.too_long_unfinished(size)) fail_too_long(name_, offset_of(line_), source_);
    return size;
  }

 private:
  std::string_view adjusted(std::string_view line, std::size_t delimiter) const {
    if (rules_.too_long(line)) fail_too_long(name_, offset_of(line.data()), source_);
    return {line.data(), rules_.record_size(line, delimiter)};
  }

  place_scan<match_delimiter> scan_;
  std::string_view name_;
  source_state* source_;
  line_rules rules_;
  const char* begin_ = nullptr;  // of the region
  const char* end_ = nullptr;    // of the region
  const char* line_ = nullptr;   // where the next line starts
  std::uint64_t offset_ = 0;     // of the region in the input
};

/// Holds the current line of memory, one mask and what finds the next line: little enough for an iterator.
class line_cursor {
 public:
  /// After the last line.
  line_cursor() = default;
  /// On the first line. Throws `riffle::error` (`errc::record_too_long`) if it exceeds `max_length`.
  // Always inlined, as is every step: a call that takes this object keeps it out of the registers.
  [[gnu::always_inline]] line_cursor(std::string_view memory, const line_options& options)
      : scan_(memory, mask_of_delimiter{options.delimiter}),
        line_(memory.data()),
        begin_(memory.data()),
        rules_(options) {
    find_stop();
  }

  bool ended() const noexcept { return line_ == nullptr; }
  std::string_view record() const noexcept {
    if (rules_.plain()) [[likely]]
      return bytes();
    return {line_, rules_.record_size(bytes(), stop_ == scan_.end() ? 0 : 1)};
  }

  /// Moves to the next line, or past the last one. Throws as the constructor does.
  [[gnu::always_inline]] void next() {
    if (stop_ == scan_.end()) {
      line_ = nullptr;
    } else {
      line_ = stop_ + 1;
      find_stop();
    }
  }

 private:
  std::string_view bytes() const noexcept { return {line_, static_cast<std::size_t>(stop_ - line_)}; }
  [[gnu::always_inline]] void find_stop() {
    if (!scan_.next(mask_of_delimiter{rules_.delimiter()}, stop_)) {
      stop_ = scan_.end();
      if (line_ == stop_) {
        line_ = nullptr;
        return;
      }
    }
    if (!rules_.plain() && rules_.too_long(bytes())) [[unlikely]] {
      fail_too_long("memory", static_cast<std::uint64_t>(line_ - begin_));
    }
  }

  mask_scan scan_;
  const char* line_ = nullptr;   // null after the last line
  const char* stop_ = nullptr;   // the delimiter, or the end of the memory
  const char* begin_ = nullptr;  // of the memory
  line_rules rules_;
};

}  // namespace riffle::inline v0::detail
