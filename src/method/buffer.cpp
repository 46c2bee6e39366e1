/// The buffer of a file that has been read serves the next one,
/// as a fresh one would cost more than reading a small file.
#include "method/buffer.hpp"

#include <utility>

namespace riffle::inline v0 {

// The kernel hands out and clears fresh memory page by page, at the first touch. (A file of 128 KiB, hot,
// open to close: six times as long with a fresh buffer; of 4 KiB, three times.)
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
