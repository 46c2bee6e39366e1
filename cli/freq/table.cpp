/// Writes each value as a field of TSV, or as a string of JSON.
#include "cli/freq/table.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <string>
#include <string_view>

#include "cli/json.hpp"
#include "cli/output.hpp"
#include "text/row_values.hpp"

namespace riffle::cli {

namespace {

std::string json_of(const value_count& each, bool combined) {
  json_row row;
  row.add("count", each.count);
  if (!combined) return row.add("value", each.value).line();
  int number = 0;
  text::for_each_field(each.value,
                       [&](std::string_view field) { row.add("value" + std::to_string(++number), field); });
  return row.line();
}

}  // namespace

void print(const value_counter& values, const freq_form& form) {
  if (form.distinct) {
    const auto number = static_cast<std::uint64_t>(
        std::ranges::count_if(values, [&form](const value_count& each) { return each.count >= form.least; }));
    return write(form.json ? json_row().add("distinct", number).line() : std::to_string(number) + "\n");
  }
  std::string text;
  const auto print_one = [&](const value_count& each) {
    if (each.count < form.least) return;
    if (form.json) return write(json_of(each, form.combined));
    std::array<char, 20> digits;
    text.assign(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), each.count).ptr);
    text += '\t';
    if (form.combined) {
      text += each.value;
    } else {
      value_counter::append_field(text, each.value, true);
    }
    write(text += '\n');
  };
  constexpr std::uint64_t most = std::numeric_limits<std::size_t>::max();
  if (form.top) {
    std::ranges::for_each(values.top(static_cast<std::size_t>(std::min(*form.top, most))), print_one);
  } else {
    std::ranges::for_each(values, print_one);
  }
}

}  // namespace riffle::cli
