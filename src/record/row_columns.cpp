/// Reads the header of rows, finds columns by their names, and says which field cannot be used.
#include <riffle/error.hpp>
#include <riffle/rows.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "source/source_state.hpp"

namespace riffle::inline v0 {

namespace {

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
              why_no_column(name, state_->has_header, all));
}

namespace detail {

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
  const bool may_be_null = !out_of_range && text.find_first_of("0123456789") == std::string_view::npos;
  throw error(out_of_range ? errc::value_out_of_range : errc::bad_value, "read", name, offset,
              place(index) + " of row " + std::to_string(number_in_input()) +
                  (out_of_range ? " is out of range of " : " is no ") +
                  std::string(is_number && !out_of_range ? "number" : type) + ": " +
                  in_quotes(text.substr(0, longest)),
              {may_be_null ? advice::name_null : advice::none});
}

}  // namespace detail

}  // namespace riffle::inline v0
