/// The memory of a block: page-aligned, with headroom before it for the carry.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <span>

#include "method/active_method.hpp"
#include "method/block_size.hpp"
#include "os/thread_slot.hpp"

namespace riffle::inline v0 {

class buffer {
 public:
  static constexpr std::size_t default_size = copied_block;

  /// Room for blocks of `size`. One of the default size is handed on within the thread, from the file read
  /// last to the next one.
  explicit buffer(std::size_t size);
  buffer(buffer&&) noexcept = default;
  buffer& operator=(buffer&&) noexcept = default;
  ~buffer();

  /// Gives the memory up: it is never freed.
  char* release() noexcept { return memory_.release(); }

  /// Room for a block. Aligned to 4 KiB, as O_DIRECT asks;
  /// so a value that is aligned in the file is aligned here.
  std::span<char> space() noexcept { return {memory_.get() + headroom, size_}; }

 private:
  static constexpr std::align_val_t alignment{4096};
  struct free {
    void operator()(char* memory) const noexcept {
      if (memory != nullptr) ::operator delete(memory, alignment);
    }
  };
  using memory = std::unique_ptr<char, free>;

  static memory allocate(std::size_t size);
  static os::thread_slot spare;  // of the default size, or none
  static memory take_spare() noexcept;
  static void keep_spare(memory unused) noexcept;

  std::size_t size_;
  memory memory_;
};

}  // namespace riffle::inline v0
