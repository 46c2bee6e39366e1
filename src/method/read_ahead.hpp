/// Decides that storage makes a reader wait, and asks the OS kernel for the bytes ahead of one.
#pragma once

#include <riffle/version.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "method/active_method.hpp"
#include "os/facts.hpp"

namespace riffle::inline v0 {

/// Nothing is asked for ahead until the storage is late, then twice as much each time, in bytes or files.
struct waiting {
  using clock = std::chrono::steady_clock;

  /// A file in memory is opened in a few microseconds, and a disk in the machine reads a block in less.
  static constexpr std::chrono::microseconds shortest{100};
  static constexpr double memory_rate = 1.5e9;  ///< bytes a second, at least
  /// Requests that high-latency storage serves. Of 256 KiB and 10 ms each, they keep it busy with 16 MiB.
  static constexpr std::size_t at_once = 64;
  static constexpr std::size_t threads = at_once / 2;  ///< each makes two in turn: to open and to read
  /// More in flight than such storage gives during a wait only displaces itself from the caches.
  static constexpr double fastest_storage = 16e9;  // tuning
  static constexpr std::size_t in_flight = std::size_t{48} << 20U;

  std::uint64_t first;      ///< after the first wait
  std::uint64_t most;       ///< at last
  std::uint64_t calm;       ///< after so many without a wait, they may be cached
  std::uint64_t ahead = 0;  ///< now
  std::uint64_t taken = 0;  ///< since the last wait

  /// Returns whether each request since `start` took too long for what they gave.
  static bool is_late(clock::time_point start, std::size_t bytes, int requests = 1) {
    const std::chrono::duration<double> took = (clock::now() - start) / requests;
    return took > shortest && took.count() * memory_rate > static_cast<double>(bytes);
  }
  /// Returns how many requests of `size` bytes are in flight at most.
  static std::size_t deepest(std::size_t size) {
    return std::clamp<std::size_t>(in_flight / size, 2, at_once);
  }
  /// Returns how many of them, at most `most`, the storage could answer in the time of a wait.
  static std::size_t answered_in(clock::duration wait, std::size_t size, std::size_t most) {
    const double bytes = std::chrono::duration<double>(wait).count() * fastest_storage;
    return static_cast<std::size_t>(std::min(bytes / static_cast<double>(size), static_cast<double>(most)));
  }
  /// In bytes, so that what is asked for displaces nothing that others use.
  static std::uint64_t share_of_memory() { return os::memory_for_cache() / 8; }

  void go_further() noexcept {
    ahead = std::min(std::max(first, 2 * ahead), most);
    taken = 0;
  }
  /// Returns whether to look at the cache. Looking takes about as long as a request.
  bool is_calm_after(std::uint64_t more) noexcept {
    taken = taken < calm ? taken + more : more;
    return ahead != 0 && taken >= calm;
  }
};

/// Who reads only the first block of a file asks for nothing.
inline constexpr waiting waiting_for_bytes{.first = 8U << 20U, .most = 32U << 20U, .calm = 64U << 20U};
inline constexpr waiting waiting_for_files{.first = 8, .most = waiting::at_once, .calm = 256};

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

  /// Call these before and after `size` bytes are read at `offset`: they measure how long that waits.
  void before(std::uint64_t offset, std::size_t size);
  void after(std::uint64_t offset, std::size_t size);

 private:
  void ask_for_first(std::uint64_t begin, std::uint64_t end);
  void ask(std::uint64_t begin, std::uint64_t end) noexcept;
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
  waiting::clock::time_point start_ = {};  // of the fetch at work
  std::uint64_t waits_ = 0;                // of the thread, up to the last fetch that was late
  std::uint64_t step_ = 0;         // bytes that one request asks for; 0: the storage was not looked at
  std::uint64_t from_ = 0;         // what was asked for: from here
  std::uint64_t asked_ = 0;        // to here
  std::uint64_t asked_again_ = 0;  // where it was last asked for what had been asked for before
};

}  // namespace riffle::inline v0
