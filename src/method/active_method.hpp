/// The one interface that every method implements: hand out the next block.
#ifndef RIFFLE_METHOD_ACTIVE_METHOD_HPP
#define RIFFLE_METHOD_ACTIVE_METHOD_HPP

#include <riffle/options.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <istream>
#include <memory>
#include <span>
#include <string>

#include "os/file.hpp"

namespace riffle {

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
  /// Throws if the block handed out last can no longer be trusted.
  virtual void check() const {}
  /// Continues at `offset`. Called for seekable inputs only.
  virtual void seek(std::uint64_t offset) = 0;
};

/// How a method gets at its input. Just one of the three is set; `file` and the streams outlive the method.
struct opened {
  const os::file* file = nullptr;
  std::FILE* stdio = nullptr;
  std::istream* stream = nullptr;
  bool seekable = false;    // read at positions; otherwise just on and on
  std::uint64_t start = 0;  // the position reading starts at
  std::string name = {};    // for messages
};

std::unique_ptr<active_method> open_read(const opened& from, const read_options& options);
std::unique_ptr<active_method> open_stdio(const opened& from, const read_options& options);
std::unique_ptr<active_method> open_iostream(const opened& from, const read_options& options);
std::unique_ptr<active_method> open_mmap(const opened& from, const read_options& options);
std::unique_ptr<active_method> open_uring(const opened& from, const read_options& options);
std::unique_ptr<active_method> open_direct(const opened& from, const read_options& options);

using open_function = std::unique_ptr<active_method> (*)(const opened&, const read_options&);

/// How the method of that name is opened; `automatic` has no such function.
open_function opener(method id) noexcept;

}  // namespace riffle

#endif
