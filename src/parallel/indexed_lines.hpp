/// Holds the offsets of the lines of an input, and what is left of the input to read a line again.
#pragma once

#include <riffle/detail/line_scan.hpp>
#include <riffle/input.hpp>
#include <riffle/line_index.hpp>
#include <riffle/source.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "method/active_method.hpp"
#include "os/growing_array.hpp"

namespace riffle::inline v0::detail {

/// Neighbouring lines that were read together.
class line_part {
 public:
  /// The lines of `bytes` from the line `first` on, about `count`. The last one may have no delimiter.
  line_part(std::uint64_t first, std::uint64_t count, std::string bytes, const line_index_options& options);

  std::uint64_t first() const noexcept { return first_; }
  std::uint64_t last() const noexcept { return first_ + ends_.size(); }
  bool has(std::uint64_t line) const noexcept { return line - first_ < ends_.size(); }
  std::size_t size() const noexcept { return bytes_.size(); }
  /// Returns the bytes before a line, or before `last()`.
  std::size_t before(std::uint64_t line) const noexcept {
    return line == first_ ? 0 : ends_[static_cast<std::size_t>(line - first_ - 1)];
  }
  std::string_view line(std::uint64_t line) const noexcept;

 private:
  std::uint64_t first_;
  std::string bytes_;
  std::vector<std::size_t> ends_;  // of the lines with their delimiters
  line_rules rules_;
};

class indexed_lines {
 public:
  indexed_lines(const input& from, const line_index_options& options, const read_options& reading);

  std::uint64_t size() const noexcept { return size_; }
  std::span<const std::uint64_t> offsets() const noexcept { return {offsets_.data(), offsets_.size()}; }
  const std::string& name() const noexcept { return name_; }
  bool in_memory() const noexcept { return way_ == way::memory; }
  /// Returns where a line starts; for `size()`, the end.
  std::uint64_t offset(std::uint64_t line) const;
  /// Reads the lines from one offset to the next one, `line` among them.
  line_part around(std::uint64_t line) const;
  /// Reads them for an iterator that has read `before` last, if that is not null: more, if it moves on.
  std::shared_ptr<const line_part> around(std::uint64_t line, const line_part* before) const;

 private:
  enum class way : std::uint8_t { memory, file, members, none };
  struct found;

  void index_whole(source opened);
  void index_members(read_options reading);
  void find(found& lines, const block& in) const;
  void append(const found& lines);
  void finish();
  void require(std::uint64_t line) const;
  std::size_t mark_of(std::uint64_t line) const noexcept;
  std::uint64_t line_at(std::size_t mark) const noexcept {
    return lines_.size() == 0 ? mark : lines_.data()[mark];
  }
  source open(std::size_t member, const read_options& reading) const;
  line_part part(std::size_t first, std::size_t last) const;
  void read(std::uint64_t offset, std::span<char> to) const;
  void read_object(std::uint64_t offset, std::span<char> to) const;
  std::size_t read_members(std::uint64_t offset, std::span<char> to) const;
  [[noreturn]] void fail_changed(std::uint64_t offset) const;

  line_index_options options_;
  read_options reading_;
  std::string name_;
  bool decoded_ = false;
  way way_ = way::none;
  std::string_view memory_;
  std::optional<mapped_bytes> mapped_;
  os::file file_;
  os::file_status indexed_ = {};
  std::shared_ptr<const open_file> object_;  // null: `file_` is read
  std::vector<file_split> members_;
  std::vector<std::uint64_t> starts_;  // of the records of each member, in decoded bytes

  bool dense_;               // an offset of each line, so that their numbers need no memory
  std::uint64_t scale_ = 1;  // grows as offsets are dropped
  os::growing_array<std::uint64_t> offsets_;
  os::growing_array<std::uint64_t> lines_;  // of each offset, unless `dense_`
  std::uint64_t size_ = 0;
  std::uint64_t after_last_ = 0;  // delimiter
  std::uint64_t end_ = 0;
};

}  // namespace riffle::inline v0::detail
