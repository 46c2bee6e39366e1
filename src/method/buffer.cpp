/// Reuses the buffer of the last file, as a fresh one costs more than reading a small file.
#include "method/buffer.hpp"

#include <utility>

namespace riffle::inline v0 {

// The OS kernel clears fresh memory page by page, at the first touch. With a fresh buffer a hot file of
// 128 KiB takes six times as long from open to close, and one of 4 KiB three times.
buffer::memory& buffer::spare() noexcept {
  thread_local memory kept;  // of the default size, or none
  return kept;
}

buffer::memory buffer::allocate(std::size_t size) {
  return memory(static_cast<char*>(::operator new(headroom + size, alignment)));
}

buffer::buffer(std::size_t size)
    : size_(size),
      memory_(size == default_size && spare() ? std::exchange(spare(), nullptr) : allocate(size)) {}

buffer::~buffer() {
  if (size_ == default_size && memory_ && !spare()) spare() = std::move(memory_);
}

}  // namespace riffle::inline v0
