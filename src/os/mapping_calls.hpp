/// What `mapping` and `window` share: the flags, the hints, and telling why a page is bad.
#ifndef RIFFLE_OS_MAPPING_CALLS_HPP
#define RIFFLE_OS_MAPPING_CALLS_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "os/mapping.hpp"

namespace riffle::os {

/// One call that faults pages in for reading (MADV_POPULATE_READ). Returns 0, or the errno that says that a
/// page is bad or memory is short. Kernels that lack the call (Linux before 5.14) give 0: the guard is left
/// to find bad pages.
int populate_for_reading(char* at, std::size_t length) noexcept;
/// Faults pages of anonymous memory in for writing, where the kernel can.
void populate_for_writing(char* at, std::size_t length) noexcept;
/// Asks for huge pages, where the kernel can.
void advise_huge_pages(char* at, std::size_t length) noexcept;
/// Reserves addresses that a failed mmap(2) may have left without a mapping, unless they are in use.
void reserve_again(char* at, std::size_t length) noexcept;

/// Tells the kernel the hints about a file mapping that are not faults.
void advise(char* at, std::size_t length, const mapping_hints& hints) noexcept;
/// Throws `mapping_refused` for a failed mmap(2), with the remedy where there is one; `code` is its errno.
[[noreturn]] void fail_to_map(std::string_view name, std::optional<std::uint64_t> offset, int code);
/// Throws when the part of a file cannot be mapped because its end cannot be expressed.
void check_reach(const file& from, std::uint64_t offset, std::size_t length);
/// Faults in the page-aligned memory at `at`, where `from` is mapped from `offset` on. Throws with the place
/// of the first bad page.
void populate_or_fail(const file& from, std::uint64_t offset, char* at, std::size_t length);
/// Throws if there is a fault, or if `from` ends before `offset + length`.
void check_mapped(const file& from, std::uint64_t offset, std::size_t length,
                  std::optional<std::uint64_t> fault);

}  // namespace riffle::os

#endif
