/// What a processor, and the system on it, offer to the SIMD kernels, and what was measured on its kind.
#pragma once

#include <riffle/version.hpp>

#include "kernel/prefetching.hpp"

namespace riffle::inline v0::kernel {

enum class vendor { other, intel, amd };

/// Describes an x86 processor; another one has none of this. Each instruction set has the one before it too.
struct processor {
  vendor made_by = vendor::other;
  unsigned family = 0;
  unsigned model = 0;
  bool ssse3 = false;
  bool sse4 = false;    ///< with carry-less products and AES, as Highway assumes
  bool avx2 = false;    ///< with BMI, FMA and F16C
  bool avx512 = false;  ///< F, VL, DQ and BW
  bool vbmi2 = false;   ///< AVX-512 that does not lower the clock
};

/// Returns the processor at hand, which is asked once.
processor this_processor() noexcept;

/// Returns whether scans are to fetch four pages side by side (`by_pages`). Intel's server cores from Skylake
/// to Cooper Lake read ahead by themselves within a page only, so a scan that keeps no order waits for four
/// pages at once: on Cascade Lake it took 0.71 of the time of one place after the other. On Emerald Rapids it
/// took 1.00 from memory and 1.14 from the cache, on AMD's Zen 5 1.35 (docs/tried.md).
bool reads_ahead_within_a_page(const processor& on) noexcept;

/// Returns whether scans are to prefetch `ahead`: on Intel's other processors. On a Xeon with VBMI2, quoted
/// CSV is 2.9x as fast with it, lines of 10 bytes 1.8x. On AMD's Zen 4 and 5 every
/// distance was slower (docs/tried.md).
bool gains_by_prefetching(const processor& on) noexcept;

/// Returns the kind of processor on which the choice of SIMD kernels was measured, such as "AMD Zen 4 and 5";
/// null if `on` belongs to no such kind, and gets what the newest measured kind of its vendor has.
const char* measured_kind(const processor& on) noexcept;

/// The distances that these processors gained by.
inline constexpr prefetching by_pages{.in_order = 2048, .in_places = 512, .pages = true};
inline constexpr prefetching ahead{.in_order = 2048, .in_places = 2048};

}  // namespace riffle::inline v0::kernel
