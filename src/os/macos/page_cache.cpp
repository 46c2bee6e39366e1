/// macOS does not tell which pages of a file are in memory: mincore(2) promises it for mapped pages alone.
#include "os/page_cache.hpp"

namespace riffle::os {

std::optional<std::uint64_t> resident_pages(const file&, std::uint64_t, std::uint64_t) {
  return std::nullopt;
}

std::optional<double> resident_share(const file&, std::uint64_t, std::uint64_t) {
  return std::nullopt;
}

}  // namespace riffle::os
