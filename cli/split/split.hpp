/// What the command line asked of `riffle split`, where its files end, and what writes them.
#pragma once

#include <riffle/error.hpp>
#include <riffle/input.hpp>
#include <riffle/parallel.hpp>
#include <riffle/scan.hpp>
#include <riffle/source.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "cli/chosen.hpp"
#include "cli/os/system.hpp"
#include "cli/output.hpp"
#include "cli/rows.hpp"
#include "text/shown.hpp"
#include "text/typed.hpp"

namespace riffle::cli {

/// The options of `split` beside those of reading. Of the three that say where a file ends, one is set.
struct split_arguments : field_arguments {
  std::uint64_t lines = 1000;      // in a file; 0: not by lines
  std::uint64_t line_bytes = 0;    // in a file, at most; 0: not by size
  std::uint64_t number = 0;        // of files; 0: not by number
  std::string_view ended_by = {};  // the name of the option that was given
  char delimiter = '\n';
  bool header = false;
  std::size_t suffix_length = 0;  // 0: it grows
  bool numeric = false;
  std::string suffix = {};  // after the one that counts
  bool dry_run = false;
  std::string prefix = "x";

  /// Whether rows of CSV are kept whole, and not lines.
  bool by_rows() const { return named_dialect != nullptr; }
};

/// Returns the letters or digits of a suffix that stand for the number `index`, from 0. They are of this
/// length; empty if they are too few. A length of 0 grows: aa to yz, zaaa to zyzz, zzaaaa and so on, so that
/// the names are in order. The alphabet is a to z, or the digits.
std::string suffix_of(std::uint64_t index, std::size_t length, bool numeric);

/// Returns the length of the suffixes of so many files, at least 2.
std::size_t suffix_length_for(std::uint64_t files, bool numeric) noexcept;

/// Copies the parts that it is given. Those that wait are copied also if this is destroyed early.
class file_copies {
 public:
  struct part {
    std::string name;  // of the new file
    std::uint64_t offset;
    std::uint64_t size;
  };

  /// `from` is a regular file that is not decoded. It and `header`, which each file starts with, must outlive
  /// this. With no thread it copies nothing: see `can_copy`.
  file_copies(const source& from, const std::string& header, unsigned threads)
      : from_(from), header_(header) {
    try {
      while (threads_.size() != std::min(threads, os::most_new_files))
        threads_.emplace_back([this] { run(); });
    } catch (const std::system_error&) {
      return;  // it does with those that there are
    }
  }
  ~file_copies() { join(); }
  file_copies(const file_copies&) = delete;
  file_copies& operator=(const file_copies&) = delete;

  /// Returns whether the system gave it a thread.
  bool can_copy() const noexcept { return !threads_.empty(); }
  /// Copies a part, now or later. Throws `riffle::error` if copying has failed.
  void add(part next) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return failure_ || waiting_.size() < threads_.size(); });
    if (failure_) std::rethrow_exception(failure_);
    waiting_.push_back(std::move(next));
    changed_.notify_all();
  }

  /// Waits until all parts are copied. Throws as `add`.
  void finish() {
    join();
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void run() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [this] { return failure_ || ended_ || !waiting_.empty(); });
      if (failure_ || waiting_.empty()) return;
      const part mine = std::move(waiting_.front());
      waiting_.pop_front();
      changed_.notify_all();
      lock.unlock();
      std::exception_ptr failure;
      try {
        os::new_file made(detail::path_of(mine.name), from_.descriptor());
        made.write(header_);
        made.copy(from_.descriptor(), from_.name(), mine.offset, mine.size);
        made.finish();
      } catch (...) {
        failure = std::current_exception();
      }
      lock.lock();
      if (!failure || (failure_ && failed_at_ < mine.offset)) continue;
      failure_ = failure;
      failed_at_ = mine.offset;
      changed_.notify_all();
    }
  }

  void join() {
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    changed_.notify_all();
    for (std::thread& each : threads_) each.join();
    threads_.clear();
  }

  const source& from_;
  const std::string& header_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<part> waiting_ = {};
  std::exception_ptr failure_ = {};  // of the first part of those that failed
  std::uint64_t failed_at_ = 0;      // its offset
  bool ended_ = false;
  std::vector<std::thread> threads_ = {};
};

