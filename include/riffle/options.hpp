/// Offers the options for reading, for lines and words, as plain aggregates.
#pragma once

#include <riffle/byte_set.hpp>
#include <riffle/export.hpp>

#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace riffle::inline v0 {

/// Names a method: how riffle gets the bytes of an input into memory. `riffle::methods()` describes each.
enum class method : std::uint8_t {
  automatic,  ///< riffle chooses by the facts about the input (`riffle::choose`)
  read,       ///< read(2) and pread(2) into one buffer
  stdio,      ///< fread(3)
  iostream,   ///< the buffer of a `std::ifstream`
  mmap,       ///< mapped windows, faulted in before use and guarded against SIGBUS
  uring,      ///< io_uring, with a queue of reads kept full
  direct      ///< O_DIRECT, past the page cache, with several reads in flight
};

/// Names what the bytes of an input are decoded from. `riffle::decoders()` describes each.
enum class decoding : std::uint8_t {
  none,       ///< nothing: the bytes are handed out as they are
  automatic,  ///< the format that the first bytes of the input show, or none; never `zlib`
  gzip,       ///< gzip, also of many members, and BGZF
  zlib,       ///< zlib (RFC 1950)
  zstd,       ///< Zstandard, also of many frames
  xz,         ///< xz, also of many streams
  bzip2,      ///< bzip2, also of many streams
  lz4         ///< LZ4 frames
};

/// Refers to an object that can be called without arguments, such as a lambda, or to none. It does not own
/// the object, and so takes no temporary.
class callback {
 public:
  /// Refers to no object.
  constexpr callback() = default;
  /// Refers to `f`, which must outlive the calls.
  template <class F>
    requires(std::is_object_v<F> && std::invocable<F&> && !std::same_as<std::remove_cv_t<F>, callback>)
  constexpr callback(F& f) noexcept
      : object_(&f), call_([](const void* object) { (*static_cast<F*>(const_cast<void*>(object)))(); }) {}

  /// Returns whether there is an object.
  constexpr explicit operator bool() const noexcept { return call_ != nullptr; }
  /// Calls the object. There must be one.
  void operator()() const { call_(object_); }

 private:
  const void* object_ = nullptr;
  void (*call_)(const void* object) = nullptr;
};

/// Says how `mmap` maps. If you name a method that does not map, anything but the defaults is
/// `errc::invalid_argument`.
struct read_mapping {
  /// Fault each window in before riffle hands it out: by a touch of each 64 KiB if the fault guard is on and
  /// the window is cached, else by one call (MADV_POPULATE_READ, Linux 5.14).
  bool populate = true;
  /// Map with MAP_SHARED instead of MAP_PRIVATE. It does not change the bytes that are read.
  bool shared = false;
  /// One mapping of the whole file instead of windows of `read_options::block_size`.
  bool whole_file = false;
  /// Throw `riffle::error` for a page that cannot be read, instead of raising SIGBUS. false: riffle installs
  /// no SIGBUS handler for this input, and the automatic choice does not map.
  bool fault_guard = true;
  friend constexpr bool operator==(const read_mapping&, const read_mapping&) = default;
};

/// Refers to what watches a reading: counters and callbacks, which must outlive it.
struct read_watch {
  /// If it is set, riffle adds the size of each block that it hands out, in bytes. Another thread may read it
  /// meanwhile, to show the progress. With several threads it ends a little above the size: each split adds
  /// up to 16 KiB that it shares with the next one.
  std::atomic<std::uint64_t>* progress = nullptr;
  /// If it is set, riffle adds the bytes that it used of the input as it is stored: of one that is decoded
  /// the compressed bytes, so that the size of the file is the total. Of others it is the same as `progress`.
  std::atomic<std::uint64_t>* compressed_progress = nullptr;
  /// If it is set, riffle calls it before it reads each block, in the thread that reads: to cancel the
  /// reading by an exception of your own, or to wait for the input. Several threads may call it at once.
  /// riffle then reads memory in blocks too.
  callback before_block = {};
  /// If it is set, riffle calls it before each read of a pipe, a socket or a terminal, also if what it reads
  /// is decoded into no block yet: to wait for the bytes in a way that you can end, by an exception of your
  /// own.
  callback before_read = {};
};

