/// Cuts off what belongs to the records of the neighbours.
#include "decode/part.hpp"

#include <riffle/scan.hpp>

namespace riffle::inline v0::decode {

std::span<char> part_reader::next(callback waiting) {
  while (!ended_) {
    const std::span<char> block = from_.next(waiting);
    if (block.empty()) {
      ended_ = past_end_ || !owns_;
      past_end_ = true;
      if (!ended_) from_.go_on();
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
