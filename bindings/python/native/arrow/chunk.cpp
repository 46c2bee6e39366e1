/// Keeps the chunks that were given back, because the first touch of fresh memory costs more than reading
/// into it.
#include "bindings/python/native/arrow/chunk.hpp"

#include <riffle/anonymous_memory.hpp>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <new>
#include <vector>

#include "os/mapping_calls.hpp"

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
  chunk_pool() { unused_.reserve(most); }

  /// Returns an unused chunk, or nullptr.
  char* take() noexcept {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock || unused_.empty()) return nullptr;
    char* const memory = unused_.back();
    unused_.pop_back();
    offered_ = std::min(offered_, unused_.size());
    return memory;
  }

  void give(char* memory) noexcept {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock || unused_.size() == most) return free_memory(memory, chunk_size);
    unused_.push_back(memory);
    if (unused_.size() - offered_ > kept) os::advise_free(unused_[offered_++], chunk_size);
  }

 private:
  static constexpr std::size_t most = 1024;
  static constexpr std::size_t kept = 32;

  // Only ever tried: in the child of a fork, a thread that is not there may hold it.
  std::mutex mutex_;
  std::vector<char*> unused_;
  std::size_t offered_ = 0;  // the first so many of them
};

/// Never destroyed: a consumer may hold a batch until the process ends.
chunk_pool& pool() {
  static chunk_pool& only = *new chunk_pool;
  return only;
}

// Each mapping of its own would count against the system's limit of mappings.
chunk small_chunk(std::size_t size) {
  void* const memory = std::aligned_alloc(small_alignment, os::round_up(size, small_alignment));
  if (memory == nullptr) throw std::bad_alloc();
  return {static_cast<char*>(memory), [](char* given) { std::free(given); }};
}

}  // namespace

chunk take_chunk(std::size_t size, bool huge_pages) {
  if (size < chunk_size) return small_chunk(size);
  char* memory = size == chunk_size ? pool().take() : nullptr;
  if (memory == nullptr) {
    memory = static_cast<char*>(anonymous_memory({.huge_pages = huge_pages}).allocate(size, alignment));
  }
  if (size == chunk_size) return {memory, [](char* given) { pool().give(given); }};
  return {memory, [size](char* given) { free_memory(given, size); }};
}

}  // namespace riffle::python::arrow