/// Says how an input is read. Use designated initialisers:
/// `{.method = riffle::method::mmap, .block_size = 1 << 20}`.
///
/// A function that takes options of its own before these also takes these alone, as `lines(path, how)`. That
/// form is a template, so that `{}` is not ambiguous: `lines(path, {})` takes the options of its own.
struct read_options {
  /// If you name a method, riffle uses it or throws an error that says why it cannot. With `automatic`,
  /// riffle may change to another method if the OS kernel refuses a mapping.
  riffle::method method = riffle::method::automatic;
  /// Bytes to read at a time; 0: the default of the method. `mmap` rounds it up to whole pages,
  /// `direct` to whole sectors. For `mmap` it is the size of a window, which riffle hands out in blocks of at
  /// most 256 KiB, or whole if you call `source::finish_block` after each.
  std::size_t block_size = 0;
  /// Reads that `uring` and `direct`, and `read` of an object with `read_at`, keep in flight; 0: one, and
  /// more while they wait, up to 64 or 48 MiB. If you name another method, it must be 0
  /// (`errc::invalid_argument`).
  unsigned queue_depth = 0;
  /// Tell the OS kernel that the input is read from front to back (POSIX_FADV_SEQUENTIAL, MADV_SEQUENTIAL).
  bool sequential = false;
  /// Ask the OS kernel to start reading the whole input now (POSIX_FADV_WILLNEED, MADV_WILLNEED).
  bool will_need = false;
  /// false: drop the bytes from the page cache after they were read (RWF_DONTCACHE or POSIX_FADV_DONTNEED),
  /// also those that were cached before.
  bool keep_cache = true;
  /// What the input is decoded from. Offsets, sizes and limits are then those of the decoded bytes. A
  /// stream is decoded by the thread that reads.
  decoding decode = decoding::none;
  /// Threads that decode; 0: one for each processor, if they help: the input has parts that can be decoded
  /// alone (`decoder_info::parts`), or what you do with the records takes time. 1: the thread that reads
  /// decodes. More: threads decode ahead of it from the start.
  unsigned decode_threads = 0;
  /// The most bytes that riffle hands out, decoded or not. If there are more, it throws `errc::too_large`.
  std::uint64_t max_size = std::numeric_limits<std::uint64_t>::max();
  /// How `mmap` maps.
  read_mapping mapping = {};
  /// What watches the reading.
  read_watch watch = {};
};

/// Says what a line is, and how riffle hands it out. Use designated initialisers.
struct line_options {
  /// The byte that ends a line.
  char delimiter = '\n';
  /// Hand out the line with its delimiter. The last line may have none.
  bool keep_delimiter = false;
  /// Drop one '\r' before the delimiter, or at the end of a last line without
  /// one. `keep_delimiter` overrides it.
  bool strip_cr = false;
  /// The longest line accepted, in bytes without its delimiter. A longer one is `errc::record_too_long`.
  /// Without a limit, a long line takes memory of its length.
  std::size_t max_length = std::numeric_limits<std::size_t>::max();
};

/// Says what a word is, and how riffle hands it out. Use designated initialisers.
struct word_options {
  /// The longest word accepted, in bytes. A longer one is `errc::record_too_long`. Without a limit, a long
  /// word takes memory of its length. A limit below 64 is `errc::invalid_argument`.
  std::size_t max_length = std::numeric_limits<std::size_t>::max();
  /// The bytes that stand between words; all others belong to words:
  /// `{.separators = riffle::byte_set(" \t\n.,;")}`.
  byte_set separators = word_separators;
};

}  // namespace riffle::inline v0
