/// What a processor, and the system on it, offer to the SIMD kernels.
#ifndef RIFFLE_KERNEL_PROCESSOR_HPP
#define RIFFLE_KERNEL_PROCESSOR_HPP

#include <riffle/version.hpp>

namespace riffle::inline v0::kernel {

/// Each has the one before it too.
struct x86_features {
  bool ssse3 = false;
  bool sse4 = false;    ///< with carry-less products and AES, as Highway assumes
  bool avx2 = false;    ///< with BMI, FMA and F16C
  bool avx512 = false;  ///< F, VL, DQ and BW
  bool vbmi2 = false;   ///< AVX-512 that does not lower the clock
};

/// Returns those of this processor, which it is asked for once. For x86 alone.
x86_features features() noexcept;

/// Returns whether a scan that keeps no order is to take four pages side by side. Intel's server cores from
/// Skylake to Cooper Lake read ahead by themselves within a page only, so such a scan waits for four pages at
/// once: on Cascade Lake it took 0.71 of the time of one place after the other. On Emerald Rapids it
/// took 1.00 from memory and 1.14 from the cache, on AMD's Zen 5 1.35 (docs/tried.md). For x86 alone.
bool reads_ahead_within_a_page() noexcept;

}  // namespace riffle::inline v0::kernel

#endif
