/// Asks the OS kernel for the bytes ahead of a reader that waits for its storage.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "method/open_file.hpp"
#include "method/waiting.hpp"

namespace riffle::inline v0 {

/// Keeps requests in flight ahead of a reader that reads through the page cache, once it had to wait.
///
/// The readahead of the OS kernel has one or two requests in flight, of 128 KiB by default. That is enough
/// for a disk in the machine. Storage that answers after a millisecond and serves many requests at once gives
/// a small part of its speed to it. So a reader that waits asks for more, further ahead each time, up to 32
/// MiB. A first block that is large and not cached is asked for at once. A reader that does not wait asks for
/// nothing: what is cached already is read as fast as before.
/// docs/choosing.md has the figures.
class read_ahead {
 public:
  explicit read_ahead(const open_file& input) noexcept;

  /// Calls `fetch`, which reads `size` bytes at `offset`, and measures how long it waits. Returns its result.
  template <class Fetch>
  auto around(std::uint64_t offset, std::size_t size, Fetch&& fetch) {
    if (!std::exchange(started_, true)) ask_for_first(offset, offset + size);
    if (!useful_) return fetch();
    if (waiting_.ahead != 0) ask(offset, offset + size);
    const auto start = waiting::clock::now();
    auto result = fetch();
    judge(offset, size, start);
    return result;
  }

 private:
  void ask_for_first(std::uint64_t begin, std::uint64_t end);
  void ask(std::uint64_t begin, std::uint64_t end) noexcept;
  void judge(std::uint64_t offset, std::size_t size, waiting::clock::time_point start);
  // The pages in the cache at the offset, 0 or 1; `std::nullopt` if that is unknown.
  std::optional<std::uint64_t> resident(std::uint64_t offset) const;
  bool has_waited() noexcept;
  void look_at_storage();
  void ask_again() noexcept;
  void open_to_ask() noexcept;

  const open_file& input_;
  std::optional<os::file> asking_;  // a descriptor that nothing is read through, if there is one
  bool useful_;
  bool started_ = false;
  bool opened_ = false;  // whether `asking_` was tried to open
  waiting waiting_ = waiting_for_bytes;
  std::uint64_t waits_ = 0;        // of the thread, up to the last fetch that was late
  std::uint64_t step_ = 0;         // bytes that one request asks for; 0: the storage was not looked at
  std::uint64_t from_ = 0;         // what was asked for: from here
  std::uint64_t asked_ = 0;        // to here
  std::uint64_t asked_again_ = 0;  // where it was last asked for what had been asked for before
};

}  // namespace riffle::inline v0
