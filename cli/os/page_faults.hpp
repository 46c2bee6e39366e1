/// How often this process touched a page that was not mapped: what reading a mapping costs.
#pragma once

#include <cstdint>

namespace riffle::os {

struct page_faults {
  std::uint64_t all = 0;
  std::uint64_t of_storage = 0;  ///< those that waited for storage; 0 if the system does not say
};

/// Returns those of all threads so far.
page_faults page_faults_so_far() noexcept;

}  // namespace riffle::os
