/// Maps parts of a file, one after the other at the same place if asked, and turns a page that cannot be read
/// into an error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "os/fault_guard.hpp"
#include "os/file.hpp"

namespace riffle::os {

/// Says what may be done to the mapped bytes, and who sees it.
enum class protection : std::uint8_t {
  read,
  copy_on_write,  // writable; the file does not change
  shared_write    // writable; the file changes
};

/// Says how memory is mapped. None of the hints changes the bytes.
struct mapping_hints {
  bool sequential = false;  // MADV_SEQUENTIAL
  bool will_need = false;   // MADV_WILLNEED
  bool random = false;      // MADV_RANDOM
  bool populate = true;  // fault everything in now, by one call; also finds bad pages before they are touched
  bool shared = false;   // MAP_SHARED instead of MAP_PRIVATE
};

/// Whether the system cuts a file that is mapped. Windows refuses.
extern const bool cuts_mapped_files;

/// Whether a mapping that misses one page loses all of them, as on Windows. Its bytes are zeros from then on,
/// so only a fault guard remembers that they are not the file's.
extern const bool loses_whole_views;

/// Returns the size of a page in bytes, a power of two.
std::size_t page_size() noexcept;
/// Returns `size` rounded up to a multiple of `unit`.
constexpr std::uint64_t round_up(std::uint64_t size, std::uint64_t unit) noexcept {
  return (size + unit - 1) / unit * unit;
}
/// Returns the number of pages of `length` bytes that start at a multiple of the page size.
std::uint64_t page_count(std::uint64_t length) noexcept;
/// Returns `size` rounded up to whole pages; `std::nullopt` if that overflows.
std::optional<std::size_t> whole_pages(std::size_t size) noexcept;

/// Maps `size` bytes of zeros, rounded up to pages, at a multiple of `alignment` (a power of two), and asks
/// for `huge_pages` (MADV_HUGEPAGE). Returns nullptr with errno if the mapping fails.
char* map_anonymous(std::size_t size, std::size_t alignment, bool huge_pages) noexcept;
/// Unmaps what `map_anonymous(size, ...)` returned.
void unmap_anonymous(char* at, std::size_t size) noexcept;

/// Returns whether the system tells which mapped pages of the file are there: then `fault_in` may touch them.
bool tells_residency(const file& from);
/// Faults in mapped pages of a file for reading, by a touch of one byte for each fault. Returns whether all
/// of them are there then, or were replaced by the fault guard: it must guard them, and this thread must not
/// block SIGBUS. Call it if the system `tells_residency`.
bool touch_resident(char* at, std::size_t length);

/// Asks for huge pages, if the OS kernel can.
void advise_huge_pages(char* at, std::size_t length) noexcept;
/// Lets the OS kernel take pages of private anonymous memory when it is short of memory. Until a byte of a
/// page is written again, the page may read as zeros.
void advise_free(char* at, std::size_t length) noexcept;

/// Owns a mapped range, and unmaps it.
class mapped_pages {
 public:
  mapped_pages() noexcept = default;
  mapped_pages(char* at, std::size_t size) noexcept : at_(at), size_(size) {}
  mapped_pages(mapped_pages&& other) noexcept;
  mapped_pages& operator=(mapped_pages&& other) noexcept;
  ~mapped_pages();
  char* data() const noexcept { return at_; }
  std::size_t size() const noexcept { return size_; }
  std::span<char> span() const noexcept { return {at_, size_}; }

 private:
  char* at_ = nullptr;
  std::size_t size_ = 0;  // whole pages
};

/// Maps a range of a file. It may outlive the descriptor. Functions throw `riffle::error`.
class mapping {
 public:
  mapping() = default;
  /// Maps `length` bytes of `from` at any `offset`. The file must have them: touching a page after the end
  /// is a fault. `length` 0 maps nothing. With `hints.populate`, a bad page throws here.
  mapping(const file& from, std::uint64_t offset, std::size_t length, protection access,
          const mapping_hints& hints, bool guarded);

  /// Returns the bytes from `offset` on. Writing to a mapping for reading raises SIGSEGV.
  [[nodiscard]] std::span<char> bytes() const noexcept { return {pages_.data() + lead_, length_}; }
  /// Returns whether a touched page could not be read.
  [[nodiscard]] bool faulted() const noexcept { return guard_.faulted(); }
  /// Returns the offset in the file of the lowest such page.
  [[nodiscard]] std::optional<std::uint64_t> fault_offset() const noexcept;
  /// Throws if a page faulted, or if `from` (the mapped file) now ends before the mapping does. Call it after
  /// the bytes were used and before the result counts.
  void check(const file& from) const;
  /// Faults in `length` bytes at `position` of the mapping. A bad page throws.
  void populate(const file& from, std::size_t position, std::size_t length) const;
  /// Writes the changed pages of `length` bytes at `position` of a `shared_write` mapping to the disk, and
  /// returns when they are there (msync). Throws as `check` does, too: a page for which the disk had no room
  /// never was the file's.
  void flush(const file& from, std::size_t position, std::size_t length) const;

