/// Measures what the machine can do at most, with memory and files of its own; and the work of the limits,
/// which the limits that run beside contenders do too.
#ifndef RIFFLE_BENCH_HOST_LIMITS_HPP
#define RIFFLE_BENCH_HOST_LIMITS_HPP

#include <array>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <riffle/options.hpp>
#include <string_view>

#include "bench/data/limits.hpp"
#include "bench/host/clock.hpp"

namespace riffle::bench {

/// Memory on huge pages where the system has them, so that nothing but the memory limits a scan.
class huge_memory {
 public:
  explicit huge_memory(std::size_t size);
  [[nodiscard]] char* data() const noexcept { return memory_.get(); }

 private:
  struct release {
    std::size_t size;
    std::size_t alignment;
    void operator()(char* memory) const noexcept;
  };
  std::unique_ptr<char, release> memory_;
};

/// Copies memory into a buffer of 256 KiB, as read(2) would by a system call that costs nothing.
void copy_as_read(std::string_view bytes);

/// The block sizes and queue depths by which a device is tried.
inline constexpr std::array<read_options, 5> device_tries{
    {{.method = method::direct, .block_size = 1 << 20, .queue_depth = 32},
     {.method = method::direct, .block_size = 256 << 10, .queue_depth = 32},
     {.method = method::direct, .block_size = 256 << 10, .queue_depth = 128},
     {.method = method::direct, .block_size = 1 << 20, .queue_depth = 8},
     {.method = method::direct, .block_size = 4 << 20, .queue_depth = 8}}};

/// Reads a file from its start, for a quarter of a second at most. Returns the bytes; fewer if interrupted.
double read_for_a_moment(const std::filesystem::path& file, const read_options& reading);

/// Measures them, with files made in `directory`, which is on the device in question. Takes about `seconds`.
/// Whatever the system refuses stays empty. It ends early once a signal was noted (os::interrupted).
limits measure_limits(const std::filesystem::path& directory, const clock& now, double seconds = 3);

}  // namespace riffle::bench

#endif
