/// Parses the OS kernel's texts about the machine. Tests give them texts of other machines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace riffle::os {

// All give an empty text, or 0, for what they do not understand.

/// The file's text without white space at its end; empty if it cannot be read.
std::string text_of_file(const std::filesystem::path& path);
/// The value in the first line "name : value" of a text such as /proc/cpuinfo, without white space around it.
std::string field_of(std::string_view text, std::string_view name);
/// "16384 kB", "32K", "1M" in bytes.
std::uint64_t bytes_of(std::string_view size);
/// The number that is the word with this index, from 0: of "cpu  10 20", 20 has the index 2.
double number_at(std::string_view text, std::size_t index);

/// "L1d 32 KiB" of "1", "Data", "32K"; "L3 35.8 MiB" of "3",
/// "Unified", "36608K". Empty for a cache of instructions.
std::string cache_text(std::string_view level, std::string_view type, std::string_view size);

}  // namespace riffle::os
