/// What the system can tell about a file and about itself, for the automatic choice.
#ifndef RIFFLE_OS_FILE_SYSTEM_HPP
#define RIFFLE_OS_FILE_SYSTEM_HPP

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "os/file.hpp"

namespace riffle::os {

/// The name of the file system that holds the file: "ext4", "tmpfs", "proc"; empty where it cannot be told.
std::string file_system_of(const file& of);

/// Whether a file system of that name keeps its files in memory and nowhere else.
bool in_memory(std::string_view file_system) noexcept;

/// The share of a file's first `size` bytes that is in the page cache, 0 to 1; nothing where it cannot be
/// told. Looks at eight samples of it; page_cache.hpp looks at every page.
std::optional<double> resident_share(const file& of, std::uint64_t size);

/// Whether MADV_POPULATE_READ works (Linux 5.14). Asked once.
bool can_populate();

}  // namespace riffle::os

#endif
