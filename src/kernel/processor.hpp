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

/// Returns whether it is one of Intel's server cores from Skylake to Cooper Lake. They read ahead by
/// themselves within a page only, so a scan that keeps no order waits for four pages at once: on Cascade Lake
/// it took 0.71 of the time of one place after the other.
bool reads_ahead_within_a_page(const processor& on) noexcept;

/// Returns whether it is Sapphire or Emerald Rapids.
bool is_rapids(const processor& on) noexcept;

/// Returns whether it is AMD's Zen 5.
bool is_zen5(const processor& on) noexcept;

/// Returns whether it is another processor of Intel's.
bool is_other_intel(const processor& on) noexcept;

/// Returns the kind of processor on which the choice of SIMD kernels was measured, such as "AMD Zen 5";
/// null if `on` belongs to no such kind.
const char* measured_kind(const processor& on) noexcept;

/// What `./dev bench kernels` found fastest on these processors (docs/choosing.md). Each way of fetching that
/// a row names makes the walks of its group once more.
inline constexpr prefetching skylake_pages{.in_order = 2048, .in_places = 512, .pages = true};
inline constexpr fetching skylake{.places = skylake_pages,
                                  .rows = skylake_pages,
                                  .counts = skylake_pages,
                                  .words = skylake_pages,
                                  .utf8 = {}};
inline constexpr prefetching rapids_pages{.in_order = 4096, .in_places = 1024, .pages = true};
inline constexpr fetching rapids{.places = rapids_pages,
                                 .rows = rapids_pages,
                                 .counts = rapids_pages,
                                 .words = rapids_pages,
                                 .utf8 = rapids_pages};
inline constexpr prefetching two_kib_ahead{.in_order = 2048, .in_places = 2048};
inline constexpr fetching other_intel{
    .places = two_kib_ahead, .rows = two_kib_ahead, .counts = two_kib_ahead, .words = {}, .utf8 = {}};
inline constexpr fetching zen5{.places = {.in_order = 8192},
                               .rows = rapids_pages,
                               .counts = {.in_places = 4096},
                               .words = {.in_places = 8192},
                               .utf8 = {.in_order = 8192, .joined = true}};

}  // namespace riffle::inline v0::kernel
