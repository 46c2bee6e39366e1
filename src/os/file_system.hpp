/// Names the file system of a file, and the properties that the choice of a method depends on.
#pragma once

#include <string>
#include <string_view>

#include "os/file.hpp"

namespace riffle::os {

/// Returns the name of the file system that holds the file: "ext4", "tmpfs", "proc"; empty if it is unknown.
std::string file_system_of(const file& file);

/// Returns whether a file system of that name keeps its files in memory only.
bool in_memory(std::string_view file_system) noexcept;
/// Returns whether another machine or another program serves its reads.
bool served_elsewhere(std::string_view file_system) noexcept;
/// Returns whether the page cache holds the pages of its files under another file.
bool is_layered(std::string_view file_system) noexcept;

/// Returns whether MADV_POPULATE_READ works (Linux 5.14). It is tried once.
bool can_populate();

}  // namespace riffle::os
