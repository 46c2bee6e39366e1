/// Implements `os::mapping` and `os::window`, and tells why their bytes can no longer be trusted.
#include "os/mapping.hpp"

#include <algorithm>
#include <cerrno>
#include <limits>
#include <utility>

#include "os/facts.hpp"

namespace riffle::os {

bool has_size(file_kind kind) noexcept {
  return kind == file_kind::regular || kind == file_kind::block_device;
}

std::uint64_t page_count(std::uint64_t length) noexcept {
  return round_up(length, page_size()) / page_size();
}

std::optional<std::size_t> whole_pages(std::size_t size) noexcept {
  if (size > std::numeric_limits<std::size_t>::max() - page_size()) return std::nullopt;
  return static_cast<std::size_t>(round_up(size, page_size()));
}

bool was_cut(const file& from, std::uint64_t bad, const file_status& before) {
  const file_status now = from.status();
  const auto is_short = [bad](const file_status& at) { return has_size(at.kind) && at.size <= bad; };
  return is_short(now) || is_short(before) || now.modified != before.modified;
}

void fail_to_read(const file& from, std::uint64_t start, std::uint64_t bad, const file_status& before) {
  if (!was_cut(from, bad, before)) fail("read", from.name(), std::max(bad, start), EIO);
  throw error(errc::truncated, "read", from.name(), std::max(std::min(from.status().size, bad), start));
}

void check_mapped(const file& from, std::uint64_t offset, std::size_t length,
                  std::optional<std::uint64_t> fault, const file_status& before) {
  if (fault) fail_to_read(from, offset, *fault, before);
  if (length == 0 || !has_size(before.kind)) return;
  // The rest of the last page of a file that shrank reads as zeros, without a fault.
  if (const std::uint64_t end = from.end(); end < offset + length) {
    throw error(errc::truncated, "read", from.name(), std::max(end, offset));
  }
}

void fault_in(const file& from, std::uint64_t offset, char* at, std::size_t length, const file_status& before,
              bool may_touch) {
  if (!may_touch || !touch_resident(at, length)) populate_or_fail(from, offset, at, length, before);
}

mapped_pages::mapped_pages(mapped_pages&& other) noexcept
    : at_(std::exchange(other.at_, nullptr)), size_(std::exchange(other.size_, 0)) {}

mapped_pages& mapped_pages::operator=(mapped_pages&& other) noexcept {
  std::swap(at_, other.at_);
  std::swap(size_, other.size_);
  return *this;
}

mapped_pages::~mapped_pages() {
  if (at_ != nullptr) unmap_pages(at_, size_);
}

mapping::mapping(const file& from, std::uint64_t offset, std::size_t length, protection access,
                 const mapping_hints& hints, bool guarded)
    : offset_(offset), lead_(static_cast<std::size_t>(offset % page_size())), length_(length) {
  if (length == 0) {
    lead_ = 0;
    return;
  }
  const std::size_t size = *whole_pages(length + lead_);  // no object is larger than half of the addresses
  const bool writable = access != protection::read;
  before_ = from.status();
  written_ = access == protection::shared_write;
  const bool shared = access == protection::shared_write || (access == protection::read && hints.shared);
  pages_ = {map_pages(from, offset, length, access, shared), size};
  if (guarded || loses_whole_views) guard_ = {pages_.span(), writable};
  advise(pages_.data(), size, hints);
  if (hints.populate) populate(from, 0, length);
}

std::optional<std::uint64_t> mapping::fault_offset() const noexcept {
  const std::optional<std::size_t> position = guard_.fault_position();
  if (!position) return std::nullopt;
  return std::max(offset_ - lead_ + *position, offset_);
}

void mapping::check(const file& from) const {
  const std::optional<std::uint64_t> fault = fault_offset();
  if (fault && written_ && *fault < from.status().size) {
    // A page of a hole that is written to needs a block of the disk.
    if (const int code = cannot_allocate(from.descriptor(), *fault, page_size()); code != 0) {
      fail("write", from.name(), fault, code, "what was written there is lost");
    }
  }
  check_mapped(from, offset_, length_, fault, before_);
}

void mapping::populate(const file& from, std::size_t position, std::size_t length) const {
  if (length == 0) return;
  const std::size_t first = (lead_ + position) / page_size() * page_size();
  const std::size_t last = *whole_pages(lead_ + position + length);
  const bool may_touch = guard_.guards() && why_unguarded().empty() && tells_residency(from);
  fault_in(from, offset_ - lead_ + first, pages_.data() + first, last - first, before_, may_touch);
  if (const std::optional<std::uint64_t> fault = fault_offset()) fail_to_read(from, offset_, *fault, before_);
}

void mapping::flush(const file& from, std::size_t position, std::size_t length) const {
  if (pages_.size() == 0) return;
  check(from);  // pages that were replaced never reach the file
  if (!written_) return;
  const std::size_t begin = (lead_ + position) / page_size() * page_size();
  flush_pages(from, pages_.span().subspan(begin, std::min(lead_ + position + length, pages_.size()) - begin));
  check(from);
}

std::optional<std::uint64_t> window::fault_offset() const noexcept {
  const std::optional<std::size_t> position = guard_.fault_position();
  if (!position) return std::nullopt;
  return offset_ + *position;
}

void window::check(const file& from, std::uint64_t trusted) const {
  const std::optional<std::uint64_t> fault = fault_offset();
  if (!fault && length_ == 0) return;
  // The rest of the last page of a file that was cut reads as zeros, without a fault. If it has grown again,
  // a page that was lost tells.
  if (from.end() < offset_ + length_ || (fault && was_cut(from, *fault, before_))) {
    throw error(errc::truncated, "read", from.name(), trusted);
  }
  if (fault) fail("read", from.name(), std::max(*fault, trusted), EIO);
}

}  // namespace riffle::os
