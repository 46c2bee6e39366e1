/// Offers the lines of a source as columns of Arrow, a batch at a time.
#pragma once

#include <riffle/detail/line_scan.hpp>
#include <riffle/error.hpp>
#include <riffle/scan.hpp>
#include <riffle/source.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>

#include "bindings/python/native/arrow/table.hpp"
#include "bindings/python/native/errors.hpp"
#include "bindings/python/native/interpreter.hpp"

namespace riffle::python::arrow {

/// Names how the bytes of a column lie in memory.
enum class layout : std::uint8_t {
  view,        ///< a view of 16 bytes for each line, which points into the bytes as they were read
  terminated,  ///< offsets into the bytes as they were read: each line ends with its delimiter
  packed       ///< offsets into the bytes of the lines alone
};

/// Says what a column is.
struct column_options {
  arrow::layout layout = arrow::layout::view;
  bool text = false;  ///< the type is that of UTF-8 text, and the bytes are validated
};

/// Returns the name and the type of the column.
inline table_column line_column(const column_options& column) {
  if (column.layout == layout::view) return {"line", column.text ? "vu" : "vz"};
  return {"line", column.text ? "u" : "z"};
}

/// Returns why lines with these options are no column of this type; null if they are one.
inline const char* why_no_column(const line_options& lines, const column_options& column) noexcept {
  if (column.text && static_cast<unsigned char>(lines.delimiter) > 0x7F) {
    return "no character of UTF-8 is a byte above 0x7F; take bytes, or another delimiter";
  }
  if (column.layout == layout::terminated && lines.strip_cr && !lines.keep_delimiter) {
    return "the layout 'terminated' keeps what ends a line; use 'view' or 'packed' with strip_cr";
  }
  return nullptr;
}

static_assert(std::endian::native == std::endian::little, "views are written as little-endian words");

/// Arrow's sizes and offsets within a batch are signed, of 32 bits.
inline constexpr std::size_t most_bytes = std::numeric_limits<std::int32_t>::max();

/// Bytes after a chunk that a view of its last line may look at.
inline constexpr std::size_t slack = 16;

/// A batch starts in an index that has room for a few thousand lines, or in a fresh one.
inline constexpr std::size_t least_index = std::size_t{64} << 10U;

inline constexpr std::size_t longest_character = 4;

inline line_options adapted(line_options lines, const column_options& column) {
  if (column.layout == layout::terminated) lines.keep_delimiter = true;
  return lines;
}

/// Writes views: a line of up to 12 bytes lies in its view, a longer one begins in it.
class view_entries {
 public:
  view_entries(void* index, std::size_t rows, char* base) noexcept
      : to_(static_cast<std::uint64_t*>(index) + 2 * rows), base_(base) {}

  // Without a branch: whether a line is short is not predictable.
  [[gnu::always_inline]] void add(std::string_view line) noexcept {
    const part& keep = parts[std::min<std::size_t>(line.size(), 13)];
    std::uint32_t first = 0;
    std::uint64_t rest = 0;
    std::memcpy(&first, line.data(), sizeof first);
    std::memcpy(&rest, line.data() + sizeof first, sizeof rest);
    end_ = static_cast<std::size_t>(line.data() + line.size() - base_);
    const std::uint64_t place = static_cast<std::uint64_t>(line.data() - base_) << 32U;  // in buffer 0
    to_[0] = line.size() | (first & keep.first) << 32U;
    to_[1] = (rest & keep.rest) | (place & keep.place);
    to_ += 2;
  }
  std::size_t data_size() const noexcept { return end_; }

 private:
  struct part {
    std::uint64_t first;
    std::uint64_t rest;
    std::uint64_t place;
  };
  static constexpr std::array<part, 14> parts = [] {
    std::array<part, 14> all{};
    const auto low = [](std::size_t bytes) { return bytes == 0 ? 0 : ~std::uint64_t{0} >> (64 - 8 * bytes); };
    for (std::size_t size = 0; size <= 12; ++size) {
      all[size] = {low(std::min<std::size_t>(size, 4)), low(size - std::min<std::size_t>(size, 4)), 0};
    }
    all[13] = {low(4), 0, ~std::uint64_t{0}};
    return all;
  }();

  std::uint64_t* to_;
  const char* base_;
  std::size_t end_ = 0;
};

/// Writes the offset after each line, which is where the next one starts.
class terminated_entries {
 public:
  terminated_entries(void* index, std::size_t rows, char* base) noexcept
      : to_(static_cast<std::int32_t*>(index) + rows), base_(base) {
    if (rows == 0) *to_ = 0;
  }

