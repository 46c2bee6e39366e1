/// What tests ask of the system: descriptors, children that cannot take a limit back, and processes left
/// behind.
#pragma once

#include <riffle/methods.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace riffle::test {

/// The base of what is neither copied nor moved.
struct not_copied {
  not_copied() = default;
  not_copied(const not_copied&) = delete;
  not_copied& operator=(const not_copied&) = delete;
};

/// From now on the test program becomes the parent of processes whose own parent ends before them, if the
/// system can do that.
void adopt_orphans();

/// Waits for the orphans whose environment has this variable, "name=value", for at most some seconds, and
/// then kills them. Returns the command lines of those that it killed, one a line.
std::string end_orphans(const std::string& marked);

/// The path of the device that has no bytes.
extern const char* const null_device;

/// Return a new descriptor, or -1 with errno. `open_to_write` neither makes the file nor cuts it.
int open_to_read(const std::filesystem::path& path);
int open_to_write(const std::filesystem::path& path);

void close_descriptor(int descriptor);

/// Reads some bytes. Returns their number, 0 at the end, or -1 with errno.
std::ptrdiff_t read_some(int descriptor, std::span<char> into);
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

/// Bounds the addresses of this process. Returns whether it could.
bool bound_addresses(std::size_t bytes);

/// Returns the reading and the writing end of a pipe. A write without a
/// reader is an error and no signal from then on. Throws std::system_error.
std::pair<int, int> make_pipe();

/// Runs `f` in a child, which has all that this process has open, may take a while, and exits without any
/// destructor; returns what `f` returns, or how it died.
std::string in_child(const std::function<std::string()>& f);

/// Gives `code` for every system call of that number in this process from now on. Returns whether it can.
bool refuse_call(long number, int code);

/// Returns why RLIMIT_AS limits no addresses here; nothing if it does.
std::optional<std::string> refusal_of_address_limits();

/// Returns why madvise(2) cannot fault pages in here; nothing if it can.
std::optional<std::string> refusal_of_populate();

/// The same, if a method needs it: a page that is lost behind a window of `mmap` is else known only when its
/// bytes have been handed out.
inline std::optional<std::string> refusal_of_populate(method used) {
  return used == method::mmap ? refusal_of_populate() : std::nullopt;
}

}  // namespace riffle::test
