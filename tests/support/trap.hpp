/// Makes the n-th system call fail, whoever makes it: riffle, the C library's streams, or liburing.
///
/// `injection` replaces functions of the C library instead. Neither finds what both find: this one meets the
/// calls that liburing and the C library make inside, in all threads, and counts them, so that no call is
/// missing in a table. That one also shortens reads and notes advice, in one thread, and works with
/// sanitizers, with qemu and on every processor, where a filter of system calls does not.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

namespace riffle::test::trap {

/// Returns why system calls cannot be trapped here; `std::nullopt` if they can.
std::optional<std::string> unavailable();

/// Runs `work` in a thread of its own whose system calls are trapped, and those of the threads it starts.
void run(const std::function<void()>& work);

/// While it lives, one system call fails, in the trapped threads.
class failure {
 public:
  struct plan {
    long number;                 ///< SYS_read, ...
    int code;                    ///< the errno
    std::size_t at;              ///< the call that fails, counted from 1
    bool from_there_on = false;  ///< all after it fail too
  };
  explicit failure(const plan& wanted);
  ~failure();
  failure(const failure&) = delete;
  failure& operator=(const failure&) = delete;
  /// Returns whether the call was made.
  bool met() const;
};

/// Counts the calls of each number since it was made.
class count {
 public:
  count();
  ~count();
  count(const count&) = delete;
  count& operator=(const count&) = delete;
  std::size_t of(long number) const;
  static constexpr long numbers = 512;
};

/// Returns how often a descriptor was closed that was not open, since the start of the program.
std::size_t closed_twice();

}  // namespace riffle::test::trap
