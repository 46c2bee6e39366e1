/// Keeps the chunks that were given back, because the first touch of fresh memory costs more than reading
/// into it.
#include "bindings/python/native/arrow/chunk.hpp"

#include <riffle/anonymous_memory.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <new>

#include "os/mapping.hpp"

namespace riffle::python::arrow {

namespace {

/// A huge page starts at a multiple of its size.
constexpr std::size_t alignment = chunk_size;

/// What Arrow recommends.
constexpr std::size_t small_alignment = 64;

void free_memory(char* memory, std::size_t size) noexcept {
  anonymous_memory{}.deallocate(memory, size, alignment);
}

/// Holds unused chunks, all of `chunk_size`. The OS kernel may take the pages of most of them when it is
/// short of memory. To say so for each would slow down a loop that drops each batch before the next one.
class chunk_pool {
 public:
  /// Returns an unused chunk, or nullptr.
  char* take() noexcept {
    if (in_use_.test_and_set(std::memory_order_acquire)) return nullptr;
    char* const memory = size_ == 0 ? nullptr : unused_[--size_];
    offered_ = std::min(offered_, size_);
    in_use_.clear(std::memory_order_release);
    return memory;
  }

  void give(char* memory) noexcept {
    if (in_use_.test_and_set(std::memory_order_acquire)) return free_memory(memory, chunk_size);
    const bool full = size_ == unused_.size();
    if (!full) {
      unused_[size_++] = memory;
      if (size_ - offered_ > kept) os::advise_free(unused_[offered_++], chunk_size);
    }
    in_use_.clear(std::memory_order_release);
    if (full) free_memory(memory, chunk_size);
  }

 private:
  static constexpr std::size_t kept = 32;

  // Never waited for: in the child of a fork, a thread that is not there may hold it.
  std::atomic_flag in_use_ = ATOMIC_FLAG_INIT;
  std::array<char*, 1024> unused_{};
  std::size_t size_ = 0;
  std::size_t offered_ = 0;  // the first so many of them
};

/// It has no destructor: a consumer may hold a batch until the process ends.
constinit chunk_pool pool;

// Each mapping of its own would count against the system's limit of mappings.
chunk small_chunk(std::size_t size) {
  void* const memory = std::aligned_alloc(small_alignment, os::round_up(size, small_alignment));
  if (memory == nullptr) throw std::bad_alloc();
  return {static_cast<char*>(memory), [](char* given) { std::free(given); }};
}

}  // namespace

chunk take_chunk(std::size_t size, bool huge_pages) {
  if (size < chunk_size) return small_chunk(size);
  char* memory = size == chunk_size ? pool.take() : nullptr;
  if (memory == nullptr) {
    memory = static_cast<char*>(anonymous_memory({.huge_pages = huge_pages}).allocate(size, alignment));
  }
  if (size == chunk_size) return {memory, [](char* given) { pool.give(given); }};
  return {memory, [size](char* given) { free_memory(given, size); }};
}

}  // namespace riffle::python::arrow
