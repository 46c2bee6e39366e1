/// The few calls on descriptors that tests make themselves; a folder for each platform has them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

namespace riffle::test {

/// The path of the device that has no bytes.
extern const char* const null_device;

/// Return a new descriptor, or -1 with errno. `open_to_write` neither makes the file nor cuts it.
int open_to_read(const std::filesystem::path& path);
int open_to_write(const std::filesystem::path& path);

void close_descriptor(int descriptor);

/// Writes some of the bytes. Returns their number; -1 with errno if there is no reader or no room.
std::ptrdiff_t write_some(int descriptor, std::string_view bytes);

/// Moves a descriptor to an offset from the start. Returns the offset, or -1 with errno.
std::int64_t move_to(int descriptor, std::int64_t offset);
/// Returns where a descriptor stands, or -1 with errno.
std::int64_t position_of(int descriptor);

/// Lets a read or write of a pipe that would wait fail instead. Returns whether it could.
bool never_wait(int pipe);

/// Return the two ends of what not every system has as descriptors; nothing if this one has none.
std::optional<std::pair<int, int>> make_sockets();
std::optional<std::pair<int, int>> make_terminal();  // where keys are typed, and where a program reads them
/// Makes a pipe with a path. Returns false if this system has none.
bool make_fifo(const std::filesystem::path& path);
/// Returns how many bytes a pipe holds, and changes that; nothing if the system does not say or refuses.
std::optional<int> capacity_of(int pipe);
bool set_capacity(int pipe, int bytes);

/// Bounds the addresses of this process. Returns whether it could.
bool bound_addresses(std::size_t bytes);

/// Returns the reading and the writing end of a pipe. A write without a
/// reader is an error and no signal from then on. Throws std::system_error.
std::pair<int, int> make_pipe();

}  // namespace riffle::test
