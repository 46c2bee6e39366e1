/// The hints of `os::file`, by fcntl(2): macOS has no posix_fadvise.
#include <fcntl.h>

#include <algorithm>
#include <limits>

#include "os/file.hpp"

namespace riffle::os {

void file::advise_sequential() const noexcept {
  fcntl(descriptor_, F_RDAHEAD, 1);
}

void file::advise_will_need(std::uint64_t offset, std::uint64_t length) const noexcept {
  constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<int>::max());
  radvisory wanted{};
  wanted.ra_offset = static_cast<off_t>(offset);
  wanted.ra_count = static_cast<int>(length == 0 ? most : std::min(length, most));
  fcntl(descriptor_, F_RDADVISE, &wanted);
}

// No call of macOS evicts a file. What F_NOCACHE reads does not stay.
void file::drop_cache(std::uint64_t, std::uint64_t) const noexcept {}

}  // namespace riffle::os
