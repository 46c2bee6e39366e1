/// The facts that stand beside every result, as speeds without them say little.
#ifndef RIFFLE_BENCH_HOST_MACHINE_HPP
#define RIFFLE_BENCH_HOST_MACHINE_HPP

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace riffle::bench {

/// Text is empty, and numbers 0, where the system does not tell.
struct machine {
  std::string processor = {};
  unsigned processors = 0;                    // that this process may run on
  unsigned processors_online = 0;             // of the machine
  std::vector<std::string> caches = {};       // "L1d 32 KiB", "L2 1 MiB", "L3 35.8 MiB"
  std::uint64_t memory = 0;                   // bytes
  std::uint64_t memory_available = 0;         // bytes, as the run began
  std::string os_release = {};                // "Linux 6.18.0"
  std::vector<std::string> mitigations = {};  // those that cost time, as the kernel names them
  std::string virtualisation = {};            // "KVM"; "none" where it looks like real hardware
  std::string huge_pages = {};                // the setting of transparent huge pages: "madvise"
  std::string governor = {};                  // of the processor's frequency: "performance"
  std::string file_system = {};               // that holds the input: "ext4"
  std::string mount_options = {};             // "rw,relatime"
  std::string device = {};                    // the block device: "vda (virtio, not rotational)"
  std::uint64_t read_ahead = 0;               // bytes
  std::string compiler = {};                  // "g++ 12.2.0"
  std::string flags = {};                     // that riffle was compiled with: "-O3 -DNDEBUG"
  std::string version = {};                   // of riffle
  std::string active_kernel = {};             // the SIMD instruction set that riffle's kernels use
};

/// The facts of this machine and of the file system that holds `input`, a file or a directory.
machine this_machine(const std::filesystem::path& input);

/// Faults per MiB of a file that is walked in a mapping, page by page: the best sign of the folios it lies in
/// that anybody gets. 256 or 16: pages of 4 KiB, one by one or around the fault; 0.5: large folios, mapped by
/// huge entries. Reads the file, or its first 64 MiB. Nothing for what cannot be mapped.
std::optional<double> faults_per_mib(const std::filesystem::path& file);

/// What else goes on in the machine, so far.
struct conditions {
  double load = 0;            // tasks that want to run, over the last minute
  double stolen_seconds = 0;  // that the host took from this guest, since it started, over all processors
  double seconds = 0;         // since the machine started
};

conditions conditions_now();

/// The share of the processors' time between the two that the host took; 0 where no time has gone by.
double stolen_share(const conditions& before, const conditions& after, unsigned processors);

/// Nanoseconds between two ticks of a clock, as seen by asking it.
double tick_of(const std::function<std::int64_t()>& now);

}  // namespace riffle::bench

#endif
