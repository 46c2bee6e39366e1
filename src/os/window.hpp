/// Maps one part of a file after the other at the same place in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "os/mapping.hpp"

namespace riffle::os {

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
