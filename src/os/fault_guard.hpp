/// A mapped page that cannot be read (the file shrank, the disk failed) raises SIGBUS, which must become an
/// error of that one mapping instead of the end of the program.
#ifndef RIFFLE_OS_FAULT_GUARD_HPP
#define RIFFLE_OS_FAULT_GUARD_HPP

#include <cstddef>
#include <optional>
#include <span>

namespace riffle::os {

struct guard_slot;

/// A mapped range of memory under the fault guard, for the lifetime of this object.
///
/// The first one installs a SIGBUS handler for the process. When a page of a guarded range cannot be read,
/// the handler puts zeros in its place (after many faults: from there to the end), marks the range and lets
/// the program go on; the owner of the range looks at `faulted()` before the result counts. Every other
/// SIGBUS goes to whoever handled it before: a foreign fault still kills. A handler that the program installs
/// later is found by the next guarded range, which puts the guard before it.
///
/// Any thread may touch the range; making, moving and destroying this object is for one thread at a time.
/// Destroy it *before* the range is unmapped: another mapping may take the addresses at once.
class guarded_range {
 public:
  /// Guards nothing.
  guarded_range() noexcept = default;
  /// Guards `range`, which starts and ends on page boundaries.
  /// `writable`: the zeros are too. Throws std::bad_alloc.
  guarded_range(std::span<char> range, bool writable);
  guarded_range(guarded_range&& other) noexcept;
  guarded_range& operator=(guarded_range&& other) noexcept;
  ~guarded_range();

  /// Whether a page of the range had to be replaced since the start or the last `clear()`.
  [[nodiscard]] bool faulted() const noexcept { return fault_position().has_value(); }
  /// Where the lowest replaced page starts, in bytes from the
  /// start of the range; everything before it is as read.
  [[nodiscard]] std::optional<std::size_t> fault_position() const noexcept;
  /// Forgets the faults so far: something else was mapped over the range.
  void clear() noexcept;

 private:
  guard_slot* slot_ =
      nullptr;  // in a list that only grows, so that the signal handler can walk it at any time
};

/// Maps zeros over `length` bytes at `at` by one bare system call, because it runs in a signal handler and
/// sanitizers intercept mmap(2). Returns whether it worked. `protection` is that of mmap(2).
bool replace_by_zeros(void* at, std::size_t length, int protection) noexcept;

}  // namespace riffle::os

#endif
