/// What an x86 processor, and the system on it, offer to the SIMD kernels.
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

/// Returns those of this processor, which it is asked for once.
const x86_features& features() noexcept;

}  // namespace riffle::inline v0::kernel

#endif
