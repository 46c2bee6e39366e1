/// Offers the lines of a source as columns of Arrow, a batch at a time.
#pragma once

#include <riffle/detail/line_scan.hpp>
#include <riffle/source.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string_view>

#include "bindings/python/native/arrow/table.hpp"

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
table_column line_column(const column_options& column);

/// Returns why lines with these options are no column of this type; null if they are one.
const char* why_no_column(const line_options& lines, const column_options& column) noexcept;

/// Cuts the bytes of a source into batches of lines. It copies them from the blocks of the source into chunks
/// of its own once, as a block does not outlive the next one, and a mapping may change.
class line_batches {
 public:
  /// Takes a source from which no block was taken. A batch holds about `size` bytes, and one line at least;
  /// 0: `chunk_size`. `why_no_column` found nothing wrong with the options.
  line_batches(source from, const line_options& lines, const column_options& column, std::size_t size = 0);

  /// Returns the next batch; one without rows at the end. It shares its chunks with other batches. Throws
  /// `riffle::error`, after all lines before the failure: as `riffle::line_range` does;
  /// `std::errc::illegal_byte_sequence` with the offset of the first byte that is not UTF-8. After that, each
  /// call throws the same error. Throws `std::bad_alloc`.
  table next();

 private:
  void gather();
  void open_index();
  bool cut();
  template <class Entries>
  Entries started();
  template <class Entries>
  bool cut_into();
  void take_last();
  void move_on();
  void fetch();
  table finish();

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
