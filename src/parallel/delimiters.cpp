/// Finds the first delimiter by a scan, and the last one batch by batch from the end.
#include "parallel/delimiters.hpp"

#include <riffle/detail/match_scan.hpp>

#include <array>
#include <bit>

namespace riffle::inline v0 {

using detail::batch_masks;
using detail::match_delimiter;

std::optional<std::size_t> behind_first(std::string_view bytes, char delimiter) {
  const std::size_t found = scan::find_byte(bytes, delimiter);
  return found == std::string_view::npos ? std::nullopt : std::optional(found + 1);
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

std::size_t whole_records(std::string_view bytes, std::size_t searched, const parallel_options& splitting) {
  if (!splitting.delimiter) return bytes.size() / splitting.record_size * splitting.record_size;
  const auto found = behind_last(bytes.substr(searched), *splitting.delimiter);
  return found ? searched + *found : 0;
}

}  // namespace riffle::inline v0
