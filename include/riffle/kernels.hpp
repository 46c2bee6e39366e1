/// Offers the list of SIMD kernels, and which of them is used. `riffle methods` prints it.
#ifndef RIFFLE_KERNELS_HPP
#define RIFFLE_KERNELS_HPP

#include <riffle/export.hpp>

#include <string_view>
#include <vector>

namespace riffle::inline v0 {

/// Describes one SIMD kernel: the functions of scan.hpp and sum.hpp for one instruction set. All SIMD kernels
/// give the same answers.
struct kernel_info {
  /// "avx512", "avx2_pages", "avx2", "sse4", "ssse3", "neon" or "scalar"; always valid.
  std::string_view name;
  bool active;  ///< whether riffle uses it; true for exactly one
};

/// Returns the SIMD kernels that this processor can run, best first, "scalar" last. riffle uses the
/// first one, unless the environment variable RIFFLE_KERNEL names another one when riffle first
/// needs a SIMD kernel.
///
/// Throws `riffle::error` (`errc::invalid_argument`), which lists the names, if RIFFLE_KERNEL names
/// none of them. riffle then uses the first one. Call this at the start of your program if it should
/// report a wrong name.
[[nodiscard]] RIFFLE_API std::vector<kernel_info> kernels();

}  // namespace riffle::inline v0

#endif
