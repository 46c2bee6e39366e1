/// Drops what was read from the page cache, if `keep_cache` is false.
#pragma once

#include <cstdint>

#include "method/open_file.hpp"

namespace riffle::inline v0 {

/// Knows what was read and is still in the page cache. Mapped pages stay there, so it drops the bytes before
/// a block once that block was fetched.
class cache_dropper {
 public:
  cache_dropper(const open_file& input, const read_options& given) noexcept;

  /// The bytes up to `offset` were used: drops them, many at a time.
  void used(std::uint64_t offset) noexcept;
  /// Reading goes on at `to`. What was read up to `offset` is dropped with the next block.
  void leave(std::uint64_t offset, std::uint64_t to) noexcept;
  /// Drops the rest, up to `offset`, once nothing is mapped.
  void finish(std::uint64_t offset) noexcept;
  /// Drops the pages of these bytes.
  void drop(std::uint64_t begin, std::uint64_t end) noexcept;

 private:
  const os::file& file_;
  bool keep_;
  std::uint64_t dropped_;  // what was read up to here, from the start or the last seek on, was dropped
  std::uint64_t before_seek_ = 0;      // from here to `before_seek_end_`: what was read before the last seek
  std::uint64_t before_seek_end_ = 0;  // and was not dropped yet
};

}  // namespace riffle::inline v0
