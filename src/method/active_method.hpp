/// An open input and its facts, the interface that every method implements on it, and the memory of a block.
#pragma once

#include <riffle/input.hpp>
#include <riffle/methods.hpp>
#include <riffle/options.hpp>
#include <riffle/version.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <istream>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "os/file.hpp"
#include "os/threads.hpp"

namespace riffle::inline v0 {

/// The sizes of a block in bytes, by default. One that is copied stays in the second-level cache if that has
/// 512 KiB or more, and system calls are few.
inline constexpr std::size_t copied_block = std::size_t{256} << 10U;
/// A window bounds the mapped memory. Below 2 MiB, large folios are not mapped whole. docs/choosing.md has
/// the times of other sizes, and the command that measures them.
inline constexpr std::size_t mapped_block = std::size_t{4} << 20U;
/// O_DIRECT has no readahead, so storage needs large requests, several at once. FUSE takes no larger ones.
inline constexpr std::size_t direct_block = std::size_t{1} << 20U;

/// The bytes of a mapping that are handed out between two checks, unless `allow_larger_blocks` was called. A
/// check is one lseek(2), or one fstat(2) for a descriptor that is the user's, which takes about 1 % of the
/// time in which the lines of so many bytes are counted.
inline constexpr std::size_t checked_part = std::size_t{256} << 10U;

/// An open input. Only `stop` changes after it is opened. For a path or a descriptor, `file` holds the
/// descriptor. For another kind, `file` holds the name alone, and one of the next members is set; a stream
/// over stdio also sets `stdio`. An object of the user's ends at its `limit`.
struct open_file {
  /// Whether the input is read at positions, or only from front to back. To find out takes one system call;
  /// reading a small file takes five.
  enum class positions : std::uint8_t { none, all, assumed };

  os::file file = {};
  std::FILE* stdio = nullptr;
  std::istream* stream = nullptr;
  std::optional<detail::user_object> object = {};
  std::string_view memory = {};
  std::optional<detail::mapped_bytes> mapped = {};  // that the memory is of

  input_kind reported_kind = input_kind::memory;
  std::uint64_t reported_size = 0;            // bytes when it was opened: a hint
  mutable positions known = positions::none;  // remembers what was asked, before several threads share it
  bool sparse = false;                        // the file system keeps fewer bytes than the size
  std::uint64_t start = 0;                    // the position reading starts at
  std::uint64_t device = 0;                   // with `inode`: which file it is; both 0 if there is none
  std::uint64_t inode = 0;
  std::int64_t modified = 0;  // when it was opened, in nanoseconds

  // What is read of a file that was split: nothing from `limit` on, which is then the `size` too.
  std::uint64_t limit = std::numeric_limits<std::uint64_t>::max();
  std::optional<detail::split_records> part = {};

  const os::stop_event* stop = nullptr;  // ends a wait for the bytes of a stream; null: nothing does

  const std::string& name() const noexcept { return file.name(); }
  /// Returns whether it is seekable, as far as it is known: a file that was not asked is.
  bool seekable() const noexcept { return known != positions::none; }
  /// The same, and asks if it was not asked before.
  bool ask_seekable() const noexcept {
    if (known == positions::assumed) known = file.seekable() ? positions::all : positions::none;
    return seekable();
  }
  /// A file may have a size but no positions, as FUSE allows. Then it is read as a stream is.
  bool is_file() const noexcept {
    return reported_kind == input_kind::regular_file || reported_kind == input_kind::block_device;
  }
  input_kind kind() const noexcept { return is_file() && !seekable() ? input_kind::stream : reported_kind; }
  std::uint64_t size() const noexcept { return seekable() ? reported_size : 0; }

