/// Implements what a row and a range of rows do seldom.
#include <riffle/detail/match_scan.hpp>
#include <riffle/error.hpp>
#include <riffle/rows.hpp>

#include <algorithm>
#include <new>
#include <string>

#include "record/row_scan.hpp"
#include "source/source_state.hpp"

namespace riffle::inline v0 {

namespace detail {

void row_state::adjust() {
  std::uint64_t& end = ends[count - 1];
  const std::uint64_t last_field = (&end)[-1] + 1;  // a '\r' before it delimits fields
  if (strip_cr && end > last_field && bytes[end - 1] == '\r') cut = &--end;
  if (end - start() > max_length) {
    --next_row;  // the next step meets the row again
    --number;
    count = 0;
    fail_too_long(name, bytes_offset + start(), opened);
  }
}

void row_state::fail_missing(std::size_t index) const {
  opened->check();  // delimiters may be among bytes that were lost
  throw error(errc::missing_field, "read", name, bytes_offset + start(),
              "row " + std::to_string(number) + " has " + std::to_string(count) +
                  (count == 1 ? " field" : " fields") + ", and no field " +
                  std::to_string(std::max(index, index + 1)));  // npos stays as it is
}

std::string_view row_state::without_quotes(std::string_view field) {
  if (field.find(quote, 1) == field.size() - 1) return field.substr(1, field.size() - 2);
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
  // Without a branch, as where quotes stand is not predictable. Of two quotes the second is kept, and the
  // closing one is not. A CR may stand behind that.
  bool behind_quote = false;
  for (const char c : field.substr(1)) {
    *to = c;
    to += c != quote || behind_quote;
    behind_quote = c == quote && !behind_quote;
  }
  return {unescaped, static_cast<std::size_t>(to - unescaped)};
}

}  // namespace detail

row_range::row_range(const input& from, const row_options& rows, const read_options& reading)
    : state_(std::make_unique<detail::row_scan>(from, rows, reading)) {}
row_range::row_range(source from, const row_options& rows)
    : state_(std::make_unique<detail::row_scan>(std::move(from), rows)) {}

const source& row_range::from() const {
  if (state_ == nullptr) fail_moved_from();
  return static_cast<const detail::row_scan&>(*state_).source();
}

void row_range::fail_moved_from() {
  throw error(errc::invalid_argument, "read", "", std::nullopt, "the range was moved from");
}

}  // namespace riffle::inline v0
