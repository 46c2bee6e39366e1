/// The hints of `os::file`, by posix_fadvise(2).
#include <fcntl.h>

#include "os/file.hpp"

namespace riffle::os {

void file::advise_sequential() const noexcept {
  posix_fadvise(descriptor_, 0, 0, POSIX_FADV_SEQUENTIAL);
}
void file::advise_will_need(std::uint64_t offset, std::uint64_t length) const noexcept {
  posix_fadvise(descriptor_, static_cast<off_t>(offset), static_cast<off_t>(length), POSIX_FADV_WILLNEED);
}
void file::drop_cache(std::uint64_t offset, std::uint64_t length) const noexcept {
  posix_fadvise(descriptor_, static_cast<off_t>(offset), static_cast<off_t>(length), POSIX_FADV_DONTNEED);
}

}  // namespace riffle::os
