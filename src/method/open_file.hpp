/// An open input and its facts, shared by all its readers.
#ifndef RIFFLE_METHOD_OPEN_FILE_HPP
#define RIFFLE_METHOD_OPEN_FILE_HPP

#include <riffle/input.hpp>
#include <riffle/methods.hpp>
#include <riffle/options.hpp>

#include <cstdint>
#include <cstdio>
#include <istream>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "os/file.hpp"
#include "os/stop_event.hpp"

namespace riffle::inline v0 {

/// An open input, which nobody changes but `become_stream`, and who sets `stop`. A path or a descriptor has a
/// descriptor in `file`; of the others just one is set, but for a stream that has stdio behind it, and `file`
/// holds their name alone.
struct open_file {
  os::file file = {};
  std::FILE* stdio = nullptr;
  std::istream* stream = nullptr;
  std::string_view memory = {};
  std::optional<detail::mapped_bytes> mapped = {};  // that the memory is of

  input_kind kind = input_kind::memory;
  bool seekable = false;          // read at positions; otherwise just on and on
  bool assumed_seekable = false;  // to be seekable, which was not asked yet: see `input_reader::seekable`
  std::uint64_t size = 0;         // bytes when it was opened: a hint
  bool sparse = false;            // the file system keeps fewer bytes than `size`
  std::uint64_t start = 0;        // the position reading starts at
  std::uint64_t device = 0;       // with `inode`: which file it is; both 0 if there is none
  std::uint64_t inode = 0;
  std::int64_t modified = 0;  // when it was opened, in nanoseconds

  // What is read of a file that was split: nothing from `limit` on, which is then the `size` too.
  std::uint64_t limit = std::numeric_limits<std::uint64_t>::max();
  std::optional<detail::split_records> part = {};

  const os::stop_event* stop = nullptr;  // ends a wait for the bytes of a stream; null: nothing does

  const std::string& name() const noexcept { return file.name(); }
  /// Forgets what only a file with positions has, before a byte was handed out.
  void become_stream() noexcept {
    kind = input_kind::stream;
    seekable = assumed_seekable = false;
    size = 0;
  }
};

/// Says how a method reads an input.
struct method_options : read_options {
  bool several_readers = false;  ///< of the open file: the position of its descriptor is no one's
};

/// A descriptor of the same file with a position that is the caller's own, at `start`: of a shared file one
/// that is opened anew, else a duplicate. Throws `riffle::error` if that fails.
os::file own_descriptor(const open_file& input, const method_options& options);

/// Passes the hints of `options` to the OS kernel, once for a file.
void advise(const open_file& input, const method_options& options) noexcept;

}  // namespace riffle::inline v0

#endif
