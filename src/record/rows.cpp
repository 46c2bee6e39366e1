/// Implements what a row and a range of rows do seldom: the header, columns by their names, and the errors of
/// fields.
#include <riffle/error.hpp>
#include <riffle/fields.hpp>
#include <riffle/rows.hpp>
#include <riffle/scan.hpp>

#include <algorithm>
#include <new>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "record/row_scan.hpp"
#include "source/source_state.hpp"

namespace riffle::inline v0 {

namespace detail {

namespace {

std::string_view without_blanks(std::string_view text) {
  constexpr std::string_view blanks = " \t";
  const std::size_t first = std::min(text.find_first_not_of(blanks), text.size());
  return text.substr(first, text.find_last_not_of(blanks) + 1 - first);
}

std::string in_quotes(std::string_view text) {
  return "'" + std::string(text) + "'";
}

// Rows may have as many columns as bytes.
std::string list_of(const std::vector<std::string>& names) {
  constexpr std::size_t longest = 1000;
  std::string list;
  for (const std::string& each : names) {
    if (list.size() > longest) return list + ", ...";
    list += (list.empty() ? "" : ", ") + in_quotes(each);
  }
  return list;
}

std::string why_no_column(std::string_view wanted, bool has_header, const std::vector<std::string>& names) {
  const std::string none = "no column " + in_quotes(wanted);
  if (!has_header) return none + ", as the rows have no names; set header";
  if (names.empty()) return none + ", as the input has no rows";
  const auto first = std::ranges::find(names, wanted);
  if (first == names.end()) return none + "; the columns are " + list_of(names);
  const auto number = [&](auto at) { return std::to_string(at - names.begin() + 1); };
  const auto second = std::find(first + 1, names.end(), wanted);
  return "the columns " + number(first) + " and " + number(second) + " are both named " + in_quotes(wanted);
}

}  // namespace

bool row_state::adjust(bool may_read) {
  do {
    if (behind_padded != nullptr) {
      ends = std::exchange(behind_padded, nullptr);
      count = static_cast<std::size_t>(batch_ends + next_row[-1] - ends);
    }
    std::uint64_t& end = ends[count - 1];
    const std::uint64_t last_field = (&end)[-1] + 1;  // a '\r' before it delimits fields
    if (rules.strip_cr && end > last_field && bytes[end - 1] == '\r') cut = &--end;
    if (end - start() > rules.max_length) {
      step_back();
      return refuse_long();
    }
    if (rules.whitespace) cut_at_blanks(1);
    const bool blank = field(0).empty() || (!rules.strip_cr && field(0) == "\r");
    if (!rules.skip_blank || count != 1 || !blank) {
      if (rules.ragged != ragged::keep && !header_due) check_width();
      return true;
    }
    --rows_of_batches_before;
  } while (step(may_read));
  return false;
}

std::uint64_t row_state::line() const noexcept {
  if (!rules.count_lines) return 0;
  const bool taken = count != 0;  // a step that failed, or that may not read, has left the row before
  const std::uint64_t end = taken ? row_end() : ends != nullptr ? start() : 0;
  const std::string_view before(bytes, static_cast<std::size_t>(end));
  // At the end of the input, an escaped delimiter may be the last byte: no line follows it.
  const bool none_follows = taken && matched == nullptr && before.ends_with(rules.delimiter);
  return lines_before + scan::count_byte(before, rules.delimiter) + (taken && !none_follows ? 1 : 0);
}

void row_state::check_width() {
  if (width == 0) width = count;
  if (count != width && rules.ragged == ragged::fail) {
    fail_count(errc::wrong_field_count,
               (has_header ? ", the header " : ", the first row ") + std::to_string(width));
  }
  if (count >= width) return;
  if (rules.whitespace) return cut_at_blanks(width);
  try {
    padded.resize(width + 1);
  } catch (const std::bad_alloc&) {
    fail_no_memory(bytes_offset + start());
  }
  const auto missing = std::copy(ends - 1, ends + count, padded.begin());
  std::iota(missing, padded.end(), missing[-1] + 1);  // as if separators stood after the row
  behind_padded = ends + count;
  ends = padded.data() + 1;
  count = width;
}

void row_state::cut_at_blanks(std::size_t least) try {
  const std::uint64_t begin = start();
  const std::uint64_t stop = row_end();
  if (behind_padded == nullptr) behind_padded = ends + count;
  padded.clear();
  const std::string_view all(bytes + begin, static_cast<std::size_t>(stop - begin));
  for (const std::string_view each : fields(all, whitespace)) {
    const auto before = static_cast<std::uint64_t>(each.data() - bytes) - 1;
    padded.push_back(before);
    padded.push_back(before + 1 + each.size());
  }
  while (padded.size() < 2 * least) {
    padded.push_back(stop - 1);
    padded.push_back(stop);
  }
  // Then once more, the starts together and the ends together.
  count = padded.size() / 2;
  padded.resize(4 * count + 1);
  std::uint64_t* const starts = padded.data() + 2 * count;
  ends = starts + count + 1;
  ends[-1] = begin - 1;
  before_field = -static_cast<std::ptrdiff_t>(count) - 1;
  for (std::size_t i = 0; i != count; ++i) {
    starts[i] = padded[2 * i];
    ends[i] = padded[2 * i + 1];
  }
} catch (const std::bad_alloc&) {
  fail_no_memory(bytes_offset + start());
}

void row_state::fail_no_memory(std::uint64_t offset) const {
  throw error(std::make_error_code(std::errc::not_enough_memory), "read", name, offset,
              "no memory for the fields of the row");
}

void row_state::fail_missing(std::size_t index) const {
  fail_count(errc::missing_field, ", and no " + place(index));
}

void row_state::fail_count(errc code, std::string_view but) const {
  opened->check();  // delimiters may be among bytes that were lost
  throw error(code, "read", name, bytes_offset + start(),
              "row " + std::to_string(number_in_input()) + " has " + std::to_string(count) +
                  (count == 1 ? " field" : " fields") + std::string(but));
}

std::string_view row_state::trimmed(std::string_view raw) {
  if (needs_escaped_fields(rules)) {
    raw.remove_prefix(spaces_before(raw, rules));
    const bool is_quoted = rules.quote && raw.starts_with(quote);
    if (has_escaped_bytes(raw, rules)) raw = unescaped_field(raw, rules, room_for(raw));
    return rules.trim && !is_quoted ? without_blanks(raw) : raw;
  }
  if (rules.quote && raw.starts_with(quote)) return without_quotes(raw);
  return without_blanks(raw);
}

char* row_state::room_for(std::string_view field) {
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
  return copy.get() + (field.data() - (bytes + start()));
}

std::string_view row_state::without_quotes(std::string_view field) {
  const std::size_t closing = field.find(quote, 1);
  const std::string_view behind = field.substr(closing + 1);
  const bool ends_row = field.data() + field.size() == bytes + row_end();
  const bool ends_in_cr = ends_row && cut == nullptr && behind == "\r";
  if (behind.empty() || ends_in_cr) return field.substr(1, closing - 1);
  char* const unescaped = room_for(field);
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

std::string row_state::place(std::size_t index) const {
  if (index < names.size()) return "column " + in_quotes(names[index]);
  return "field " + std::to_string(std::max(index, index + 1));  // npos stays as it is
}

void row_state::fail_value(std::size_t index, std::string_view text, std::string_view type,
                           bool out_of_range) const {
  opened->check();  // the text may be bytes that were lost
  constexpr std::size_t longest = 40;
  const auto start_of_field = static_cast<std::uint64_t>(field(index).data() - bytes);
  const std::uint64_t offset = bytes_offset + std::min(start_of_field, row_end());
  const bool is_number = type.starts_with('f');
  const bool may_be_null =
      !out_of_range && !is_value(index) && text.find_first_of("0123456789") == std::string_view::npos;
  throw error(out_of_range ? errc::value_out_of_range : errc::bad_value, "read", name, offset,
              place(index) + " of row " + std::to_string(number_in_input()) +
                  (out_of_range ? " is out of range of " : " is no ") +
                  std::string(is_number && !out_of_range ? "number" : type) + ": " +
                  in_quotes(text.substr(0, longest)),
              {may_be_null ? advice::name_null : advice::none});
}

}  // namespace detail

row_range::row_range(const input& from, const dialect& rows, const read_options& reading)
    : state_(std::make_unique<detail::row_scan>(from, rows, reading)) {}
row_range::row_range(source from, const dialect& rows)
    : state_(std::make_unique<detail::row_scan>(std::move(from), rows)) {}

const source& row_range::from() const {
  return detail::row_scan::of(*this).source();
}

void row_range::choose(row_choice wanted) {
  static_cast<void>(names());
  detail::row_scan::of(*this).choose(std::move(wanted));
}

detail::row_scan& detail::row_scan::of(const row_range& rows) {
  if (rows.state_ == nullptr) row_range::fail_moved_from();
  return static_cast<row_scan&>(*rows.state_);
}

void row_range::fail_moved_from() {
  throw error(errc::invalid_argument, "read", "", std::nullopt, "the range was moved from");
}

void row_range::read_header() const {
  detail::row_state& state = *state_;
  if (state.next()) {
    const row header(&state);
    try {
      std::vector<std::string> names(header.size());
      const bool cr = state.cut == nullptr && header[header.size() - 1].ends_with('\r');
      if (cr) state.cut = &--state.ends[state.count - 1];
      for (std::size_t i = 0; i != names.size(); ++i) names[i] = header.unescaped(i);
      if (cr) ++*std::exchange(state.cut, nullptr);
      state.names = std::move(names);
    } catch (...) {
      state.step_back();
      state.restart_numbers();
      throw;
    }
  }
  state.restart_numbers();
  state.width = state.names.size();
  state.header_due = false;
}

const std::vector<std::string>& row_range::names() const {
  static_cast<void>(resume());
  return state_->names;
}

std::size_t row_range::column(std::string_view name) const {
  const std::vector<std::string>& all = names();
  const auto found = std::ranges::find(all, name);
  if (std::ranges::count(all, name) == 1) return static_cast<std::size_t>(found - all.begin());
  state_->opened->check();  // names may be among bytes that were lost
  throw error(errc::no_such_column, "read", state_->name, std::nullopt,
              detail::why_no_column(name, state_->has_header, all));
}

}  // namespace riffle::inline v0
