/// What the files of this folder need, and each POSIX system does in its own way.
#pragma once

#include <signal.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>

namespace riffle::os {

/// Returns the result of `call`, made again as long as it is -1 and errno EINTR.
template <class Call>
auto uninterrupted(Call call) {
  while (true) {
    const auto result = call();
    if (result != -1 || errno != EINTR) return result;
  }
}

/// Returns whether errno says that a call is not allowed, by its file system or by a sandbox, which takes
/// either code.
constexpr bool forbidden(int code) noexcept {
  return code == EPERM || code == EACCES;
}

/// Opens the file of a descriptor again for reading past the page cache. Returns the descriptor, or -1 with
/// errno.
int reopen_direct(int descriptor) noexcept;

/// Returns whether its file system maps whole huge pages only (hugetlbfs). A call that asks for less then
/// replaces what is mapped after it, and cannot be undone in parts.
bool maps_huge_pages_only(int descriptor) noexcept;

/// Faults in pages for reading by one call (MADV_POPULATE_READ). Returns 0, or the errno that says that a
/// page is bad or memory is short. On an OS kernel that lacks the call (Linux before 5.14) it returns 0, and
/// only the fault guard finds bad pages.
int populate_for_reading(char* at, std::size_t length) noexcept;
/// Reserves the addresses again after a failed mmap(2) may have unmapped them, unless they are in use.
void reserve_again(char* at, std::size_t length) noexcept;

/// Makes a pipe, as pipe(2) does. No program that is started inherits its two ends.
int open_pipe(int (&ends)[2]) noexcept;

/// Returns when a file was last modified, in nanoseconds since 1970.
std::int64_t modified_at(const struct stat& facts) noexcept;

/// Discards what the buffer of a stream holds.
void discard_buffer(std::FILE* stream) noexcept;

/// Keeps this code in memory from now on, whatever dlclose(3) unloads, if its linker did not see to that.
void stay_loaded() noexcept;

/// Maps zeros over `length` bytes at `at` by one bare system call: it runs in a signal handler, and
/// sanitizers intercept mmap(2). Returns whether it worked. `protection` is that of mmap(2).
bool replace_by_zeros(void* at, std::size_t length, int protection) noexcept;
/// The same for all of a mapping, also where the OS kernel grants no more pieces.
bool replace_all_by_zeros(void* at, std::size_t length, int protection) noexcept;
/// Keeps mappings in reserve, which `replace_all_by_zeros` then gives up.
void keep_mappings_in_reserve() noexcept;

/// Returns how many bytes of a signal stack the OS kernel takes to call a handler.
std::size_t least_signal_stack() noexcept;

/// Returns whether a process sent a SIGBUS. Else a fault raised it, and `si_addr` is its address.
bool sent_by_process(const siginfo_t& info) noexcept;
/// Returns whether the fault that raised a SIGBUS occurs again when its handler returns.
bool comes_again(const siginfo_t& info) noexcept;

/// Returns how many bytes of memory the fault that raised a SIGBUS made unreadable; 0 for one page.
std::uintptr_t bytes_lost(const siginfo_t& info) noexcept;

/// Returns whether a SIGBUS may say that memory for reading was written to, for which most systems have
/// SIGSEGV. `context` is the third argument of its handler.
bool is_write(const void* context) noexcept;

}  // namespace riffle::os
