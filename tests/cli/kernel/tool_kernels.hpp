/// Lists the tool's tables of SIMD kernels for the instruction sets that this processor has.
#ifndef RIFFLE_TESTS_CLI_KERNEL_TOOL_KERNELS_HPP
#define RIFFLE_TESTS_CLI_KERNEL_TOOL_KERNELS_HPP

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cli/kernel/kernels.hpp"

namespace riffle::test {

inline std::vector<const cli::kernel::table*> tool_kernels() {
  std::vector<const cli::kernel::table*> tables;
  for (const kernel::table* const library : kernel::available()) {
    tables.push_back(&cli::kernel::beside(*library));
  }
  return tables;
}

inline std::string name_of_kernel(const testing::TestParamInfo<const cli::kernel::table*>& tested) {
  return tested.param->name;
}

}  // namespace riffle::test

#endif