 private:
  mapped_pages pages_;
  guarded_range guard_;       // declared after pages_, so released before they are unmapped
  std::uint64_t offset_ = 0;  // in the file, of the first byte the user asked for
  std::size_t lead_ = 0;      // bytes from the start of the first page to that byte
  std::size_t length_ = 0;
  file_status before_ = {};  // when it was mapped
  bool written_ = false;     // to the file
};

// What `mapping` and `window` share, and each system has for them.

/// Throws `refused` if the file system of the file maps huge pages only.
void require_mappable(const file& from, std::uint64_t offset);
/// Maps the pages that hold `length` bytes of a file from `offset` on. Returns the first page; `unmap_pages`
/// unmaps them. Throws `refused`, or with `errc::truncated` if the system maps no page after the end of a
/// file.
char* map_pages(const file& from, std::uint64_t offset, std::size_t length, protection access, bool shared);
void unmap_pages(char* at, std::size_t size) noexcept;
/// Writes the changed pages to the disk, and returns when they are there. Throws `riffle::error`.
void flush_pages(const file& from, std::span<char> pages);

/// Passes the hints `sequential`, `will_need` and `random` on to the OS kernel.
void advise(char* at, std::size_t length, const mapping_hints& hints) noexcept;
/// Throws `refused` for a failed mmap(2), with the remedy if there is one; `code` is its errno.
[[noreturn]] void fail_to_map(std::string_view name, std::optional<std::uint64_t> offset, int code);
/// Faults in the page-aligned memory at `at`, where `from` is mapped from `offset` on. Throws with the place
/// of the first bad page. `before`: the file when it was mapped.
void populate_or_fail(const file& from, std::uint64_t offset, char* at, std::size_t length,
                      const file_status& before);
/// The same, by touches if they are allowed, and by that call if those leave a page out. A page that the
/// fault guard replaced does not throw.
void fault_in(const file& from, std::uint64_t offset, char* at, std::size_t length, const file_status& before,
              bool may_touch);
/// Returns whether the page at the offset `bad` cannot be read because the file was cut, also if it has grown
/// again since. `before`: the file when it was mapped, which may have been growing.
bool was_cut(const file& from, std::uint64_t bad, const file_status& before);
/// Throws because the page at the offset `bad` of a mapping that begins at `start` cannot be read.
[[noreturn]] void fail_to_read(const file& from, std::uint64_t start, std::uint64_t bad,
                               const file_status& before);
/// Returns whether the size that the system reports for such a file is where it ends.
bool has_size(file_kind kind) noexcept;
/// Throws if there is a fault, or if `from` ends before `offset + length`.
void check_mapped(const file& from, std::uint64_t offset, std::size_t length,
                  std::optional<std::uint64_t> fault, const file_status& before);

/// Slides over a file: a fixed place in memory, at which one part of the file after the other is mapped. Each
/// call that maps a part also unmaps the part before. The bytes right before the window stay ordinary memory,
/// so that a carry can lie in front of the part that continues it. On Windows each part has a place of its
/// own, and no headroom.
class window {
 public:
  /// Reserves addresses for `headroom` + `size` bytes, each rounded up to pages. Headroom takes memory only
  /// if it is touched. `name` is the name of the file in messages.
  window(std::size_t headroom, std::size_t size, bool guarded, std::string_view name);

  /// Returns the writable memory right before the window. Its contents stay.
  [[nodiscard]] std::span<char> headroom() const noexcept { return pages_.span().first(headroom_); }
  /// Returns the most bytes that `slide` takes.
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

  /// Maps `length` bytes of `from` at `offset`, a multiple of the page size. Returns them, for reading only,
  /// valid until the next call. Throws if the file cannot be mapped; with `errc::truncated` if it ends
  /// before `offset + length`; and with `hints.populate`, if a page cannot be read. The window can be used
  /// again after an error.
  std::span<char> slide(const file& from, std::uint64_t offset, std::size_t length,
                        const mapping_hints& hints);

  /// As for `mapping`, for the part mapped last.
  [[nodiscard]] bool faulted() const noexcept { return guard_.faulted(); }
  [[nodiscard]] std::optional<std::uint64_t> fault_offset() const noexcept;
  /// Throws if bytes of the part mapped last may be wrong. The bytes before the offset `trusted` were checked
  /// after their use. So that is the offset of an error that says that the file was cut: where zeros began
  /// cannot be told, as the file may have been cut further and have grown since.
  void check(const file& from, std::uint64_t trusted) const;

 private:
  mapped_pages pages_;
  guarded_range guard_;  // of the window without its headroom
  std::size_t headroom_ = 0;
  std::size_t size_ = 0;                   // the most bytes of a part
  [[maybe_unused]] bool guarded_ = false;  // Windows guards each part anew
  std::uint64_t offset_ = 0;               // in the file, of the part mapped last
  std::size_t length_ = 0;                 // of that part; 0: none
  file_status before_ = {};                // the file when that part was mapped
  bool mapped_before_ = false;             // a file was mapped here before; see slide
  bool may_touch_ = false;                 // its pages, to fault them in
};

}  // namespace riffle::os
