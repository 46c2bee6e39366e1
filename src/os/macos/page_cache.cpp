/// macOS does not tell which pages of a file are in memory: mincore(2) promises it for mapped pages alone.
#include "os/page_cache.hpp"

#include <unistd.h>

#include "os/mapping.hpp"

namespace riffle::os {

std::optional<std::uint64_t> resident_pages(const file&, std::uint64_t, std::uint64_t) {
  return std::nullopt;
}

std::optional<double> resident_share(const file&, std::uint64_t, std::uint64_t) {
  return std::nullopt;
}

void write_back(const file& file) noexcept {
  fsync(file.descriptor());
}

void evict(const file& file) noexcept {
  write_back(file);
  file.drop_cache(0, 0);
}

bool evict_all_files() noexcept {
  return false;
}

}  // namespace riffle::os
