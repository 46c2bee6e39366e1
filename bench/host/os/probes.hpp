/// The system calls with which the benchmark asks what the machine can do at most.
#ifndef RIFFLE_BENCH_HOST_OS_PROBES_HPP
#define RIFFLE_BENCH_HOST_OS_PROBES_HPP

#include <cstdint>

#include "os/file.hpp"

namespace riffle::os {

/// Maps the file's first `length` bytes, touches every page from front to back, and unmaps them again.
/// Returns how many minor faults this thread had meanwhile: one for 16 pages or so, as the OS kernel maps
/// what lies around a fault too; MADV_RANDOM does not stop it (seen on Linux 6.18). Throws `riffle::error`
/// for what cannot be mapped.
std::uint64_t faults_of_walk(const file& opened, std::size_t length);

/// Makes the cheapest system call so many times.
void call_system(unsigned times) noexcept;

/// Sends `bytes` through a pipe of 1 MiB, from another process to this one, 256 KiB at a time. False where
/// that cannot be done.
bool send_through_pipe(std::uint64_t bytes);

}  // namespace riffle::os

#endif
