/// Finds the first delimiter by a scan, and the last one batch by batch from the end.
#include "parallel/delimiters.hpp"

#include <riffle/detail/place_scan.hpp>
#include <riffle/scan.hpp>

#include <array>

namespace riffle::inline v0 {

using detail::batch_size;
using detail::match_delimiter;

std::optional<std::size_t> behind_first(std::string_view bytes, char delimiter) {
  const std::size_t found = scan::find_byte(bytes, delimiter);
  return found == std::string_view::npos ? std::nullopt : std::optional(found + 1);
}

std::optional<std::size_t> behind_last(std::string_view bytes, char delimiter) {
  const match_delimiter match{delimiter};
  std::array<std::uint16_t, batch_size + detail::place_slack> places;
  while (!bytes.empty()) {
    const std::size_t start = (bytes.size() - 1) / batch_size * batch_size;
    const std::size_t found = match(bytes.substr(start), places.data());
    if (found != 0) return start + places.at(found - 1) + 1;
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
