/// Offers the list of SIMD kernels, and which of them is used. `riffle methods` prints it.
#pragma once

#include <riffle/export.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace riffle::inline v0 {

/// Describes one SIMD kernel: the functions of scan.hpp and sum.hpp for one instruction set, which prefetch
/// as was measured on some processors. All SIMD kernels give the same answers.
struct kernel_info {
  /// "avx512_pages", "avx512_far", "avx512_ahead", "avx512", "avx2_pages", "avx2_ahead", "avx2", "sse4",
  /// "ssse3", "neon" or "scalar"; always valid.
  std::string_view name;
  bool active;  ///< whether riffle uses it; true for exactly one
  /// In words: "avx512 kernels, prefetching 2 KiB ahead".
  std::string description;
};

/// Returns the SIMD kernel that riffle uses: the first one, if RIFFLE_KERNEL names none of them.
[[nodiscard]] RIFFLE_API kernel_info active_kernel();

/// Returns the kind of processor on which the choice of the SIMD kernel was measured, such as "AMD Zen 5".
/// Returns an empty text if this processor belongs to no such kind: riffle then chooses what
/// was measured on older processors of its vendor, of the instruction sets that it runs. Lifetime: always
/// valid.
[[nodiscard]] RIFFLE_API std::string_view measured_processor() noexcept;

/// Returns the SIMD kernels that this processor can run, best first, "scalar" last. riffle uses the
/// first one, unless the environment variable RIFFLE_KERNEL names another one when riffle first
/// needs a SIMD kernel.
///
/// Throws `riffle::error` (`errc::invalid_argument`), which lists the names, if RIFFLE_KERNEL names
/// none of them. riffle then uses the first one. Call this at the start of your program if it should
/// report a wrong name.
[[nodiscard]] RIFFLE_API std::vector<kernel_info> kernels();

}  // namespace riffle::inline v0
