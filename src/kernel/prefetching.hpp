/// Says how SIMD kernels fetch the memory that they scan: what is fastest differs by processor.
#pragma once

#include <riffle/version.hpp>

#include <cstddef>

namespace riffle::inline v0::kernel {

/// Holds distances in bytes, from what is scanned to what is fetched. 0 leaves that to the processor.
struct prefetching {
  std::size_t in_order = 0;   ///< of scans that keep the order of matches
  std::size_t in_places = 0;  ///< of each of the four places of scans that keep no order
  bool pages = false;         ///< the four places lie in pages side by side; else they follow each other
  bool joined = false;        ///< UTF-8 characters: what overlaps is joined in registers, not loaded again
  friend bool operator==(const prefetching&, const prefetching&) = default;
};

/// Says so for each group of walks (kernels.hpp).
struct fetching {
  prefetching places;
  prefetching rows;
  prefetching counts;
  prefetching words;
  prefetching utf8;
  friend bool operator==(const fetching&, const fetching&) = default;
};

}  // namespace riffle::inline v0::kernel
