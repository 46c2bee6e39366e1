/// The page faults of a mapping.
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

}  // namespace riffle::os

#endif
