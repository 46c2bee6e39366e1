/// Memory between forbidden pages, by mmap(2).
#include "tests/support/guarded.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

namespace riffle::test {

guarded::guarded(std::size_t capacity)
    : page_(static_cast<std::size_t>(::sysconf(_SC_PAGESIZE))),
      size_((capacity + page_ - 1) / page_ * page_) {
  void* const memory = ::mmap(nullptr, size_ + 2 * page_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "mmap");
  start_ = static_cast<char*>(memory) + page_;
  if (::mprotect(start_, size_, PROT_READ | PROT_WRITE) != 0) {
    throw std::system_error(errno, std::generic_category(), "mprotect");
  }
}

guarded::~guarded() {
  ::munmap(start_ - page_, size_ + 2 * page_);
}

}  // namespace riffle::test