  /// Reads the bytes at `offset` + `count` of a file or an object into the rest of `into`, and adds to
  /// `count` how many there are. After an exception of the object `count` says how many there were.
  void read_at(std::span<char> into, std::uint64_t offset, std::size_t& count) const;
};

/// Says how a method reads an input.
struct method_options : read_options {
  bool several_readers = false;  ///< of the open file: the position of its descriptor is no one's
};

/// Throws `riffle::error` if a function of the user's says that it wrote more bytes than there was room for.
void require_room(const open_file& input, std::uint64_t offset, std::size_t count, std::size_t room);

/// A descriptor of the same file with a position that is the caller's own, at `start`: of a shared file one
/// that is opened anew, else a duplicate. Throws `riffle::error` if that fails.
os::file own_descriptor(const open_file& input, const method_options& options);

/// Passes the hints of `options` to the OS kernel, once for a file.
void advise(const open_file& input, const method_options& options) noexcept;

/// Bytes before every block of a method that may be overwritten: the carry is copied there, which makes a
/// record that was cut in two contiguous at the price of one small copy.
inline constexpr std::size_t headroom = 64 * 1024;

/// A method at work on one open input.
class active_method {
 public:
  active_method() = default;
  active_method(const active_method&) = delete;
  active_method& operator=(const active_method&) = delete;
  virtual ~active_method() = default;

  /// The next block, with `room()` writable bytes before it; empty at the end; throws `riffle::error`.
  /// Valid until the next call.
  virtual std::span<char> next() = 0;
  /// Writable bytes before the block handed out last: `headroom`, but for a mapping in the middle of a page.
  virtual std::size_t room() const noexcept { return headroom; }
  /// Where the next block will lie, if it follows the last one in memory, which stays as it is; else null.
  virtual const char* following() const noexcept { return nullptr; }
  /// Throws if bytes from the offset `trusted` on, which were handed out, are wrong. Those before it are not
  /// used again.
  virtual void check(std::uint64_t /*trusted*/) const {}
  /// Blocks may be larger from now on: each is checked before what was made of it counts.
  virtual void allow_larger_blocks() noexcept {}
  /// Returns whether the byte before the end was still there when `next` met the end: then the file was not
  /// cut while it was read.
  virtual bool met_end_behind_data() const noexcept { return false; }
  /// Returns how much was used of a compressed input; `std::nullopt` if that is not known, or if it is none.
  virtual std::optional<std::uint64_t> compressed_offset() const noexcept { return std::nullopt; }
  /// Continues at `offset`. Called for seekable inputs only.
  virtual void seek(std::uint64_t offset) = 0;
};

/// Opens a method on an input, which must outlive it. The block size in `options` is final. A queue depth of
/// 0 is the method's to find.
using open_method = std::unique_ptr<active_method>(const open_file& input, const method_options& options);

open_method open_read;
open_method open_stdio;
open_method open_iostream;
open_method open_mmap;
open_method open_uring;
open_method open_direct;
open_method open_memory;
/// An object of the user's, by the method `read`.
open_method open_object;

/// The same for the method named in `options`; `automatic` is that of memory.
open_method open_by_name;

/// The description of a method. `automatic` has one that says no to everything.
const method_info& info_of(method id) noexcept;

class buffer {
 public:
  static constexpr std::size_t default_size = copied_block;

  /// Room for blocks of `size`. One of the default size is handed on within the thread, from the file read
  /// last to the next one.
  explicit buffer(std::size_t size);
  buffer(buffer&&) noexcept = default;
  buffer& operator=(buffer&&) noexcept = default;
  ~buffer();

  /// Gives the memory up: it is never freed.
  char* release() noexcept { return memory_.release(); }

  /// Room for a block. Aligned to 4 KiB, as O_DIRECT asks;
  /// so a value that is aligned in the file is aligned here.
  std::span<char> space() noexcept { return {memory_.get() + headroom, size_}; }

 private:
  static constexpr std::align_val_t alignment{4096};
  struct free {
    void operator()(char* memory) const noexcept {
      if (memory != nullptr) ::operator delete(memory, alignment);
    }
  };
  using memory = std::unique_ptr<char, free>;

  static os::thread_slot spare;  // of the default size, or none

  std::size_t size_;
  memory memory_;
};

}  // namespace riffle::inline v0