/// One file after the other. Functions throw `riffle::error`; output_lost if the list cannot be written.
class split_output {
 public:
  /// The files hold what `from`, which must outlive this, gives. `from` throws if that is lost before a file
  /// gets its name. With several `threads`, those copy the bytes, unless an option says how they are read.
  split_output(const split_arguments& given, const source& from, unsigned threads)
      : given_(given), from_(from), offset_(from.start()) {
    if (threads == 1 || given.dry_run || !may_be_copied()) return;
    copies_.emplace(from, header_, thread_count(threads));
    if (!copies_->can_copy()) copies_.reset();
  }

  /// Sets what each file starts with: the first bytes of the input.
  void set_header(std::string_view bytes) {
    header_ = bytes;
    offset_ += bytes.size();
  }

  /// Adds bytes to the open file, and opens one if there is none. `rows` is their number with --csv.
  void add(std::string_view bytes, std::uint64_t rows = 0) {
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

  /// Ends the open file, which may be empty.
  void end_file() {
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

  /// Waits until all files are written.
  void finish() {
    if (copies_) copies_->finish();
  }
  /// Returns how many files were ended.
  std::uint64_t files() const noexcept { return files_; }
  /// Returns whether bytes were added to the open file.
  bool has_bytes() const noexcept { return size_ != 0; }
  /// Returns the size of the open file, with its header.
  std::uint64_t size() const noexcept { return header_.size() + size_; }

 private:
  // Smaller pieces are joined.
  static constexpr std::size_t joined = 64 * text::kib;
  // Larger files are written as their bytes are read: several would not stay in the page cache until they are
  // copied.
  static constexpr std::uint64_t largest_copied = 256 * text::mib;

  // Whether the user left it to riffle how the bytes are read.
  bool may_be_copied() const {
    const read_options& reading = given_.options;
    return from_.kind() == input_kind::regular_file && from_.seekable() &&
           reading.method == method::automatic && reading.block_size == 0 && reading.keep_cache &&
           reading.max_size == read_options().max_size;
  }

  std::string name() const {
    const std::string suffix = suffix_of(files_, given_.suffix_length, given_.numeric);
    if (suffix.empty()) {
      throw error(errc::invalid_argument, "split", from_.name(), offset_,
                  fmt::format("the {} suffixes of length {} are used up; set a larger --suffix-length",
                              files_, given_.suffix_length));
    }
    return given_.prefix + suffix + given_.suffix;
  }

  void open() {
    file_.emplace(detail::path_of(name()), from_.descriptor());
    held_ = header_;
  }

  // Copies so many bytes of the open file that were added, and not written.
  void copy_start(std::uint64_t size) {
    flush();
    file_->copy(from_.descriptor(), from_.name(), offset_, size);
  }

  void flush() {
    if (!held_.empty()) write_to_file(held_);
    held_.clear();
  }

  void write_to_file(std::string_view bytes) try { file_->write(bytes); } catch (const error&) {
    from_.check();  // a page that the input lost while it was mapped makes write(2) fail
    throw;
  }

  void list() const {
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

  const split_arguments& given_;
  const source& from_;
  std::string header_ = {};
  std::optional<os::new_file> file_ = {};
  std::string held_ = {};  // small pieces that are not written yet
  std::uint64_t files_ = 0;
  std::uint64_t offset_;                    // of the next byte in the input
  std::uint64_t size_ = 0;                  // of the open file, without its header
  std::uint64_t lines_ = 0;                 // or rows, of the open file, if they are listed
  std::optional<file_copies> copies_ = {};  // by threads
  char last_ = '\0';                        // byte of the open file
};

/// Where `--number` cuts: parts of an input that differ by one byte at most.
class equal_parts {
 public:
  /// Cuts so many bytes from the offset `start` on.
  equal_parts(std::uint64_t start, std::uint64_t size, std::uint64_t number) noexcept
      : start_(start), size_(size), number_(number) {}

  /// Returns the offset after the part of this index, from 0.
  std::uint64_t end_of(std::uint64_t index) const noexcept {
    const std::uint64_t parts = index + 1;
    return start_ + size_ / number_ * parts + std::min(parts, size_ % number_);
  }

 private:
  std::uint64_t start_;
  std::uint64_t size_;
  std::uint64_t number_;
};

/// Cuts an input that comes in pieces into files of whole lines.
class line_cutter {
 public:
  struct taken {
    std::size_t size;  // of the start of the piece, which belongs to the file
    bool file_ends;    // after it
  };

  /// `header` is the size of what stands at the start of each file, less than `line_bytes`. The rest of the
  /// input has `left` bytes from `offset` on, if files are made by number.
  line_cutter(const split_arguments& given, std::size_t header, std::uint64_t offset, std::uint64_t left)
      : given_(given),
        parts_(offset, left, given.number),
        offset_(offset),
        room_(given.line_bytes - header) {}

  /// Takes the next bytes. `ended`: there are no more after them. Nothing, if the file does not end, means
  /// that more of the input is needed behind these bytes.
  taken take(std::string_view piece, bool ended) {
    const taken next = given_.number != 0       ? by_number(piece)
                       : given_.line_bytes != 0 ? by_size(piece, ended)
                                                : by_lines(piece);
    offset_ += next.size;
    size_ += next.size;
    searched_ = next.size == 0 && !next.file_ends ? piece.size() : 0;
    if (next.size != 0) whole_lines_ = piece[next.size - 1] == given_.delimiter;
    if (next.file_ends) {
      size_ = lines_ = 0;
      whole_lines_ = false;
      ++file_;
    }
    return next;
  }

 private:
  taken by_lines(std::string_view piece) {
    const passed_lines passed = pass_lines(piece, given_.delimiter, given_.lines - lines_);
    lines_ += passed.lines;
    return {passed.size, lines_ == given_.lines};
  }

  // As GNU split: a file ends after the last line that ends in it. If none does, it is full.
  taken by_size(std::string_view piece, bool ended) const {
    const bool fills = piece.size() >= room_ - size_;
    if (fills) piece = piece.substr(0, static_cast<std::size_t>(room_ - size_));
    if (!fills && ended) return {piece.size(), false};
    const std::size_t last = piece.substr(std::min(searched_, piece.size())).rfind(given_.delimiter);
    if (last != std::string_view::npos) return {searched_ + last + 1, fills};
    return {whole_lines_ ? 0 : piece.size(), fills};
  }

  // A line belongs to the part in which it starts.
  taken by_number(std::string_view piece) const {
    const std::uint64_t end = parts_.end_of(file_);
    if (file_ + 1 == given_.number) return {piece.size(), false};
    if (size_ == 0 && offset_ >= end) return {0, true};
    const std::uint64_t searched = std::max(end, offset_ + 1) - 1 - offset_;
    if (searched >= piece.size()) return {piece.size(), false};
    const std::size_t last = scan::find_byte(piece, given_.delimiter, static_cast<std::size_t>(searched));
    return last < piece.size() ? taken{last + 1, true} : taken{piece.size(), false};
  }

  const split_arguments& given_;
  equal_parts parts_;
  std::uint64_t offset_;    // of the next byte
  std::uint64_t room_;      // bytes in a file
  std::uint64_t file_ = 0;  // the index of the open file
  std::uint64_t size_ = 0;  // its bytes so far
  std::uint64_t lines_ = 0;
  bool whole_lines_ = false;  // it ends after a line
  std::size_t searched_ = 0;  // bytes of the next piece that hold no delimiter
};

/// Splits what a source gives from its start on, with so many threads that write. Throws `riffle::error`;
/// output_lost.
void split_rows(source from, const split_arguments& given, unsigned threads);

}  // namespace riffle::cli
