/// Why this file exists: it asks the system, the compiler and the library for their facts.
#include "machine.hpp"

#include <riffle/kernels.hpp>
#include <riffle/methods.hpp>

#include "os/machine.hpp"

namespace riffle::bench {

namespace {

#if defined(__clang__)
constexpr const char* compiler = "clang " __clang_version__;
#elif defined(__GNUC__)
constexpr const char* compiler = "g++ " __VERSION__;
#else
constexpr const char* compiler = "unknown compiler";
#endif

std::string active_kernel() {
  for (const kernel_info& kernel : kernels()) {
    if (kernel.active) return std::string(kernel.name);
  }
  return "unknown";
}

}  // namespace

machine this_machine(const std::filesystem::path& input) {
  return {os::processor_name(),        os::processor_count(),
          os::memory_size(),           os::kernel_release(),
          os::file_system_name(input), compiler,
          std::string(version()),      active_kernel()};
}

}  // namespace riffle::bench
