/// A file is open from its first byte on.
#include "cli/split/output.hpp"

#include <fmt/core.h>
#include <riffle/error.hpp>
#include <riffle/input.hpp>
#include <riffle/parallel.hpp>
#include <riffle/scan.hpp>

#include <utility>

#include "cli/json.hpp"
#include "cli/output.hpp"
#include "cli/split/names.hpp"
#include "text/columns.hpp"
#include "text/numbers.hpp"

namespace riffle::cli {

namespace {

// Smaller pieces are joined.
constexpr std::size_t joined = 64 * text::kib;

// Larger files are written as their bytes are read: several would not stay in the page cache until they are
// copied.
constexpr std::uint64_t largest_copied = 256 * text::mib;

// Whether the user left it to riffle how the bytes are read.
bool may_be_copied(const source& from, const read_options& reading) {
  const read_options usual;
  return from.kind() == input_kind::regular_file && from.seekable() && reading.method == method::automatic &&
         reading.block_size == 0 && reading.keep_cache && reading.max_size == usual.max_size;
}

}  // namespace

split_output::split_output(const split_arguments& given, const source& from, unsigned threads)
    : given_(given), from_(from), offset_(from.start()) {
  if (threads == 1 || given.dry_run || !may_be_copied(from, given.options)) return;
  copies_.emplace(from, header_, thread_count(threads));
  if (!copies_->can_copy()) copies_.reset();
}

void split_output::set_header(std::string_view bytes) {
  header_ = bytes;
  offset_ += bytes.size();
}

void split_output::add(std::string_view bytes, std::uint64_t rows) {
  if (bytes.empty()) return;
  size_ += bytes.size();
  if (given_.dry_run) {
    lines_ += rows != 0 || given_.by_rows() ? rows : scan::count_byte(bytes, given_.delimiter);
    last_ = bytes.back();
    return;
  }
  if (!file_) {
    if (copies_ && size_ <= largest_copied) return;
    open();
    if (copies_) copy_start(size_ - bytes.size());
  }
  if (held_.size() + bytes.size() > joined) flush();
  if (bytes.size() > joined) return write_to_file(bytes);
  held_ += bytes;
}

void split_output::end_file() {
  if (given_.dry_run) {
    list();
  } else if (copies_ && !file_) {
    from_.check();
    copies_->add({name(), offset_, size_});
  } else {
    if (!file_) open();
    flush();
    from_.check();  // bytes that were lost are zeros
    file_->finish();
    file_.reset();
  }
  ++files_;
  offset_ += std::exchange(size_, 0);
  lines_ = 0;
}

std::string split_output::name() const {
  const std::string suffix = suffix_of(files_, given_.suffix_length, given_.numeric);
  if (suffix.empty()) {
    throw error(errc::invalid_argument, "split", from_.name(), offset_,
                fmt::format("the {} suffixes of length {} are used up; set a larger --suffix-length", files_,
                            given_.suffix_length));
  }
  return given_.prefix + suffix + given_.suffix;
}

void split_output::finish() {
  if (copies_) copies_->finish();
}

void split_output::copy_start(std::uint64_t size) {
  flush();
  file_->copy(from_.descriptor(), from_.name(), offset_, size);
}

void split_output::open() {
  file_.emplace(detail::path_of(name()), from_.descriptor());
  held_ = header_;
}

void split_output::flush() {
  if (!held_.empty()) write_to_file(held_);
  held_.clear();
}

void split_output::write_to_file(std::string_view bytes) try { file_->write(bytes); } catch (const error&) {
  from_.check();  // a page that the input lost while it was mapped makes write(2) fail
  throw;
}

void split_output::list() const {
  const bool unfinished = !given_.by_rows() && size_ != 0 && last_ != given_.delimiter;
  const std::uint64_t lines = lines_ + (unfinished ? 1 : 0);
  if (given_.json) {
    write(json_row::of_file(name())
              .add("offset", offset_)
              .add("bytes", size_)
              .add(given_.by_rows() ? "rows" : "lines", lines)
              .line());
  } else {
    write(fmt::format("{}\t{}\t{}\t{}\n", offset_, size_, lines, text::printable(name())));
  }
}

}  // namespace riffle::cli
