/// Lists the instruction sets that get SIMD kernels. A file that Highway compiles once for each includes this
/// before <hwy/foreach_target.h>.
#pragma once

// The targets that get kernels. Each version of Highway has others too, and its own order of them. The plain
// loops of scalar.cpp replace the emulated ones. Scalable vectors cannot be kept in structures; NEON serves
// their processors.
#ifdef __i386__  // AVX2, which newer versions have here, was never tried
#define RIFFLE_X86_TARGETS (HWY_SSSE3 | HWY_SSE4)
#else
#define RIFFLE_X86_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX2 | HWY_AVX3)
#endif
// Compile all that the compiler can, so that RIFFLE_KERNEL can name each of them even in a build for this
// processor.
#define HWY_COMPILE_ALL_ATTAINABLE
// To compile nothing for the other targets takes time as well.
#define HWY_DISABLED_TARGETS                                                                      \
  ((((1LL << (HWY_HIGHEST_TARGET_BIT_X86 + 1)) - 1) & ~RIFFLE_X86_TARGETS) | HWY_SVE | HWY_SVE2 | \
   HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
// Use the headers of Highway only. Its library measures the timer of the processor at each start of a
// program, which takes longer than counting the words of a small file.
#define HWY_IS_DEBUG_BUILD 0

#include <hwy/detect_targets.h>

#include <cstdint>

// RIFFLE_CHOOSE_NEON(x) is the address of `x` for NEON, or null, as HWY_CHOOSE_AVX2(x) for AVX2.
#if HWY_ARCH_X86
#define RIFFLE_KERNEL_TARGETS RIFFLE_X86_TARGETS
#define RIFFLE_CHOOSE_NEON(x) nullptr
#elif HWY_ARCH_ARM_A64 && defined(HWY_NEON_WITHOUT_AES)
#define RIFFLE_KERNEL_TARGETS HWY_NEON_WITHOUT_AES
#define RIFFLE_CHOOSE_NEON HWY_CHOOSE_NEON_WITHOUT_AES
#elif HWY_ARCH_ARM_A64  // before Highway 1.0.4
#define RIFFLE_KERNEL_TARGETS HWY_NEON
#define RIFFLE_CHOOSE_NEON HWY_CHOOSE_NEON
#else
#define RIFFLE_KERNEL_TARGETS 0
#define RIFFLE_CHOOSE_NEON(x) nullptr
#endif

namespace riffle::inline v0::kernel {

/// Returns the name of a target, as in RIFFLE_KERNEL.
constexpr const char* kernel_name(std::int64_t target) {
  switch (target) {
    case HWY_SSSE3:
      return "ssse3";
    case HWY_SSE4:
      return "sse4";
    case HWY_AVX2:
      return "avx2";
    case HWY_AVX3:
      return "avx512";
    default:
      return "neon";
  }
}

}  // namespace riffle::inline v0::kernel
