/// What a processor, and the system on it, offer to the SIMD kernels, and how they fetch memory on its kind.
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
