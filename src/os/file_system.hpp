/// The names of file systems, all in one place, and what reading depends on them for.
#ifndef RIFFLE_OS_FILE_SYSTEM_HPP
#define RIFFLE_OS_FILE_SYSTEM_HPP

#include <string>
#include <string_view>

#include "os/file.hpp"

namespace riffle::os {

/// The name of the file system that holds the file: "ext4", "tmpfs", "proc"; empty where it cannot be told.
std::string file_system_of(const file& file);

/// Whether a file system of that name keeps its files in memory and nowhere else.
bool in_memory(std::string_view file_system) noexcept;
/// Whether reads of it are answered by another machine or another program.
bool served_elsewhere(std::string_view file_system) noexcept;
/// Whether the pages of its files lie in the page cache under another file.
bool is_layered(std::string_view file_system) noexcept;

/// Whether MADV_POPULATE_READ works (Linux 5.14). Asked once.
bool can_populate();

}  // namespace riffle::os

#endif
