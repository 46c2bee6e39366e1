/// The start of a line is kept until its end is there.
#include "cli/cat/pieces.hpp"

#include <riffle/scan.hpp>

#include <algorithm>
#include <limits>

namespace riffle::cli {

block pieces::next_lines() {
  while (true) {
    const block region = next_region();
    const bool ended = region.size() == kept_;  // what was kept is the last line
    const std::size_t last = region.bytes.substr(kept_).rfind(given_.delimiter);
    std::size_t whole = ended ? region.size() : last == std::string_view::npos ? 0 : kept_ + last + 1;
    if (const auto start = find_too_long(region.bytes)) {
      too_long_ = region.offset + *start;
      whole = *start;
    }
    kept_ = region.size() - whole;
    if (whole != 0 || (ended && !too_long_)) return {region.bytes.substr(0, whole), region.offset};
  }
}

block pieces::next_region() {
  if (too_long_) {
    from_.check();  // bytes that were lost are zeros
    throw error(errc::record_too_long, "read", from_.name(), too_long_, {}, {advice::larger_max_length});
  }
  try {
    return from_.next(kept_);
  } catch (const error& failure) {
    if (kept_ == 0 || failure.code() != std::errc::not_enough_memory) throw;
    throw error(failure.code(), "read", from_.name(), failure.offset(), {}, {advice::set_max_length});
  }
}

// Returns where the first line that is too long starts. Its end may be missing.
std::optional<std::size_t> pieces::find_too_long(std::string_view region) const {
  if (given_.max_length == std::numeric_limits<std::size_t>::max()) return std::nullopt;
  std::size_t start = 0;
  for (std::size_t searched = kept_; start < region.size(); searched = start) {
    const std::size_t stop = std::min(scan::find_byte(region, given_.delimiter, searched), region.size());
    const bool cr = given_.strip_cr && stop != start && region[stop - 1] == '\r';
    if (stop - start - (cr ? 1 : 0) > given_.max_length) return start;
    start = stop + 1;
  }
  return std::nullopt;
}

}  // namespace riffle::cli
