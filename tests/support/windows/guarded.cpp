/// Memory between forbidden pages, by VirtualAlloc.
#include "tests/support/guarded.hpp"

#include <windows.h>

#include <cerrno>

namespace riffle::test {

guarded::guarded(std::size_t capacity) {
  SYSTEM_INFO facts{};
  GetSystemInfo(&facts);
  page_ = facts.dwPageSize;
  size_ = (capacity + page_ - 1) / page_ * page_;
  auto* const memory =
      static_cast<char*>(VirtualAlloc(nullptr, size_ + 2 * page_, MEM_RESERVE, PAGE_NOACCESS));
  if (memory == nullptr) throw std::system_error(ENOMEM, std::generic_category(), "VirtualAlloc");
  start_ = memory + page_;
  if (size_ != 0 && VirtualAlloc(start_, size_, MEM_COMMIT, PAGE_READWRITE) == nullptr) {
    throw std::system_error(ENOMEM, std::generic_category(), "VirtualAlloc");
  }
}

guarded::~guarded() {
  VirtualFree(start_ - page_, 0, MEM_RELEASE);
}

}  // namespace riffle::test
