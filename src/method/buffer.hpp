/// Why this file exists: the memory of a block: page-aligned, with headroom before it for the carry.
#ifndef RIFFLE_METHOD_BUFFER_HPP
#define RIFFLE_METHOD_BUFFER_HPP

#include <cstddef>
#include <memory>
#include <new>
#include <span>

#include "method/open_method.hpp"

namespace riffle {

class buffer {
 public:
  explicit buffer(std::size_t size)
      : memory_(static_cast<char*>(::operator new(headroom + size, alignment))), size_(size) {}

  /// Room for a block. Aligned to 4 KiB, as O_DIRECT asks; so a value that is aligned in the file is aligned
  /// here.
  std::span<char> space() noexcept { return {memory_.get() + headroom, size_}; }

 private:
  static constexpr std::align_val_t alignment{4096};
  struct free {
    void operator()(char* memory) const noexcept { ::operator delete(memory, alignment); }
  };
  std::unique_ptr<char, free> memory_;
  std::size_t size_;
};

}  // namespace riffle

#endif
