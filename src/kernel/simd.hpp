/// Why this file exists: the list of instruction sets that were compiled in, whether or not this processor
/// has them.
#ifndef RIFFLE_KERNEL_SIMD_HPP
#define RIFFLE_KERNEL_SIMD_HPP

#include <cstdint>
#include <span>

#include "kernel/kernels.hpp"

namespace riffle::kernel {

/// A table for one of Highway's targets.
struct simd_table {
  std::int64_t target;  ///< Highway's bit for it, HWY_AVX2 say
  const table* kernels;
};

/// All compiled tables, best first; empty where there is no SIMD.
std::span<const simd_table> simd_tables();

}  // namespace riffle::kernel

#endif
