/// In 32 bits a block is refused only if others have the addresses: even the largest has a gibibyte at most.
#pragma once

#include <riffle/anonymous_memory.hpp>

#include <cstddef>
#include <new>
#include <vector>

namespace riffle::test {

/// Takes the addresses of a program of 32 bits while it exists, all but pieces below 256 MiB; no others.
class few_addresses {
 public:
  few_addresses() {
    try {
      while (sizeof(void*) == 4) taken_.push_back(memory_.allocate(piece));
    } catch (const std::bad_alloc&) {
    }
  }
  ~few_addresses() {
    for (void* const each : taken_) memory_.deallocate(each, piece);
  }
  few_addresses(const few_addresses&) = delete;
  few_addresses& operator=(const few_addresses&) = delete;

 private:
  static constexpr std::size_t piece = std::size_t{256} << 20U;
  anonymous_memory memory_;
  std::vector<void*> taken_;
};

}  // namespace riffle::test
