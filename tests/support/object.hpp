/// Objects that riffle reads by their own functions.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace riffle::test {

/// Gives bytes at offsets, so many at a time, each time after a call of `before`, which finds other bytes in
/// the memory, as half an answer leaves them.
struct bytes_at_offsets {
  std::string bytes;
  std::size_t piece = SIZE_MAX;
  std::function<void()> before = [] {};

  std::size_t read_at(std::uint64_t offset, std::span<char> into) const {
    std::ranges::fill(into, '\n');
    before();
    return bytes.copy(into.data(), std::min(piece, into.size()), static_cast<std::size_t>(offset));
  }
  std::uint64_t size() const { return bytes.size(); }
};

/// Gives them in order.
struct bytes_in_order {
  bytes_at_offsets all;
  std::uint64_t given = 0;

  std::size_t read(std::span<char> into) {
    const std::size_t count = all.read_at(given, into);
    given += count;
    return count;
  }
  std::string name() const { return "bytes in order"; }
};

}  // namespace riffle::test
