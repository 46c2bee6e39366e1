/// The SIMD kernel that counts bits between others.

#include "cli/kernel/kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace riffle::cli::kernel::HWY_NAMESPACE {

using namespace riffle::kernel::HWY_NAMESPACE;

inline std::size_t count_between(const std::uint64_t* bits, const std::uint64_t* ends, std::size_t words,
                                 std::uint32_t* counts) {
  std::size_t found = 0;
  std::size_t open = 0;  // bits after the last end
  for (std::size_t i = 0; i < words; ++i) {
    std::uint64_t left = bits[i];
    for (std::uint64_t end = ends[i]; end != 0; end &= end - 1) {
      const std::uint64_t part = end ^ (end - 1);
      counts[found++] = static_cast<std::uint32_t>(open + hwy::PopCount(left & part));
      left &= ~part;
      open = 0;
    }
    open += hwy::PopCount(left);
  }
  counts[found] = static_cast<std::uint32_t>(open);
  return found;
}

}  // namespace riffle::cli::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
