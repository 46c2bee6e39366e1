/// Evicts files from the page cache.
#pragma once

#include "os/file.hpp"

namespace riffle::os {

/// Writes the changed pages of a file to the device. They stay in the cache. Failures are ignored.
void write_back(const file& file) noexcept;
/// Writes the changed pages of a file back, and asks the OS kernel to evict all its pages. Some may stay.
void evict(const file& file) noexcept;
/// Evicts all unchanged pages from the page cache of the machine. Returns false if that is not allowed: it
/// needs root, and not every container allows it.
bool evict_all_files() noexcept;

}  // namespace riffle::os