  [[gnu::always_inline]] void add(std::string_view line) noexcept {
    *++to_ = static_cast<std::int32_t>(line.data() + line.size() - base_);
  }
  std::size_t data_size() const noexcept { return static_cast<std::size_t>(*to_); }

 private:
  std::int32_t* to_;
  const char* base_;
};

/// Moves each line next to the one before. The place it leaves is never before the one it goes to.
class packed_entries {
 public:
  packed_entries(void* index, std::size_t rows, char* base) noexcept
      : to_(static_cast<std::int32_t*>(index) + rows), base_(base) {
    if (rows == 0) *to_ = 0;
    behind_ = base_ + *to_;
  }

  [[gnu::always_inline]] void add(std::string_view line) noexcept {
    std::memmove(behind_, line.data(), line.size());
    behind_ += line.size();
    *++to_ = static_cast<std::int32_t>(behind_ - base_);
  }
  std::size_t data_size() const noexcept { return static_cast<std::size_t>(*to_); }

 private:
  std::int32_t* to_;
  char* base_;
  char* behind_;
};

/// Calls `f` with the type of the entries of a layout.
template <class F>
auto with_entries(layout which, F f) {
  if (which == layout::view) return f(std::type_identity<view_entries>());
  if (which == layout::terminated) return f(std::type_identity<terminated_entries>());
  return f(std::type_identity<packed_entries>());
}

/// Cuts the bytes of a source into batches of lines. It copies them from the blocks of the source into chunks
/// of its own once, as a block does not outlive the next one, and a mapping may change.
class line_batches {
 public:
  /// Takes a source from which no block was taken. A batch holds about `size` bytes, and one line at least;
  /// 0: `chunk_size`. `why_no_column` found nothing wrong with the options.
  line_batches(source from, const line_options& lines, const column_options& column, std::size_t size)
      : source_(std::move(from)),
        column_(column),
        size_(std::min(size == 0 ? chunk_size - slack : size, most_bytes)),
        scan_(adapted(lines, column), source_.name()) {}

  /// Returns the next batch; one without rows at the end. It shares its chunks with other batches. Throws
  /// `riffle::error`, after all lines before the failure: as `riffle::line_range` does;
  /// `std::errc::illegal_byte_sequence` with the offset of the first byte that is not UTF-8. After that, each
  /// call throws the same error. Throws `std::bad_alloc`.
  table next() {
    rows_ = 0;
    if (!failure_) failure_ = failure_of([this] { gather(); });
    if (rows_ != 0) return finish();
    if (!failure_) return {};
    std::rethrow_exception(is_of_python(failure_) ? std::exchange(failure_, nullptr) : failure_);
  }

 private:
  // Takes lines until the chunk or the index is full, or the input has ended.
  void gather() {
    open_index();
    while (!cut()) {
      if (invalid_) {
        throw error(std::make_error_code(std::errc::illegal_byte_sequence), "read", source_.name(),
                    offset_ + valid_, "it is not UTF-8; take bytes instead of text");
      }
      if (ended_) return take_last();
      if (end_ == capacity_) {
        if (rows_ != 0) return;
        move_on();
      }
      fetch();
    }
  }

  void open_index() {
    if (index_ && chunk_size - index_used_ >= least_index) return;
    index_ = take_chunk(chunk_size, capacity_ != 0);
    index_used_ = 0;
  }

  // Takes the lines that are whole in the chunk. Returns whether the index is full.
  bool cut() {
    return with_entries(column_.layout,
                        [this]<class Entries>(std::type_identity<Entries>) { return cut_into<Entries>(); });
  }

  // Returns what goes on after the lines of the batch. The first of them is where its data starts.
  template <class Entries>
  Entries started() {
    if (rows_ == 0) start_ = place();
    return {index_.get() + index_used_, rows_, data_.get() + start_};
  }

  template <class Entries>
  bool cut_into() {
    const std::size_t room =
        (chunk_size - index_used_) / entry_size() - 1;  // offsets are one more than lines
    detail::line_scan::cursor at = scan_.resume();
    Entries entries = started<Entries>();
    std::size_t rows = rows_;
    std::exception_ptr too_long;
    try {
      for (; rows != room && scan_.next(at); ++rows) entries.add(at.record);
    } catch (...) {
      too_long = std::current_exception();  // the lines before it count
    }
    if (rows != rows_) data_size_ = entries.data_size();
    rows_ = rows;
    if (too_long) std::rethrow_exception(too_long);
    return rows == room;
  }

