/// Reads the numbers that stand as text in one field of each row.
#ifndef RIFFLE_CLI_SUM_FIELDS_HPP
#define RIFFLE_CLI_SUM_FIELDS_HPP

#include <fmt/core.h>
#include <riffle/error.hpp>
#include <riffle/rows.hpp>
#include <riffle/source.hpp>

#include <array>
#include <charconv>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

namespace riffle::cli {

/// Which field, and of which rows.
struct summed_field {
  std::size_t number = 0;  // 1: the first
  bool header = false;     // the first row holds names
};

/// The number in the field. `type` is its name in the message. Throws `riffle::error` with the place.
template <class T>
T number_in(const row& from, const summed_field& field, std::string_view type, const std::string& input) {
  const std::string_view raw = from.at(field.number - 1);
  const std::string_view text = from.unescaped(field.number - 1);
  T value{};
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure == std::errc() && end == text.data() + text.size()) return value;
  const auto position = static_cast<std::uint64_t>(raw.data() - from[0].data());
  throw error(errc::invalid_argument, "sum", input, from.offset() + position,
              fmt::format("field {} of row {} is no {}: '{}'", field.number, from.number(), type,
                          text.substr(0, 40)));
}

/// Calls `take` with the numbers of all rows, many at a time. Throws as `number_in` and `riffle::rows` do.
template <class T, class Take>
void for_each_number(const input& from, const summed_field& field, std::string_view type,
                     const row_options& options, const read_options& reading, Take take) {
  std::array<T, 512> numbers;
  std::size_t count = 0;
  const std::string name = from.name();
  row_range all = rows(from, options, reading);
  try {
    for_each(all, [&](const row& each) {
      if (field.header && each.number() == 1) return;
      numbers[count++] = number_in<T>(each, field, type, name);
      if (count != numbers.size()) return;
      take(std::span<const T>(numbers));
      count = 0;
    });
  } catch (const error&) {
    all.from().check();  // bytes that were lost are zeros
    throw;
  }
  take(std::span<const T>(numbers).first(count));
}

}  // namespace riffle::cli

#endif
