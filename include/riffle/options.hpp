/// Everything a user can choose about reading and about lines, as two plain aggregates.
#ifndef RIFFLE_OPTIONS_HPP
#define RIFFLE_OPTIONS_HPP

#include <cstddef>
#include <cstdint>
#include <limits>

namespace riffle::inline v0 {

/// One way of getting a file's bytes into memory. `riffle::methods()` describes each.
enum class method : std::uint8_t {
  automatic,  ///< riffle chooses, from facts it can state (`riffle::choose`)
  read,
  stdio,
  iostream,
  mmap,
  uring,
  direct
};

/// How an input is read. The defaults suit nearly everyone; fill in with designated initialisers:
/// `{.method = riffle::method::mmap, .block_size = 1 << 20}`.
struct read_options {
  /// A method named here is used or fails with the reason; only `automatic` may fall back.
  riffle::method method = riffle::method::automatic;
  /// Bytes handed out at a time; 0: the method's own choice.
  /// `mmap` and `direct` round it up to what they need.
  std::size_t block_size = 0;
  /// Reads kept in flight by `uring` and `direct`; 0: their own choice. Others ignore it.
  unsigned queue_depth = 0;
  /// Tell the kernel that the input is read front to back (POSIX_FADV_SEQUENTIAL, MADV_SEQUENTIAL).
  bool sequential = false;
  /// Ask the kernel to start reading the whole input now (POSIX_FADV_WILLNEED, MADV_WILLNEED).
  bool will_need = false;
  /// `mmap`: fault each window in with one call before it is handed out (MADV_POPULATE_READ).
  bool populate = true;
  /// `mmap`: map with MAP_SHARED instead of MAP_PRIVATE. Reading sees the same bytes either way.
  bool shared = false;
  /// `mmap`: one mapping of the whole file instead of windows of `block_size`.
  bool whole_file = false;
  /// false: leave the page cache as it was found (RWF_DONTCACHE, else POSIX_FADV_DONTNEED behind the reader).
  bool keep_cache = true;
  /// `mmap`: turn a SIGBUS on the mapping into a `riffle::error`. false: never install a handler, and the
  /// automatic choice never maps.
  bool fault_guard = true;
};

/// What a line is and how it is handed out.
struct line_options {
  /// The byte that ends a line.
  char delimiter = '\n';
  /// Hand out the line with its delimiter (the last line may have none).
  bool keep_delimiter = false;
  /// Drop one '\r' before the delimiter, or at the end of a
  /// last line without one. Ignored with `keep_delimiter`.
  bool strip_cr = false;
  /// The longest line accepted, in bytes without its delimiter. A longer one is `errc::record_too_long`; it
  /// bounds memory, whatever the input.
  std::size_t max_length = std::numeric_limits<std::size_t>::max();
};

/// How a word is handed out.
struct word_options {
  /// The longest word accepted, in bytes; at least 64, else it is `errc::invalid_argument`. A longer word is
  /// `errc::record_too_long`. It bounds memory, whatever the input.
  std::size_t max_length = std::numeric_limits<std::size_t>::max();
};

}  // namespace riffle::inline v0

#endif
