/// Lists the instruction sets that were compiled in, whether or not this processor has them.
#pragma once

#include <span>

#include "kernel/kernels.hpp"
#include "kernel/processor.hpp"

namespace riffle::inline v0::kernel {

/// Holds the table for one instruction set.
struct simd_table {
  bool (*runs)(const processor&);  ///< whether a processor, and the system on it, can run it
  bool (*fast)(const processor&);  ///< whether it is likely to be faster than those after it, if it runs
  const table* kernels;
};

/// Returns all compiled tables, best first; empty if there is no SIMD.
std::span<const simd_table> simd_tables();

}  // namespace riffle::inline v0::kernel
