/// System calls and allocations that fail on demand, so that every failure can be met at every place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace riffle::test {

/// The calls that can be made to fail. `read` stands for pread(2) too, `drop` for POSIX_FADV_DONTNEED.
enum class call { none, read, mmap, madvise, fstat, drop, thread };

/// Returns why calls cannot be made to fail, or be noted, here; `std::nullopt` if they can.
std::optional<std::string> interposition_unavailable();

/// While it lives, the armed call misbehaves, in this thread only; all others are as ever.
class injection {
 public:
  struct plan {
    call which = call::none;
    int code = 0;                ///< the errno of a failing call; 0: calls do not fail
    std::size_t at = 0;          ///< the call that fails, counted from 1; 0: every `every`-th
    std::size_t every = 0;       ///< 0: just the one
    bool from_there_on = false;  ///< all after it fail too
    std::size_t longest = 0;     ///< the most bytes a read gives; 0: no limit
  };
  explicit injection(const plan& wanted);
  ~injection();
  injection(const injection&) = delete;
  injection& operator=(const injection&) = delete;
  /// How many armed calls there were.
  std::size_t calls() const;
  /// The most bytes that one armed `read` was asked for.
  std::size_t largest() const;
};

/// While it lives, it is counted how often any thread opens `path`.
class noted_opens {
 public:
  /// Calls `then` when `path` has been opened for the first time.
  explicit noted_opens(std::string path, std::function<void()> then = nullptr);
  ~noted_opens();
  noted_opens(const noted_opens&) = delete;
  noted_opens& operator=(const noted_opens&) = delete;
  /// How often the path was opened.
  std::size_t count() const;
};

/// What posix_fadvise(2) or posix_madvise(3) was told.
struct advice {
  int code;             ///< POSIX_FADV_... or POSIX_MADV_...
  bool of_memory;       ///< by posix_madvise
  std::uint64_t begin;  ///< an offset in the file; 0 for memory
  std::uint64_t size;
  int descriptor = -1;  ///< -1 for memory; two of the same advice are equal whatever it is
  friend bool operator==(const advice& one, const advice& other) {
    return std::tie(one.code, one.of_memory, one.begin, one.size) ==
           std::tie(other.code, other.of_memory, other.begin, other.size);
  }
};

/// While it lives, the advice that this thread gives is noted.
class noted_advice {
 public:
  noted_advice();
  ~noted_advice();
  noted_advice(const noted_advice&) = delete;
  noted_advice& operator=(const noted_advice&) = delete;
  /// All of it, in order.
  const std::vector<advice>& all() const { return all_; }

 private:
  std::vector<advice> all_;
};

/// While it lives, /proc/thread-self/fd opens nothing, as on a system without it.
class no_reopening {
 public:
  no_reopening();
  ~no_reopening();
  no_reopening(const no_reopening&) = delete;
  no_reopening& operator=(const no_reopening&) = delete;
};

/// Lets allocations fail in any thread, also those of the C and C++ libraries.
namespace allocations {

/// Returns why allocations cannot fail here; `std::nullopt` if they can.
std::optional<std::string> unavailable();

/// Lets the n-th allocation from now on fail, counted from 1, and if `on` all after it, until `stop`.
void start_failing(std::size_t at, bool on) noexcept;
/// Returns whether an allocation failed.
bool stop_failing() noexcept;

/// Returns how many blocks of memory are allocated.
std::size_t alive() noexcept;

}  // namespace allocations

}  // namespace riffle::test
