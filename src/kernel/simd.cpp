/// Compiles the SIMD kernels once for each instruction set: Highway includes this file again for each. The
/// end lists the tables.

#include "kernel/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/simd.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, which sets the target that this header depends on.
#include <hwy/highway.h>

#include "kernel/kernels.hpp"
#include "kernel/processor.hpp"
#include "kernel/simd.hpp"

#if HWY_TARGET & RIFFLE_KERNEL_TARGETS
#include "kernel/count-inl.hpp"
#include "kernel/match-inl.hpp"
#include "kernel/match_batch-inl.hpp"
#include "kernel/match_rows-inl.hpp"
#include "kernel/reverse-inl.hpp"
#include "kernel/sum-inl.hpp"
#include "kernel/utf8-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace riffle::inline v0::kernel::HWY_NAMESPACE {

/// Scans that keep no order take four `pages` side by side, or four places that follow each other.
template <bool pages>
constexpr table kernels_named(const char* name) {
  return {
      .name = name,
      .match_byte = match_byte<pages>,
      .match_set = match_set<pages>,
      .match_delimiter = match_delimiter<pages>,
      .match_word_edges = match_word_edges<pages>,
      .match_rows = match_rows<pages>,
      .match_quoted_rows = match_quoted_rows<pages>,
      .count_byte = count_byte<pages>,
      .count_set = count_set<pages>,
      .count_words = count_words<pages>,
      .count_utf8 = count_utf8<pages>,
      .valid_utf8 = valid_utf8,
      .sum_i8 = sum<std::int8_t, pages>,
      .sum_u8 = sum<std::uint8_t, pages>,
      .sum_i16 = sum<std::int16_t, pages>,
      .sum_u16 = sum<std::uint16_t, pages>,
      .sum_i32 = sum<std::int32_t, pages>,
      .sum_u32 = sum<std::uint32_t, pages>,
      .sum_i64 = sum<std::int64_t, pages>,
      .sum_u64 = sum<std::uint64_t, pages>,
      .add_f32 = add<float>,
      .add_f64 = add<double>,
      .reverse_16 = reverse<2>,
      .reverse_32 = reverse<4>,
      .reverse_64 = reverse<8>,
  };
}

inline constexpr table kernels = kernels_named<false>(kernel_name(HWY_TARGET));
#if HWY_TARGET == HWY_AVX2
inline constexpr table kernels_by_pages = kernels_named<true>("avx2_pages");
#endif

}  // namespace riffle::inline v0::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#include "kernel/next_target-inl.hpp"
#endif

#if HWY_ONCE
namespace riffle::inline v0::kernel {

// HWY_CHOOSE_X(name) is the address of `name` in target X, or null if X is not compiled.
#if HWY_ARCH_X86
bool runs_ssse3() {
  return features().ssse3;
}
bool runs_sse4() {
  return features().sse4;
}
bool runs_avx2() {
  return features().avx2;
}
bool runs_avx512() {
  return features().avx512;
}
// The first processors with AVX-512, which lack VBMI2, lower their clock for it, also for the caller's own
// code. See the figures for Cascade Lake in docs/tried.md.
bool fast_avx512() {
  return features().vbmi2;
}
bool always() {
  return true;
}

constexpr simd_table tables[] = {{runs_avx512, fast_avx512, HWY_CHOOSE_AVX3(kernels)},
                                 {runs_avx2, reads_ahead_within_a_page, HWY_CHOOSE_AVX2(kernels_by_pages)},
                                 {runs_avx2, always, HWY_CHOOSE_AVX2(kernels)},
                                 {runs_sse4, always, HWY_CHOOSE_SSE4(kernels)},
                                 {runs_ssse3, always, HWY_CHOOSE_SSSE3(kernels)}};
#elif HWY_ARCH_ARM_A64
bool always() {
  return true;
}
constexpr simd_table tables[] = {{always, always, RIFFLE_CHOOSE_NEON(kernels)}};
#else
constexpr std::span<const simd_table> tables;
#endif

std::span<const simd_table> simd_tables() {
  return tables;
}

}  // namespace riffle::inline v0::kernel
#endif
