/// The first delimiter is that of a scan; the last is looked for batch by batch from the end.
#include "parallel/delimiters.hpp"

#include <riffle/detail/match_scan.hpp>

#include <array>
#include <bit>

namespace riffle {

using detail::batch_masks;
using detail::match_delimiter;

std::optional<std::size_t> behind_first(std::string_view bytes, char delimiter) {
  detail::match_scan scan(match_delimiter{delimiter});
  scan.start(bytes);
  detail::match_cursor at = scan.resume(bytes.data());
  if (!scan.more(at)) return std::nullopt;
  return static_cast<std::size_t>(scan.take(at) - bytes.data()) + 1;
}

std::optional<std::size_t> behind_last(std::string_view bytes, char delimiter) {
  constexpr std::size_t batch = batch_masks * 64;
  const match_delimiter match{delimiter};
  std::array<std::uint64_t, batch_masks> masks;
  while (!bytes.empty()) {
    const std::size_t start = (bytes.size() - 1) / batch * batch;
    if (const std::uint64_t some = match(bytes.substr(start), masks.data()); some != 0) {
      const std::size_t index = 63 - static_cast<std::size_t>(std::countl_zero(some));
      return start + index * 64 + 64 - static_cast<std::size_t>(std::countl_zero(masks[index]));
    }
    bytes = bytes.substr(0, start);
  }
  return std::nullopt;
}

}  // namespace riffle
