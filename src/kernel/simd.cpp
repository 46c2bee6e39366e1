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

#if HWY_TARGET & RIFFLE_KERNEL_TARGETS
// Files that end in -inl.hpp have no include guards: each target includes them once, here.
#include "kernel/vector-inl.hpp"
// These use it.
#include "kernel/count-inl.hpp"
#include "kernel/find-inl.hpp"
#include "kernel/match-inl.hpp"
#include "kernel/match_rows-inl.hpp"
#include "kernel/utf8-inl.hpp"
#include "kernel/values-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace riffle::inline v0::kernel::HWY_NAMESPACE {

template <prefetching by>
inline constexpr place_walks places{.match_byte = match_byte<by>,
                                    .match_set = match_set<by>,
                                    .match_delimiter = match_delimiter<by>,
                                    .match_word_edges = match_word_edges<by>,
                                    .find_text = find_text<by>};
template <prefetching by>
inline constexpr row_walks rows{.match_rows = match_rows<by>, .match_quoted_rows = match_quoted_rows<by>};
template <prefetching by>
inline constexpr count_walks counts{.count_byte = count_byte<by>,
                                    .count_set = count_set<by>,
                                    .count_utf8 = count_utf8<by>,
                                    .sum_i8 = sum<std::int8_t, by>,
                                    .sum_u8 = sum<std::uint8_t, by>,
                                    .sum_i16 = sum<std::int16_t, by>,
                                    .sum_u16 = sum<std::uint16_t, by>,
                                    .sum_i32 = sum<std::int32_t, by>,
                                    .sum_u32 = sum<std::uint32_t, by>,
                                    .sum_i64 = sum<std::int64_t, by>,
                                    .sum_u64 = sum<std::uint64_t, by>};
template <prefetching by>
inline constexpr word_walks words{.count_words = count_words<by>,
                                  .count_words_of_set = count_words_of_set<by>};
template <prefetching by>
inline constexpr utf8_walks utf8{.count_words_utf8 = count_words_utf8<by>, .valid_utf8 = valid_utf8<by>};
inline constexpr other_walks others{.find_wide_line = find_wide_line,
                                    .add_f32 = add<float>,
                                    .add_f64 = add<double>,
                                    .reverse_16 = reverse<2>,
                                    .reverse_32 = reverse<4>,
                                    .reverse_64 = reverse<8>};

template <fetching by>
constexpr table kernels_named(const char* name) {
  return {places<by.places>,
          rows<by.rows>,
          counts<by.counts>,
          words<by.words>,
          utf8<by.utf8>,
          others,
          name,
          kernel_name(HWY_TARGET),
          by};
}

inline constexpr table kernels = kernels_named<fetching{}>(kernel_name(HWY_TARGET));
#if HWY_TARGET == HWY_AVX2
inline constexpr table kernels_by_pages = kernels_named<skylake>("avx2_pages");
inline constexpr table kernels_ahead = kernels_named<other_intel>("avx2_ahead");
#elif HWY_TARGET == HWY_AVX3
inline constexpr table kernels_by_pages = kernels_named<rapids>("avx512_pages");
inline constexpr table kernels_far = kernels_named<zen5>("avx512_far");
inline constexpr table kernels_ahead = kernels_named<other_intel>("avx512_ahead");
#endif

}  // namespace riffle::inline v0::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

#if HWY_ONCE
namespace riffle::inline v0::kernel {

[[maybe_unused]] bool always(const processor& /*on*/) {
  return true;
}

// HWY_CHOOSE_X(name) is the address of `name` in target X, or null if X is not compiled.
#if HWY_ARCH_X86
bool runs_ssse3(const processor& on) {
  return on.ssse3;
}
bool runs_sse4(const processor& on) {
  return on.sse4;
}
bool runs_avx2(const processor& on) {
  return on.avx2;
}
bool runs_avx512(const processor& on) {
  return on.avx512;
}
// The first processors with AVX-512, which lack VBMI2, lower their clock for it, also for the caller's own
// code. See the figures for Cascade Lake in docs/tried.md.
bool fast_avx512(const processor& on) {
  return on.vbmi2;
}
template <bool (*is_of_row)(const processor&)>
bool fast_on(const processor& on) {
  return on.vbmi2 && is_of_row(on);
}
bool gains_by_avx2_ahead(const processor& on) {
  return is_other_intel(on) || is_rapids(on);
}

constexpr simd_table tables[] = {{runs_avx512, fast_on<is_rapids>, HWY_CHOOSE_AVX3(kernels_by_pages)},
                                 {runs_avx512, fast_on<is_zen5>, HWY_CHOOSE_AVX3(kernels_far)},
                                 {runs_avx512, fast_on<is_other_intel>, HWY_CHOOSE_AVX3(kernels_ahead)},
                                 {runs_avx512, fast_avx512, HWY_CHOOSE_AVX3(kernels)},
                                 {runs_avx2, reads_ahead_within_a_page, HWY_CHOOSE_AVX2(kernels_by_pages)},
                                 {runs_avx2, gains_by_avx2_ahead, HWY_CHOOSE_AVX2(kernels_ahead)},
                                 {runs_avx2, always, HWY_CHOOSE_AVX2(kernels)},
                                 {runs_sse4, always, HWY_CHOOSE_SSE4(kernels)},
                                 {runs_ssse3, always, HWY_CHOOSE_SSSE3(kernels)}};
#elif HWY_ARCH_ARM_A64
constexpr simd_table tables[] = {{always, always, RIFFLE_CHOOSE_NEON(kernels)}};
#else
constexpr std::span<const simd_table> tables;
#endif

std::span<const simd_table> simd_tables() {
  return tables;
}

}  // namespace riffle::inline v0::kernel
#endif
