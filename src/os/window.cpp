/// Checks the part of a file that a window mapped last.
#include "os/window.hpp"

#include <algorithm>
#include <cerrno>

#include "os/mapping.hpp"

namespace riffle::os {

std::optional<std::uint64_t> window::fault_offset() const noexcept {
  const std::optional<std::size_t> position = guard_.fault_position();
  if (!position) return std::nullopt;
  return offset_ + *position;
}

void window::check(const file& from, std::uint64_t trusted) const {
  const std::optional<std::uint64_t> fault = fault_offset();
  if (!fault && length_ == 0) return;
  // The rest of the last page of a file that was cut reads as zeros, without a fault. If it has grown again,
  // a page that was lost tells.
  if (from.end() < offset_ + length_ || (fault && was_cut(from, *fault, before_))) {
    throw error(errc::truncated, "read", from.name(), trusted);
  }
  if (fault) fail("read", from.name(), std::max(*fault, trusted), EIO);
}

}  // namespace riffle::os
