/// Why this file exists: it asks the system, the compiler and the library for their facts.
#include "machine.hpp"

#include <riffle/kernels.hpp>
#include <riffle/methods.hpp>

#include "os/facts.hpp"
#include "os/machine.hpp"
#include "os/stream.hpp"

namespace riffle::bench {

namespace {

#if defined(__clang__)
constexpr const char* compiler = "clang " __clang_version__;
#elif defined(__GNUC__)
constexpr const char* compiler = "g++ " __VERSION__;
#else
constexpr const char* compiler = "unknown compiler";
#endif

std::string file_system(const std::filesystem::path& path) {
  std::string name = os::file_system_of(os::file::open(path));
  return name.empty() ? "an unknown file system" : name;
}

std::string active_kernel() {
  for (const kernel_info& kernel : kernels()) {
    if (kernel.active) return std::string(kernel.name);
  }
  return "unknown";
}

}  // namespace

machine this_machine(const std::filesystem::path& input) {
  return {.processor = os::processor_name(),
          .processors = os::processor_count(),
          .memory = os::memory_size(),
          .kernel = os::kernel_release(),
          .file_system = file_system(input),
          .compiler = compiler,
          .version = std::string(version()),
          .active_kernel = active_kernel()};
}

bool on_terminal(std::FILE* stream) {
  return os::is_terminal(stream);
}

}  // namespace riffle::bench
