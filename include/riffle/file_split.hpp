/// Offers the type that names a byte range of a file, in any process that reaches the file.
#pragma once

#include <riffle/options.hpp>
#include <riffle/path.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace riffle::inline v0 {

/// Names a byte range of a file, and the state of the file when it was split. It is a plain value: send its
/// fields to another process or machine that sees the same file.
///
/// `riffle::splits` makes it, and `riffle::read_split` reads the records that start in it.
struct file_split {
  path_string path;           ///< absolute
  std::uint64_t begin = 0;    ///< the offset of its first byte; a record may cross it
  std::uint64_t end = 0;      ///< the offset after its last byte
  std::uint64_t size = 0;     ///< of the whole file, in bytes
  std::int64_t mtime_ns = 0;  ///< when the file was last modified, in nanoseconds since 1970
  /// Says which file it was. riffle does not compare 0: set it if each machine has a copy of the file, or if
  /// its file system makes up these numbers.
  std::uint64_t inode = 0;
  /// The format from which riffle decodes its records, whatever `read_options::decode` says. It is an error
  /// to name another format there.
  decoding decode = decoding::none;

  friend bool operator==(const file_split&, const file_split&) = default;
};

/// Says what the records of a split are. Use designated initialisers.
struct record_options {
  /// The byte that ends a record; `std::nullopt`: each record has `record_size` bytes.
  std::optional<char> delimiter = '\n';
  /// Bytes in a record without a delimiter, counted from the start of the file. 1: each byte is a record.
  std::size_t record_size = 1;
};

namespace detail {

/// Is the input that `riffle::read_split` returns.
struct split_records {
  file_split split;
  record_options records;
};

}  // namespace detail

}  // namespace riffle::inline v0
