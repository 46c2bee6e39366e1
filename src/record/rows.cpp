/// Implements what a row and a range of rows do seldom.
#include <riffle/error.hpp>
#include <riffle/rows.hpp>

#include <new>
#include <string>

#include "record/row_scan.hpp"
#include "source/source_state.hpp"

namespace riffle::inline v0 {

namespace detail {

bool row_state::adjust(bool may_read) {
  do {
    std::uint64_t& end = ends[count - 1];
    const std::uint64_t last_field = (&end)[-1] + 1;  // a '\r' before it delimits fields
    if (strip_cr && end > last_field && bytes[end - 1] == '\r') cut = &--end;
    if (end - start() > max_length) {
      --next_row;  // the next step meets the row again
      count = 0;
      return refuse_long();
    }
    const bool blank = field(0).empty() || (!strip_cr && field(0) == "\r");
    if (!skip_blank || count != 1 || !blank) return true;
    --rows_of_batches_before;
  } while (step(may_read));
  return false;
}

void row_state::fail_missing(std::size_t index) const {
  opened->check();  // delimiters may be among bytes that were lost
  throw error(errc::missing_field, "read", name, bytes_offset + start(),
              "row " + std::to_string(number_in_input()) + " has " + std::to_string(count) +
                  (count == 1 ? " field" : " fields") + ", and no " + place(index));
}

std::string_view row_state::without_quotes(std::string_view field) {
  const std::size_t closing = field.find(quote, 1);
  const std::string_view behind = field.substr(closing + 1);
  const bool ends_row = field.data() + field.size() == bytes + ends[count - 1];
  const bool ends_in_cr = ends_row && cut == nullptr && behind == "\r";
  if (behind.empty() || ends_in_cr) return field.substr(1, closing - 1);
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
  // Without a branch for a quote, as where they stand is not predictable. Of two quotes the second is kept,
  // and the closing one is not.
  bool behind_quote = false;
  std::size_t at = 1;
  for (; at != field.size(); ++at) {
    const char c = field[at];
    const bool is_quote = c == quote;
    if (behind_quote && !is_quote) break;
    *to = c;
    to += !is_quote || behind_quote;
    behind_quote = is_quote && !behind_quote;
  }
  std::string_view rest = field.substr(at);
  if (rest == "\r" && ends_row && cut == nullptr) rest = {};
  to = std::ranges::copy(rest, to).out;
  return {unescaped, static_cast<std::size_t>(to - unescaped)};
}

}  // namespace detail

row_range::row_range(const input& from, const dialect& rows, const read_options& reading)
    : state_(std::make_unique<detail::row_scan>(from, rows, reading)) {}
row_range::row_range(source from, const dialect& rows)
    : state_(std::make_unique<detail::row_scan>(std::move(from), rows)) {}

const source& row_range::from() const {
  return detail::row_scan::of(*this).source();
}

detail::row_scan& detail::row_scan::of(const row_range& rows) {
  if (rows.state_ == nullptr) row_range::fail_moved_from();
  return static_cast<row_scan&>(*rows.state_);
}

void row_range::fail_moved_from() {
  throw error(errc::invalid_argument, "read", "", std::nullopt, "the range was moved from");
}

}  // namespace riffle::inline v0
