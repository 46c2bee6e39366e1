/// Turns the SIGBUS of a mapped page that cannot be read (the file shrank, the disk failed) into an error of
/// that mapping, instead of the end of the program.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace riffle::os {

struct guard_slot;

/// Guards a mapped range of memory during the lifetime of this object.
///
/// The first one installs a SIGBUS handler for the process. If a page of a guarded range cannot be read, the
/// handler replaces it by zeros (after 256 faults, the rest of the range too), marks the range, and the
/// program continues. The owner of the range calls `faulted()` before the result counts. The handler passes
/// every other SIGBUS to the previous handler, which by default ends the program. If the program installs a
/// handler later, the next guarded range puts the guard before it, and so does `clear()`.
///
/// Thread safety: any thread may touch the range. Making, moving and destroying this object is for one thread
/// at a time. Destroy it *before* the range is unmapped: another mapping may take the addresses at once.
class guarded_range {
 public:
  /// Guards nothing.
  guarded_range() noexcept = default;
  /// Guards `range`, which starts and ends on page boundaries. If `writable`, the zeros are
  /// writable too. Throws std::bad_alloc.
  guarded_range(std::span<char> range, bool writable);
  guarded_range(guarded_range&& other) noexcept;
  guarded_range& operator=(guarded_range&& other) noexcept;
  ~guarded_range();

  /// Returns whether there is a range.
  [[nodiscard]] bool guards() const noexcept { return slot_ != nullptr; }
  /// Returns whether a page of the range was replaced since the start or the last `clear()`.
  [[nodiscard]] bool faulted() const noexcept { return fault_position().has_value(); }
  /// Returns the start of the lowest replaced page, in bytes from the start of the range. The bytes before it
  /// are those of the file.
  [[nodiscard]] std::optional<std::size_t> fault_position() const noexcept;
  /// Forgets the faults so far, because something else is mapped over the range, and puts the guard before a
  /// handler that the program has installed since.
  void clear() noexcept;

 private:
  guard_slot* slot_ =
      nullptr;  // in a list that only grows, so that the signal handler can walk it at any time
};

/// Returns why a fault of this thread ends the process, whatever handler there is, and what to do: it blocks
/// SIGBUS, or its alternate signal stack is too small for the guard. Empty if it does not.
[[nodiscard]] std::string_view why_unguarded() noexcept;

}  // namespace riffle::os
