/// Maps each part of a file at a place of its own: Windows maps nothing over addresses that are taken.
#include "os/window.hpp"

#include <algorithm>
#include <cerrno>
#include <limits>

#include "os/mapping.hpp"

namespace riffle::os {

window::window(std::size_t /*headroom*/, std::size_t size, bool guarded, std::string_view name)
    : guarded_(guarded) {
  const std::optional<std::size_t> body = whole_pages(std::max<std::size_t>(size, 1));
  if (!body || *body > std::numeric_limits<std::size_t>::max() / 4) fail_to_map(name, {}, ENOMEM);
  size_ = *body;
}

std::span<char> window::slide(const file& from, std::uint64_t offset, std::size_t length,
                              const mapping_hints& hints) {
  length_ = 0;
  if (offset % page_size() != 0 || length > size()) fail_to_map(from.name(), offset, EINVAL);
  if (length == 0) return {};
  constexpr auto furthest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (offset > furthest - length) fail_to_map(from.name(), offset, EOVERFLOW);
  guard_ = {};  // before its memory is unmapped
  pages_ = {};
  before_ = from.status();
  const std::size_t whole = *whole_pages(length);
  pages_ = {map_pages(from, offset, length, protection::read, hints.shared), whole};
  if (guarded_) guard_ = {pages_.span(), false};
  offset_ = offset;
  advise(pages_.data(), whole, hints);
  if (hints.populate) populate_or_fail(from, offset, pages_.data(), whole, before_);
  check_mapped(from, offset, length, std::nullopt, before_);
  length_ = length;
  return {pages_.data(), length};
}

}  // namespace riffle::os
