/// Reuses the buffer of the last file, as a fresh one costs more than reading a small file.
#include "method/buffer.hpp"

#include <utility>

namespace riffle::inline v0 {

// The kernel hands out and clears fresh memory page by page, at the first touch. (A file of 128 KiB, hot,
// open to close: six times as long with a fresh buffer; of 4 KiB, three times.)
namespace {

// Neither has a destructor, so both can be asked in the destructors of static and thread_local objects, which
// may run after the thread's keeper has gone.
thread_local char* spare = nullptr;  // of the default size, or none
thread_local bool keeps_none = false;

}  // namespace

struct buffer::keeper {
  ~keeper() {
    keeps_none = true;
    free()(spare);
    spare = nullptr;
  }
};

buffer::memory buffer::take_spare() noexcept {
  return memory(std::exchange(spare, nullptr));
}

void buffer::keep_spare(memory unused) noexcept {
  if (spare != nullptr || keeps_none) return;
  static thread_local const keeper at_exit;
  spare = unused.release();
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
