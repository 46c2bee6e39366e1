/// Which SIMD kernels there are, and which is used, can be asked (`riffle methods` prints it).
#ifndef RIFFLE_KERNELS_HPP
#define RIFFLE_KERNELS_HPP

#include <riffle/export.hpp>

#include <string_view>
#include <vector>

namespace riffle::inline v0 {

/// One implementation of the functions in scan.hpp and sum.hpp,
/// for one instruction set. All give the same answers.
struct kernel_info {
  std::string_view name;  ///< "avx512", "avx2", "sse4", "ssse3", "neon" or "scalar"; valid for ever
  bool active;            ///< the one that is used; true for exactly one
};

/// Returns the kernels that this processor can run, best first, "scalar" last. The best one is used, unless
/// the environment variable RIFFLE_KERNEL names another one when a kernel is first used.
///
/// Throws `riffle::error` (errc::invalid_argument), which lists the names, if RIFFLE_KERNEL names none of
/// them: the best one is then used. A program that wants to know calls this before it reads anything.
[[nodiscard]] RIFFLE_API std::vector<kernel_info> kernels();

}  // namespace riffle::inline v0

#endif
