/// The facts and limits of the machine, as speeds without them say little.
#ifndef RIFFLE_BENCH_DATA_MACHINE_HPP
#define RIFFLE_BENCH_DATA_MACHINE_HPP

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace riffle::bench {

/// Text is empty, and numbers 0, if the OS does not tell.
struct machine {
  std::string processor = {};
  unsigned processors = 0;                    // that this process may run on
  unsigned processors_online = 0;             // of the machine
  std::vector<std::string> caches = {};       // "L1d 32 KiB", "L2 1 MiB", "L3 35.8 MiB"
  std::uint64_t memory = 0;                   // bytes
  std::uint64_t memory_available = 0;         // bytes, as the run began
  std::string os_release = {};                // "Linux 6.18.0"
  std::vector<std::string> mitigations = {};  // those that cost time, as the OS kernel names them
  std::string virtualisation = {};            // "KVM"; "none" if it looks like real hardware
  std::string governor = {};                  // of the processor's frequency: "performance"
  std::string file_system = {};               // that holds the input: "ext4"
  std::string device = {};                    // the block device: "vda (virtio, not rotational)"
  std::uint64_t read_ahead = 0;               // bytes
  std::string compiler = {};                  // "g++ 12.2.0"
  std::string flags = {};                     // that riffle was compiled with: "-O3 -DNDEBUG"
  std::string version = {};                   // of riffle
  std::string active_kernel = {};             // "avx2 kernels": the SIMD kernels that riffle uses
  friend bool operator==(const machine&, const machine&) = default;
};

/// What the machine can do at most with one thread, by the limits of all rounds; nothing if it was not
/// measured.
struct limits {
  std::optional<double> ram_scan = {};  // bytes a second: memory that is mapped, read once
  std::optional<double> ram_copy = {};  // bytes a second: memory copied into a buffer that stays in the cache
  std::optional<double> device = {};    // bytes a second: O_DIRECT, by the best of several deep queues
  friend bool operator==(const limits&, const limits&) = default;
};

}  // namespace riffle::bench

#endif
