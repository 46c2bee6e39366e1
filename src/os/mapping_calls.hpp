/// Functions that `mapping` and `window` share: the hints, and finding out why a page is bad.
#ifndef RIFFLE_OS_MAPPING_CALLS_HPP
#define RIFFLE_OS_MAPPING_CALLS_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "os/mapping.hpp"

namespace riffle::os {

/// Faults in pages for reading by one call (MADV_POPULATE_READ). Returns 0, or the errno that says that a
/// page is bad or memory is short. On an OS kernel that lacks the call (Linux before 5.14) it returns 0, and
/// only the fault guard finds bad pages.
int populate_for_reading(char* at, std::size_t length) noexcept;
/// Faults in pages of anonymous memory for writing, if the OS kernel can.
void populate_for_writing(char* at, std::size_t length) noexcept;
/// Asks for huge pages, if the OS kernel can.
void advise_huge_pages(char* at, std::size_t length) noexcept;
/// Lets the OS kernel take pages of private anonymous memory when it is short of memory. Until a byte of a
/// page is written again, the page may read as zeros.
void advise_free(char* at, std::size_t length) noexcept;
/// Reserves the addresses again after a failed mmap(2) may have unmapped them, unless they are in use.
void reserve_again(char* at, std::size_t length) noexcept;

/// Throws `refused` if the file system of the file maps huge pages only.
void require_mappable(const file& from, std::uint64_t offset);
/// Maps the pages that hold `length` bytes of a file from `offset` on. Returns the first page; `unmap_pages`
/// unmaps them. Throws `refused`, or with `errc::truncated` if the system maps no page behind the end of a
/// file.
char* map_pages(const file& from, std::uint64_t offset, std::size_t length, protection access, bool shared);
void unmap_pages(char* at, std::size_t size) noexcept;
/// Writes the changed pages to the disk, and returns when they are there. Throws `riffle::error`.
void flush_pages(const file& from, std::span<char> pages);

/// Passes the hints `sequential` and `will_need` on to the OS kernel.
void advise(char* at, std::size_t length, const mapping_hints& hints) noexcept;
/// Throws `refused` for a failed mmap(2), with the remedy if there is one; `code` is its errno.
[[noreturn]] void fail_to_map(std::string_view name, std::optional<std::uint64_t> offset, int code);
/// Faults in the page-aligned memory at `at`, where `from` is mapped from `offset` on. Throws with the place
/// of the first bad page. `before`: the file when it was mapped.
void populate_or_fail(const file& from, std::uint64_t offset, char* at, std::size_t length,
                      const file_status& before);
/// Throws because the page at the offset `bad` of a mapping that begins at `start` cannot be read.
[[noreturn]] void fail_to_read(const file& from, std::uint64_t start, std::uint64_t bad,
                               const file_status& before);
/// Returns whether the size that the system reports for such a file is where it ends.
bool has_size(file_kind kind) noexcept;
/// Throws if there is a fault, or if `from` ends before `offset + length`.
void check_mapped(const file& from, std::uint64_t offset, std::size_t length,
                  std::optional<std::uint64_t> fault, const file_status& before);

}  // namespace riffle::os

#endif
