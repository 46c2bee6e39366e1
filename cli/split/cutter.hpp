/// Says where the files of a split end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "cli/split/arguments.hpp"

namespace riffle::cli {

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

}  // namespace riffle::cli
