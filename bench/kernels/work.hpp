/// What the race gives each SIMD kernel to do, as riffle's own loops do it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "cli/kernel/kernels.hpp"

namespace riffle::bench {

/// Holds the SIMD kernels of one name.
struct kernel_pair {
  explicit kernel_pair(const kernel::table& of) : library(of), tool(cli::kernel::beside(of)) {}
  const kernel::table& library;
  const cli::kernel::table& tool;
};

/// The walks that a row of processors chooses together, as kernel/kernels.hpp groups them.
enum class group : std::uint8_t { places, rows, counts, words, utf8, others };

/// Whether two tables have the very walks of a group.
bool same_walks(group of, const kernel_pair& one, const kernel_pair& other);

/// One task. What `run` returns is the same for every kernel.
struct kernel_work {
  const char* name;
  group walks;
  std::string (*text)(std::size_t size);
  std::uint64_t (*run)(const kernel_pair& by, std::string_view data);
};

/// Returns all tasks: those of the same text stand side by side.
std::span<const kernel_work> kernel_works();

}  // namespace riffle::bench
