/// What the command line asked of `riffle split`, where its files end, and what writes them.
#pragma once

#include <riffle/source.hpp>

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "cli/os/system.hpp"
#include "cli/rows.hpp"

namespace riffle::cli {

/// The options of `split` beside those of reading. Of the three that say where a file ends, one is set.
struct split_arguments : field_arguments {
  std::uint64_t lines = 1000;      // in a file; 0: not by lines
  std::uint64_t line_bytes = 0;    // in a file, at most; 0: not by size
  std::uint64_t number = 0;        // of files; 0: not by number
  const char* ended_by = nullptr;  // the name of the option that was given
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
  file_copies(const source& from, const std::string& header, unsigned threads);
  ~file_copies();
  file_copies(const file_copies&) = delete;
  file_copies& operator=(const file_copies&) = delete;

  /// Returns whether the system gave it a thread.
  bool can_copy() const noexcept { return !threads_.empty(); }
  /// Copies a part, now or later. Throws `riffle::error` if copying has failed.
  void add(part next);
  /// Waits until all parts are copied. Throws as `add`.
  void finish();

 private:
  void run();
  void join();

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
  split_output(const split_arguments& given, const source& from, unsigned threads);

  /// Sets what each file starts with: the first bytes of the input.
  void set_header(std::string_view bytes);
  /// Adds bytes to the open file, and opens one if there is none. `rows` is their number with --csv.
  void add(std::string_view bytes, std::uint64_t rows = 0);
  /// Ends the open file, which may be empty.
  void end_file();

  /// Waits until all files are written.
  void finish();

  /// Returns how many files were ended.
  std::uint64_t files() const noexcept { return files_; }
  /// Returns whether bytes were added to the open file.
  bool has_bytes() const noexcept { return size_ != 0; }
  /// Returns the size of the open file, with its header.
  std::uint64_t size() const noexcept { return header_.size() + size_; }

 private:
  std::string name() const;
  void open();
  // Copies so many bytes of the open file that were added, and not written.
  void copy_start(std::uint64_t size);
  void flush();
  void write_to_file(std::string_view bytes);
  void list() const;

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
  std::uint64_t end_of(std::uint64_t index) const noexcept;

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
  taken take(std::string_view piece, bool ended);

 private:
  taken by_lines(std::string_view piece);
  taken by_size(std::string_view piece, bool ended) const;
  taken by_number(std::string_view piece) const;

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
