/// Asks the system, the compiler and the library for their facts.
#include "bench/host/machine.hpp"

#include <riffle/error.hpp>
#include <riffle/kernels.hpp>
#include <riffle/methods.hpp>
#include <riffle/version.hpp>

#include <algorithm>
#include <array>
#include <utility>

#include "bench/host/os/machine.hpp"
#include "bench/host/os/usage.hpp"
#include "os/mapping.hpp"

namespace riffle::bench {

namespace {

#if defined(__clang__)
constexpr const char* compiler = "clang " __clang_version__;
#elif defined(__GNUC__)
constexpr const char* compiler = "g++ " __VERSION__;
#else
constexpr const char* compiler = "unknown compiler";
#endif

// An input that cannot be opened is someone else's error to report.
os::storage storage_of(const std::filesystem::path& input) {
  try {
    return os::storage_of(os::file::open(input));
  } catch (const error&) {
    return {};
  }
}

}  // namespace

machine this_machine(const std::filesystem::path& input) {
  os::storage place = storage_of(input);
  return {.processor = os::processor_name(),
          .processors = os::processor_count(),
          .processors_online = os::processors_online(),
          .caches = os::cache_sizes(),
          .memory_available = os::memory_available(),
          .os_release = os::os_release(),
          .governor = os::frequency_governor(),
          .file_system = std::move(place.file_system),
          .device = std::move(place.device),
          .read_ahead = place.read_ahead,
          .compiler = compiler,
          .flags = RIFFLE_FLAGS,
          .version = std::string(version()),
          .active_kernel = riffle::active_kernel().description};
}

std::optional<double> faults_per_mib(const std::filesystem::path& file) {
  constexpr std::uint64_t most = 64 << 20;
  try {
    const os::file input = os::file::open(file);
    const auto size = static_cast<std::size_t>(std::min(input.status().size, most));
    if (size == 0) return std::nullopt;
    // Read first: a page that has to be fetched is a fault of another kind, and is missing from the count.
    std::array<char, 16 << 10> piece;
    for (std::uint64_t offset = 0; offset < size;) {
      const std::size_t count = input.read_at(piece, offset);
      if (count == 0) break;
      offset += count;
    }
    const os::mapping pages(input, 0, size, os::protection::read, {.populate = false}, true);
    const volatile char* const bytes = pages.bytes().data();
    const double before = os::usage_so_far().minor_faults;
    for (std::size_t at = 0; at < size; at += os::page_size()) static_cast<void>(bytes[at]);
    return (os::usage_so_far().minor_faults - before) / (static_cast<double>(size) / (1 << 20));
  } catch (const error&) {
    return std::nullopt;
  }
}

}  // namespace riffle::bench
