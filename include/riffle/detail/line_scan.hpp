/// Why this file exists: the one line scanner: it cuts a region into lines, for files and for memory alike.
#ifndef RIFFLE_DETAIL_LINE_SCAN_HPP
#define RIFFLE_DETAIL_LINE_SCAN_HPP

#include <riffle/detail/mark_scan.hpp>
#include <riffle/error.hpp>
#include <riffle/options.hpp>
#include <riffle/source.hpp>

#include <limits>

namespace riffle::detail {

[[noreturn]] RIFFLE_API void fail_too_long(std::string_view name, std::uint64_t offset);

/// Cuts a region into lines. `batch_size`: how many bytes are looked at at a time.
template <std::size_t batch_size>
class line_scan {
 public:
  /// `name`: of the input, for messages; stays where it is.
  explicit line_scan(const line_options& options = {}, std::string_view name = "memory")
      : scan_(match_delimiter{options.delimiter}),
        name_(name),
        options_(options),
        plain_(!options.keep_delimiter && !options.strip_cr &&
               options.max_length == std::numeric_limits<std::size_t>::max()) {}

  /// Goes on in `region`. Its first `searched` bytes are the start of a line (the carry), known to hold no
  /// delimiter.
  void start(const block& region, std::size_t searched) noexcept {
    scan_.start(region.bytes.substr(searched));
    line_ = region.data();
    end_ = region.data() + region.size();
    begin_ = region.data();
    offset_ = region.offset;
  }

  /// Moves to the next line that ends within the region; false when there is none.
  bool next() {
    const char* stop = scan_.next();
    if (stop == nullptr) return false;
    take(stop, 1);
    return true;
  }

  /// Moves to the bytes after the last delimiter, which the end of the input makes a line; false when there
  /// are none.
  bool last() {
    if (line_ == end_) return false;
    take(end_, 0);
    return true;
  }

  /// The start of a line whose end the region does not hold. Throws when it is longer than any line may be.
  std::size_t unfinished() const {
    const std::size_t size = static_cast<std::size_t>(end_ - line_);
    // With strip_cr the last byte may be a '\r' that does not count.
    if (size > options_.max_length && size - options_.max_length > (options_.strip_cr ? 1U : 0U)) {
      fail_too_long(name_, offset_of(line_));
    }
    return size;
  }

  std::string_view current() const noexcept { return current_; }

 private:
  void take(const char* stop, std::size_t delimiter) {
    current_ = std::string_view(line_, static_cast<std::size_t>(stop - line_));
    line_ = stop + delimiter;
    if (!plain_) adjust(delimiter);
  }

  void adjust(std::size_t delimiter) {
    std::size_t size = current_.size();
    const bool cr = options_.strip_cr && size > 0 && current_.back() == '\r';
    if (size - (cr && !options_.keep_delimiter ? 1U : 0U) > options_.max_length) {
      fail_too_long(name_, offset_of(current_.data()));
    }
    if (options_.keep_delimiter) {
      size += delimiter;
    } else if (cr) {
      --size;
    }
    current_ = std::string_view(current_.data(), size);
  }

  std::uint64_t offset_of(const char* place) const noexcept {
    return offset_ + static_cast<std::uint64_t>(place - begin_);
  }

  mark_scan<match_delimiter, batch_size> scan_;
  std::string_view name_;
  line_options options_;
  bool plain_;                   // no option asks for more than the bytes between delimiters
  const char* begin_ = nullptr;  // of the region
  const char* end_ = nullptr;    // of the region
  const char* line_ = nullptr;   // where the next line starts
  std::uint64_t offset_ = 0;     // of the region in the input
  std::string_view current_;
};

}  // namespace riffle::detail

#endif
