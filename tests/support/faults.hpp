/// System calls and allocations that fail on demand, and ways to read that are carried out meanwhile.
#pragma once

#include <riffle/error.hpp>
#include <riffle/methods.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "tests/support/inputs.hpp"
#include "tests/support/posix/ways.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {

/// The calls that can be made to fail. `read` stands for pread(2) too, `drop` for POSIX_FADV_DONTNEED.
enum class call { none, read, mmap, madvise, fstat, drop, thread };

/// Returns why calls cannot be made to fail, or be noted, here; `std::nullopt` if they can.
std::optional<std::string> interposition_unavailable();

/// While it lives, the armed call misbehaves, in this thread only; all others are as ever.
class injection : not_copied {
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
  /// How many armed calls there were.
  std::size_t calls() const;
  /// The most bytes that one armed `read` was asked for.
  std::size_t largest() const;
};

/// While it lives, it is counted how often any thread opens `path`.
class noted_opens : not_copied {
 public:
  /// Calls `then` when `path` has been opened for the first time.
  explicit noted_opens(std::string path, std::function<void()> then = [] {});
  ~noted_opens();
  /// How often the path was opened.
  std::size_t count() const { return count_; }
  /// Notes that a file is opened. Returns whether it is `path` for the first time, after which one calls
  /// `act`.
  bool takes(std::string_view path) const { return path == path_ && count_++ == 0; }
  void act() const { then_(); }

 private:
  std::string path_;
  std::function<void()> then_;
  mutable std::atomic<std::size_t> count_ = 0;
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
class noted_advice : not_copied {
 public:
  noted_advice();
  ~noted_advice();
  /// All of it, in order.
  const std::vector<advice>& all() const { return all_; }

 private:
  std::vector<advice> all_;
};

/// While it lives, /proc/thread-self/fd opens nothing, as on a system without it.
class no_reopening : not_copied {
 public:
  no_reopening();
  ~no_reopening();
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

// `injection` replaces functions of the C library instead. Neither finds what both find: this one meets the
// calls that liburing and the C library make inside, in all threads, and counts them, so that no call is
// missing in a table. That one also shortens reads and notes advice, in one thread, and works with
// sanitizers, with qemu and on every processor, where a filter of system calls does not.

namespace riffle::test::trap {

/// Returns why system calls cannot be trapped here; `std::nullopt` if they can.
std::optional<std::string> unavailable();

/// Runs `work` in a thread of its own whose system calls are trapped, and those of the threads it starts.
void run(const std::function<void()>& work);

/// While it lives, one system call fails, in the trapped threads.
class failure : not_copied {
 public:
  struct plan {
    long number;                 ///< SYS_read, ...
    int code;                    ///< the errno
    std::size_t at;              ///< the call that fails, counted from 1
    bool from_there_on = false;  ///< all after it fail too
  };
  explicit failure(const plan& wanted);
  ~failure();
  /// Returns whether the call was made.
  bool met() const;
};

/// Counts the calls of each number since it was made.
class count : not_copied {
 public:
  count();
  ~count();
  std::size_t of(long number) const;
  static constexpr long numbers = 512;
};

/// Returns how often a descriptor was closed that was not open, since the start of the program.
std::size_t closed_twice();

}  // namespace riffle::test::trap

namespace riffle::test::runs {

/// The bytes that most runs read, in a few blocks.
const std::string& text();
inline constexpr unsigned block_size = 4096;

/// A way to read an input of a kind.
struct run {
  std::string name;
  const way* how;
  const kind_of_input* from;
  input_kind kind = from->kind;       // whose methods it takes
  const std::string& bytes = text();  // of the input
};

/// The files that runs read.
class inputs {
 public:
  /// Returns the one of a run, which has the bytes that it should have. The large one is made when it is
  /// needed.
  const temporary_file& file_of(const run& what) const;

 private:
  temporary_file file_{text()};
  temporary_file scratch_;
  mutable std::optional<temporary_file> large_ = {};
};

/// Returns each run with each method that it uses.
std::vector<std::tuple<const run*, method>> all();

/// Carries out a run between `start` and `stop`, which let something fail.
ending carry_out(
    const run& what, method used, const inputs& from, const std::function<void()>& start = [] {},
    const std::function<void()>& stop = [] {});

/// Returns what is wrong with a run, or an empty string: what was delivered is right, and it is all, or
/// there is an error that names its operation and path.
std::string fault_of(const ending& found);

/// Return how many there are of this process.
std::size_t open_descriptors();
std::size_t mapped_ranges();

}  // namespace riffle::test::runs
