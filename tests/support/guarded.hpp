/// A read one byte outside its data must crash the test, not pass by luck.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>
#include <system_error>

namespace riffle::test {

/// Writable memory between two pages that fault when they are touched.
class guarded {
 public:
  /// At least `capacity` bytes, rounded up to pages. Throws std::system_error.
  explicit guarded(std::size_t capacity);
  ~guarded();
  guarded(const guarded&) = delete;
  guarded& operator=(const guarded&) = delete;

  /// The `size` bytes behind the first guard page. Valid as long as this.
  std::span<char> first(std::size_t size) { return {start_, size}; }
  /// The `size` bytes before the second guard page. Valid as long as this.
  std::span<char> last(std::size_t size) { return {start_ + (size_ - size), size}; }

 private:
  std::size_t page_ = 0;
  std::size_t size_ = 0;
  char* start_ = nullptr;  // behind the first guard page
};

/// Calls `f` with each beginning of a text, beside each of two guard pages.
template <class F>
void beside_guard_pages(std::string_view text, F f) {
  guarded memory(text.size());
  for (std::size_t size = 0; size <= text.size(); ++size) {
    for (const std::span<char> bytes : {memory.first(size), memory.last(size)}) {
      std::ranges::copy(text.substr(0, size), bytes.begin());
      f(std::string_view(bytes.data(), size));
    }
  }
}

}  // namespace riffle::test
