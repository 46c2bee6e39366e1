/// The plain system calls of the published programs, each as its author would call it on this system.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string_view>

namespace riffle::os {

// A function that fails leaves errno.

/// Opens a file for reading its bytes as they are. Returns a descriptor, or -1.
int open_raw(const std::filesystem::path& path) noexcept;
void close_raw(int descriptor) noexcept;
/// The same for fread. Returns null if it fails.
std::FILE* open_raw_stream(const std::filesystem::path& path) noexcept;
std::optional<std::uint64_t> size_of_raw(int descriptor) noexcept;

/// Calls read(2) once. Returns the bytes read, perhaps fewer than asked for, 0 at the end, or -1.
std::ptrdiff_t read_raw(int descriptor, void* into, std::size_t size) noexcept;
/// Calls pread(2) once.
std::ptrdiff_t read_raw_at(int descriptor, void* into, std::size_t size, std::uint64_t offset) noexcept;

/// The madvise hints for a mapping. `joined`: as program 2 does, SEQUENTIAL | WILLNEED in one
/// call; advices are numbers, not bits, and that one is WILLNEED alone.
enum class map_hints : std::uint8_t { none, sequential_then_willneed, joined };

/// How a whole file is mapped: MAP_SHARED or MAP_PRIVATE, with MAP_POPULATE, and the hints.
struct map_how {
  bool shared = false;
  bool populate = false;
  map_hints hints = map_hints::none;
};

/// Maps a file, of which `size` is not 0. Returns a view without data if it fails.
std::string_view map_raw(int descriptor, std::size_t size, map_how how) noexcept;
void unmap_raw(std::string_view bytes) noexcept;

}  // namespace riffle::os
