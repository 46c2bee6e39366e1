/// Windows does not tell what its cache holds.
#include "os/page_cache.hpp"

namespace riffle::os {

std::optional<std::uint64_t> resident_pages(const file&, std::uint64_t, std::uint64_t) {
  return std::nullopt;
}

std::optional<double> resident_share(const file&, std::uint64_t, std::uint64_t) {
  return std::nullopt;
}

}  // namespace riffle::os