  // Takes the line that the end of the input ends, if there is one. The index has room, as it is not full.
  void take_last() {
    with_entries(column_.layout, [this]<class Entries>(std::type_identity<Entries>) {
      Entries entries = started<Entries>();
      const detail::line_scan::cursor last = scan_.last();
      if (last.record.data() == nullptr) return;
      entries.add(last.record);
      data_size_ = entries.data_size();
      ++rows_;
    });
  }

  // Takes a new chunk for the line that the end of this one cuts, and for what follows it.
  // `source::next(keep)` cannot carry that line: its memory goes with the next block, and a chunk is Arrow's
  // as long as a batch lives.
  void move_on() {
    static_cast<void>(scan_.unfinished());  // throws if the line is too long
    const std::size_t start = place();
    const std::size_t carried = end_ - start;
    if (carried > most_bytes - slack) {
      throw error(errc::record_too_long, "read", source_.name(), offset_ + start,
                  "a line of a column is shorter than 2 GiB by 16 bytes");
    }
    const std::size_t capacity = std::min(std::max(size_, 2 * carried), most_bytes);
    const chunk from = std::exchange(data_, take_chunk(capacity + slack, capacity_ != 0));
    if (carried != 0) std::memcpy(data_.get(), from.get() + start, carried);
    capacity_ = capacity;
    offset_ += start;
    end_ = carried;
    valid_ -= start;
    scan_.start({{data_.get(), valid_}, offset_}, valid_);
  }

  // Copies what the source has next, up to the end of the chunk.
  void fetch() {
    if (fetched_.empty()) {
      const block next = source_.next();
      if (end_ == 0) offset_ = next.offset;
      fetched_ = next.bytes;
      ended_ = fetched_.empty();
    }
    const std::size_t size = std::min(fetched_.size(), capacity_ - end_);
    if (size != 0) std::memcpy(data_.get() + end_, fetched_.data(), size);
    source_.check();  // before the lines count
    fetched_.remove_prefix(size);
    end_ += size;
    std::size_t valid = end_;
    if (column_.text) {
      const std::string_view fresh(data_.get() + valid_, end_ - valid_);
      valid = valid_ + std::min(scan::find_invalid_utf8(fresh), fresh.size());
      // Fewer bytes may start a character whose rest comes next.
      invalid_ = end_ - valid >= longest_character || (ended_ && valid != end_);
    }
    const std::size_t start = place();
    scan_.start({{data_.get() + start, valid - start}, offset_ + start}, valid_ - start);
    valid_ = valid;
  }

  table finish() {
    const bool views = column_.layout == layout::view;
    const std::size_t entries = rows_ + (views ? 0 : 1);
    column_values lines{
        0, {nullptr, chunk{index_, index_.get() + index_used_}, chunk{data_, data_.get() + start_}}};
    if (views)
      lines.buffers.push_back(std::make_shared<std::int64_t>(data_size_));  // the sizes of the data come last
    index_used_ = (index_used_ + entries * entry_size() + 63) / 64 * 64;
    return {static_cast<std::int64_t>(rows_), {std::move(lines)}};
  }

  std::size_t entry_size() const noexcept { return column_.layout == layout::view ? 16 : 4; }
  std::size_t place() const noexcept { return static_cast<std::size_t>(scan_.place() - data_.get()); }

  source source_;
  column_options column_;
  std::size_t size_;          // of a chunk, unless a line is longer
  std::string_view fetched_;  // of the block, and not in `data_` yet
  bool ended_ = false;        // whether the source has no more blocks
  bool invalid_ = false;      // whether the byte at `valid_` is not UTF-8
  std::exception_ptr failure_;

  chunk data_;
  std::size_t capacity_ = 0;  // of `data_`; a view may look at `slack` more bytes
  std::uint64_t offset_ = 0;  // of the start of `data_` in the input
  std::size_t end_ = 0;       // of the bytes in `data_`
  std::size_t valid_ = 0;     // of the bytes in `data_` that lines may be cut from
  detail::line_scan scan_;    // of the bytes from a start of a line to `valid_`

  chunk index_;
  std::size_t index_used_ = 0;  // by earlier batches, in bytes
  std::size_t rows_ = 0;        // of the current batch
  std::size_t start_ = 0;       // of the first line of the current batch in `data_`
  std::size_t data_size_ = 0;   // of the lines of the current batch
};

}  // namespace riffle::python::arrow
