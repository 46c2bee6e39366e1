/// Implements `anonymous_memory` by the anonymous mappings of the os layer.
#include <riffle/anonymous_memory.hpp>

#include <new>

#include "os/mapping.hpp"

namespace riffle::inline v0 {

void* anonymous_memory::do_allocate(std::size_t bytes, std::size_t alignment) {
  void* const memory = os::map_anonymous(bytes, alignment, options_.huge_pages);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void anonymous_memory::do_deallocate(void* memory, std::size_t bytes, std::size_t /*alignment*/) {
  os::unmap_anonymous(static_cast<char*>(memory), bytes);
}

bool anonymous_memory::do_is_equal(const std::pmr::memory_resource& other) const noexcept {
  return dynamic_cast<const anonymous_memory*>(&other) != nullptr;
}

}  // namespace riffle::inline v0
