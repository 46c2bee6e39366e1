/// Cuts off what belongs to the records of the neighbours.
#include "decode/part.hpp"

#include <riffle/scan.hpp>

#include <limits>

namespace riffle::inline v0::decode {

std::span<char> part_reader::next(std::span<char> space) {
  while (!ended_) {
    std::span<char> block = space.first(from_.read(space));
    if (block.empty()) {
      ended_ = past_end_ || !owns_;
      past_end_ = true;
      from_.stop_at(std::numeric_limits<std::uint64_t>::max());
      continue;
    }
    if (owns_ && !past_end_) return block;
    const std::size_t found = scan::find_byte({block.data(), block.size()}, delimiter_);
    if (found == std::string_view::npos) {
      if (owns_) return block;
      continue;
    }
    if (past_end_) {
      ended_ = true;
      return block.first(found + 1);
    }
    owns_ = true;
    if (found + 1 != block.size()) return block.subspan(found + 1);
  }
  return {};
}

}  // namespace riffle::inline v0::decode
