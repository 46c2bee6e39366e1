/// Compiles the tool's SIMD kernels once for each instruction set, as src/kernel/simd.cpp does the library's,
/// and finds those for the instruction set that the library chose.
#include "kernel/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cli/kernel/simd.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, which sets the target that this header depends on.
#include <hwy/highway.h>

#include "cli/kernel/kernels.hpp"
#include "kernel/processor.hpp"

#if HWY_TARGET & RIFFLE_KERNEL_TARGETS
#include "kernel/vector-inl.hpp"
// These use it.
#include "cli/kernel/between-inl.hpp"
#include "cli/kernel/line_starts-inl.hpp"
#include "cli/kernel/min_max-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace riffle::cli::kernel::HWY_NAMESPACE {

inline constexpr table kernels = {
    .name = riffle::kernel::kernel_name(HWY_TARGET),
    .count_between = count_between,
    .min_max = {find_min_max<std::int8_t>, find_min_max<std::uint8_t>, find_min_max<std::int16_t>,
                find_min_max<std::uint16_t>, find_min_max<std::int32_t>, find_min_max<std::uint32_t>,
                find_min_max<std::int64_t>, find_min_max<std::uint64_t>, find_min_max<float>,
                find_min_max<double>},
    .count_line_starts = count_line_starts,
};

}  // namespace riffle::cli::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

#if HWY_ONCE
namespace riffle::cli::kernel {

std::span<const table* const> simd_tables() noexcept {
  static constexpr const table* tables[] = {HWY_CHOOSE_AVX3(kernels), HWY_CHOOSE_AVX2(kernels),
                                            HWY_CHOOSE_SSE4(kernels), HWY_CHOOSE_SSSE3(kernels),
                                            RIFFLE_CHOOSE_NEON(kernels)};
  return tables;
}

const table& beside(const riffle::kernel::table& library) noexcept {
  const std::string_view name = library.instructions;
  for (const table* const compiled : simd_tables()) {
    if (compiled != nullptr && compiled->name == name) return *compiled;
  }
  return scalar();
}

const table& active() noexcept {
  static const table& chosen = beside(riffle::kernel::active());
  return chosen;
}

}  // namespace riffle::cli::kernel
#endif
