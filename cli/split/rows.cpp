/// Splits an input before rows, which are found one by one. All bytes of the input are kept.
#include "cli/split/split.hpp"

#include <riffle/detail/byte_order_mark.hpp>
#include <riffle/error.hpp>
#include <riffle/rows.hpp>

#include <fmt/core.h>

#include <string>
#include <string_view>
#include <utility>

namespace riffle::cli {

namespace {

dialect kept_whole(const split_arguments& given) {
  dialect rows = given.rows;
  rows.delimiter = given.delimiter;
  rows.skip_blank = false;
  return rows;
}

// An empty row is kept after the one before it, and not counted, as it is skipped where rows are read.
bool is_blank(const row& each) {
  return each.text().empty();
}

class row_splitter {
 public:
  row_splitter(row_range& rows, const split_arguments& given, unsigned threads)
      : rows_(rows),
        given_(given),
        out_(given, rows.from(), threads),
        next_(rows.from().start()),
        parts_(parts_from(next_)) {}

  void split() {
    for (auto at = detail::steps::resume(rows_); advance(at);) {
      const row& each = at.record;
      const std::string_view bytes(each.text().data(),
                                   static_cast<std::size_t>(each.offset_behind() - each.offset()));
      if (each.offset() != next_) add_mark(each.offset() - next_);
      add(bytes, each.offset(), is_blank(each));
      next_ = each.offset_behind();
    }
    if (header_ += skipped_; !header_.empty()) use_header();
    if (out_.has_bytes() || (out_.files() == 0 && had_header_)) out_.end_file();
    while (given_.number != 0 && out_.files() != given_.number) out_.end_file();
    out_.finish();
  }

 private:
  // A file that has all its rows is whole, although the row after it cannot be read.
  bool advance(detail::steps::cursor<row_range>& at) try {
    return detail::steps::advance(rows_, at);
  } catch (const error&) {
    if (given_.lines != 0 && count_ == given_.lines) out_.end_file();
    throw;
  }

  equal_parts parts_from(std::uint64_t offset) const {
    const std::uint64_t end = rows_.from().size_hint();
    return {offset, end - std::min(end, offset), given_.number};
  }

  // riffle skips one thing before a row.
  void add_mark(std::uint64_t size) {
    (given_.header ? header_ : mark_) = detail::byte_order_mark.substr(0, static_cast<std::size_t>(size));
  }

  void use_header() {
    had_header_ = true;
    out_.set_header(std::exchange(header_, {}));
  }

  void add(std::string_view bytes, std::uint64_t offset, bool blank) {
    if (given_.header && !had_header_) {
      (blank ? skipped_ : header_) += bytes;
      if (blank) return;
      out_.set_header(std::exchange(skipped_, {}));  // so that offsets count it
      use_header();
      parts_ = parts_from(offset + bytes.size());
      return;
    }
    if (!blank) end_files_before(offset);
    if (given_.line_bytes != 0) make_room(mark_.size() + bytes.size(), offset);
    out_.add(std::exchange(mark_, {}));
    out_.add(bytes, blank ? 0 : 1);
    if (!blank) ++count_;
  }

  void end_files_before(std::uint64_t offset) {
    if (given_.number != 0) {
      while (out_.files() + 1 != given_.number && offset >= parts_.end_of(out_.files())) out_.end_file();
    } else if (given_.line_bytes == 0 && count_ == given_.lines) {
      out_.end_file();
      count_ = 0;
    }
  }

  void make_room(std::size_t size, std::uint64_t offset) {
    if (out_.size() + size <= given_.line_bytes) return;
    if (out_.has_bytes()) out_.end_file();
    if (out_.size() + size <= given_.line_bytes) return;
    throw error(
        errc::invalid_argument, "split", rows_.from().name(), offset,
        fmt::format("a file with this row has {} bytes; use a larger --line-bytes", out_.size() + size));
  }

  row_range& rows_;
  const split_arguments& given_;
  split_output out_;
  std::uint64_t next_;  // the offset after the row before
  equal_parts parts_;
  std::string mark_ = {};     // what stands before the first row
  std::string header_ = {};   // until it is whole
  std::string skipped_ = {};  // empty rows before the header
  bool had_header_ = false;
  std::uint64_t count_ = 0;  // of rows in the open file
};

}  // namespace

void split_rows(source from, const split_arguments& given, unsigned threads) {
  row_range rows(std::move(from), kept_whole(given));
  row_splitter(rows, given, threads).split();
}

}  // namespace riffle::cli
