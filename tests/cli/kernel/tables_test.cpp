/// The tool has SIMD kernels for every instruction set of the library, and uses those of the library's
/// choice.
#include <gtest/gtest.h>

#include <string_view>

#include "cli/kernel/kernels.hpp"
#include "kernel/simd.hpp"

namespace riffle::test {
namespace {

// Also those that this processor does not run.
TEST(tool_kernels, are_compiled_for_each_instruction_set_of_the_library) {
  for (const kernel::simd_table& compiled : kernel::simd_tables()) {
    if (compiled.kernels == nullptr) continue;
    EXPECT_EQ(cli::kernel::beside(*compiled.kernels).name, std::string_view(compiled.kernels->name));
  }
  EXPECT_EQ(&cli::kernel::beside(kernel::scalar()), &cli::kernel::scalar());
}

TEST(tool_kernels, are_those_beside_the_kernels_of_the_library) {
  EXPECT_EQ(cli::kernel::active().name, std::string_view(kernel::active().name));
}

}  // namespace
}  // namespace riffle::test
