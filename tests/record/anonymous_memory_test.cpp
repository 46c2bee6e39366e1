/// A pool can stand on `anonymous_memory`, at any alignment, in any size.
#include <gtest/gtest.h>
#include <riffle/anonymous_memory.hpp>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <limits>
#include <new>
#include <string>

#include "os/mapping.hpp"

namespace riffle {
namespace {

TEST(anonymous_memory, is_zeroed_aligned_and_writable) {
  for (const bool huge_pages : {false, true}) {
    anonymous_memory memory({.huge_pages = huge_pages});
    for (const std::size_t alignment :
         {std::size_t{1}, std::size_t{64}, os::page_size(), std::size_t{1} << 21}) {
      for (const std::size_t size :
           {std::size_t{0}, std::size_t{1}, os::page_size(), 3 * os::page_size() + 1}) {
        auto* const bytes = static_cast<char*>(memory.allocate(size, alignment));
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(bytes) % alignment, 0U);
        EXPECT_TRUE(std::all_of(bytes, bytes + size, [](char byte) { return byte == 0; }));
        std::fill(bytes, bytes + size, 'x');
        memory.deallocate(bytes, size, alignment);
      }
    }
  }
}

TEST(anonymous_memory, gives_everything_back) {
  const auto pages_mapped = [] {
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    return pages;
  };
  anonymous_memory memory;
  constexpr std::size_t size = std::size_t{64} << 20;  // and as aligned: cut out of twice that
  const std::size_t before = pages_mapped();
  for (int i = 0; i < 10; ++i) memory.deallocate(memory.allocate(size - 1, size), size - 1, size);
  EXPECT_LT(pages_mapped(), before + size / os::page_size());
}

TEST(anonymous_memory, says_when_there_is_none) {
  anonymous_memory memory;
  const volatile std::size_t all =
      std::numeric_limits<std::size_t>::max();  // or gcc warns of the size at -O0
  EXPECT_THROW((void)memory.allocate(all, 1), std::bad_alloc);
  EXPECT_THROW((void)memory.allocate(all - (std::size_t{1} << 20), std::size_t{1} << 31), std::bad_alloc);
}

TEST(anonymous_memory, carries_pools_and_containers) {
  anonymous_memory memory;
  anonymous_memory another;
  EXPECT_EQ(memory, another);
  EXPECT_NE(memory, *std::pmr::new_delete_resource());
  std::pmr::unsynchronized_pool_resource pool(&memory);
  std::pmr::map<int, std::pmr::string> map(&pool);
  for (int i = 0; i < 10000; ++i) map[i].assign(static_cast<std::size_t>(i % 300), 'a');
  EXPECT_EQ(map.at(9999).size(), 99U);
}

}  // namespace
}  // namespace riffle
