/// Drops whole pages: what lies between the last drop and what was used since.
#include "source/cache_dropper.hpp"

#include "os/mapping.hpp"

namespace riffle::inline v0 {

namespace {

// The bytes to drop at a time, because a call for each block would take longer than reading a small one.
// Linux drops only folios that lie in the range as a whole: they have up to 2 MiB, and start at a multiple of
// their size.
constexpr std::uint64_t drop_step = std::uint64_t{2} << 20U;  // tuning

}  // namespace

cache_dropper::cache_dropper(const open_file& input, const read_options& given) noexcept
    : file_(input.file), keep_(given.keep_cache), dropped_(input.start) {}

void cache_dropper::used(std::uint64_t offset) noexcept {
  drop(before_seek_, before_seek_end_);
  before_seek_ = before_seek_end_ = 0;
  const std::uint64_t done = offset / drop_step * drop_step;
  if (done <= dropped_) return;
  drop(dropped_, done);
  dropped_ = done;
}

void cache_dropper::leave(std::uint64_t offset, std::uint64_t to) noexcept {
  if (offset > dropped_) {
    before_seek_ = dropped_;
    before_seek_end_ = offset;
  }
  dropped_ = to;
}

void cache_dropper::finish(std::uint64_t offset) noexcept {
  drop(before_seek_, before_seek_end_);
  drop(dropped_, offset);
}

void cache_dropper::drop(std::uint64_t begin, std::uint64_t end) noexcept {
  if (begin >= end || keep_) return;
  const std::uint64_t page = os::page_size();
  const std::uint64_t first = begin / page * page;
  file_.drop_cache(first, os::round_up(end, page) - first);
}

}  // namespace riffle::inline v0
