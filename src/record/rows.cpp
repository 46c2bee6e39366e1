/// Implements what a row and a range of rows do seldom.
#include <riffle/detail/match_scan.hpp>
#include <riffle/error.hpp>
#include <riffle/rows.hpp>

#include <algorithm>
#include <new>
#include <string>

#include "record/row_scan.hpp"

namespace riffle::inline v0 {

namespace detail {

void row_state::adjust() {
  std::uint64_t& end = ends[count - 1];
  if (strip_cr && end > start() && bytes[end - 1] == '\r') cut = &--end;
  if (end - start() > max_length) fail_too_long(name, bytes_offset + start());
}

void row_state::fail_missing(std::size_t index) const {
  throw error(errc::missing_field, "read", name, bytes_offset + start(),
              "row " + std::to_string(number) + " has " + std::to_string(count) + " fields, and no field " +
                  std::to_string(index + 1));
}

std::string_view row_state::without_quotes(std::string_view field) {
  const auto size = static_cast<std::size_t>(ends[count - 1] - start());
  if (copy_size < size) {
    try {
      copy = std::make_unique_for_overwrite<char[]>(size);
    } catch (const std::bad_alloc&) {
      throw error(std::make_error_code(std::errc::not_enough_memory), "read", name, bytes_offset + start(),
                  "no memory for the unescaped fields");
    }
    copy_size = size;
  }
  char* const unescaped = copy.get() + (field.data() - (bytes + start()));
  char* to = unescaped;
  // Each quote behind the first ends a part; the byte behind it, if it is a quote too, starts the next one.
  for (std::string_view left = field.substr(1); !left.empty();) {
    const std::string_view part = left.substr(0, left.find(quote));
    to = std::ranges::copy(part, to).out;
    left.remove_prefix(std::min(part.size() + 1, left.size()));
    if (!left.starts_with(quote)) continue;
    *to++ = quote;
    left.remove_prefix(1);
  }
  return {unescaped, static_cast<std::size_t>(to - unescaped)};
}

}  // namespace detail

row_range::row_range(const input& from, const row_options& rows, const read_options& reading)
    : state_(std::make_unique<detail::row_scan>(from, rows, reading)) {}

void row_range::fail_moved_from() {
  throw error(errc::invalid_argument, "read", "", std::nullopt, "the range was moved from");
}

}  // namespace riffle::inline v0
