/// Looks at the machine: its facts, and the page faults of a mapping.
#pragma once

#include <filesystem>
#include <optional>

#include "bench/data/report.hpp"

namespace riffle::bench {

/// The facts of this machine and of the file system that holds `input`, a file or a directory.
machine this_machine(const std::filesystem::path& input);

/// Returns the faults per MiB of a mapping of the file, walked page by page, which show the size of its
/// folios: the OS kernel maps what lies around a fault too, and MADV_RANDOM does not stop it (Linux 6.18).
/// 256 or 16: pages of 4 KiB, one by one or around the fault. 0.5: large folios, mapped by huge entries.
/// Reads the file, or its first 64 MiB. Returns nothing if the file cannot be mapped.
std::optional<double> faults_per_mib(const std::filesystem::path& file);

}  // namespace riffle::bench
