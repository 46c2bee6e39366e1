/// Why this file exists: the facts that stand above every result.
#ifndef RIFFLE_BENCH_MACHINE_HPP
#define RIFFLE_BENCH_MACHINE_HPP

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>

namespace riffle::bench {

struct machine {
  std::string processor;
  unsigned processors = 0;
  std::uint64_t memory = 0;  // bytes
  std::string kernel;
  std::string file_system;  // that holds the input
  std::string compiler;
  std::string version;        // of riffle
  std::string active_kernel;  // the SIMD instruction set that riffle's kernels use
};

/// The facts of this machine and of the file system that holds `input`.
machine this_machine(const std::filesystem::path& input);

/// Whether the stream is a terminal, where progress may be shown.
bool on_terminal(std::FILE* stream);

}  // namespace riffle::bench

#endif
