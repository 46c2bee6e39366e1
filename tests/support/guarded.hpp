/// A read one byte outside its data must crash the test, not pass by luck.
#ifndef RIFFLE_TESTS_SUPPORT_GUARDED_HPP
#define RIFFLE_TESTS_SUPPORT_GUARDED_HPP

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <span>
#include <system_error>

namespace riffle::test {

/// Writable memory between two pages that fault when they are touched.
class guarded {
 public:
  /// At least `capacity` bytes, rounded up to pages. Throws std::system_error.
  explicit guarded(std::size_t capacity)
      : page_(static_cast<std::size_t>(::sysconf(_SC_PAGESIZE))),
        size_((capacity + page_ - 1) / page_ * page_) {
    void* const memory = ::mmap(nullptr, size_ + 2 * page_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "mmap");
    start_ = static_cast<char*>(memory) + page_;
    if (::mprotect(start_, size_, PROT_READ | PROT_WRITE) != 0) {
      throw std::system_error(errno, std::generic_category(), "mprotect");
    }
  }
  ~guarded() { ::munmap(start_ - page_, size_ + 2 * page_); }
  guarded(const guarded&) = delete;
  guarded& operator=(const guarded&) = delete;

  /// The `size` bytes behind the first guard page. Valid as long as this.
  std::span<char> first(std::size_t size) { return {start_, size}; }
  /// The `size` bytes before the second guard page. Valid as long as this.
  std::span<char> last(std::size_t size) { return {start_ + (size_ - size), size}; }

 private:
  std::size_t page_;
  std::size_t size_;
  char* start_ = nullptr;  // behind the first guard page
};

}  // namespace riffle::test

#endif
