/// An open input and its facts, shared by all its readers.
#pragma once

#include <riffle/input.hpp>
#include <riffle/methods.hpp>
#include <riffle/options.hpp>

#include <cstdint>
#include <cstdio>
#include <istream>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "os/file.hpp"
#include "os/stop_event.hpp"

namespace riffle::inline v0 {

/// An open input, which nobody changes but who sets `stop`. A path or a descriptor has a descriptor in
/// `file`; of the others just one is set, but for a stream that has stdio behind it, and `file` holds their
/// name alone. An object of the user's ends at its `limit`.
struct open_file {
  /// Whether it is read at positions; otherwise just on and on. To ask takes a system call, of the five that
  /// a small file takes.
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

}  // namespace riffle::inline v0
