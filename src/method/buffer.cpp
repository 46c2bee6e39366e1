/// Reuses the buffer of the last file, as a fresh one costs more than reading a small file.
#include "method/buffer.hpp"

#include <utility>

namespace riffle::inline v0 {

// The kernel hands out and clears fresh memory page by page, at the first touch. (A file of 128 KiB, hot,
// open to close: six times as long with a fresh buffer; of 4 KiB, three times.)
constinit os::thread_slot buffer::spare{[](void* unused) { free()(static_cast<char*>(unused)); }};

buffer::memory buffer::take_spare() noexcept {
  void* const kept = spare.get();
  if (kept == nullptr || !spare.set(nullptr)) return {};
  return memory(static_cast<char*>(kept));
}

void buffer::keep_spare(memory unused) noexcept {
  if (spare.get() == nullptr && spare.set(unused.get())) static_cast<void>(unused.release());
}

buffer::memory buffer::allocate(std::size_t size) {
  return memory(static_cast<char*>(::operator new(headroom + size, alignment)));
}

buffer::buffer(std::size_t size) : size_(size), memory_(size == default_size ? take_spare() : memory()) {
  if (!memory_) memory_ = allocate(size);
}

buffer::~buffer() {
  if (size_ == default_size && memory_) keep_spare(std::move(memory_));
}

}  // namespace riffle::inline v0
