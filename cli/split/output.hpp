/// Writes the files of a split, or lists them for `--dry-run`.
#pragma once

#include <riffle/source.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cli/os/new_file.hpp"
#include "cli/split/arguments.hpp"
#include "cli/split/copies.hpp"

namespace riffle::cli {

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

}  // namespace riffle::cli
