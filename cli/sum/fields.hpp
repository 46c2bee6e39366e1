/// Reads the numbers that stand as text in one field of each row.
#ifndef RIFFLE_CLI_SUM_FIELDS_HPP
#define RIFFLE_CLI_SUM_FIELDS_HPP

#include <fmt/core.h>
#include <riffle/error.hpp>
#include <riffle/rows.hpp>
#include <riffle/source.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace riffle::cli {

/// Which field, and of which rows.
struct summed_field {
  std::size_t number = 0;  // 1: the first
  bool header = false;     // the first row holds names
};

/// The value that is nearest to a number too small or too large for `T`: 0 or so, or an infinity.
template <std::floating_point T>
T nearest(std::string_view digits) {
  const std::string text(digits);
  if constexpr (std::same_as<T, float>) return std::strtof(text.c_str(), nullptr);
  return static_cast<T>(std::strtod(text.c_str(), nullptr));
}

/// Why the text of a field is no number: "is no f64: 'x'". `whole` tells whether it is a number of another
/// size.
inline std::string why_no_number(std::string_view text, std::string_view type, bool whole) {
  return fmt::format("is {} {}: '{}'", whole ? "out of range of" : "no", type, text.substr(0, 40));
}

/// The number in the field; for a float, the nearest. `type` is its name in the message. Throws
/// `riffle::error` with the place.
template <class T>
T number_in(const row& from, const summed_field& field, std::string_view type, const std::string& input) {
  const std::string_view raw = from.at(field.number - 1);
  const std::string_view text = from.unescaped(field.number - 1);
  T value{};
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = failure != std::errc::invalid_argument && end == text.data() + text.size();
  if (failure == std::errc() && whole) return value;
  if constexpr (std::floating_point<T>) {
    value = nearest<T>(text);
    if (whole && !std::isinf(value)) return value;
  }
  const auto position = static_cast<std::uint64_t>(raw.data() - from[0].data());
  throw error(
      errc::invalid_argument, "sum", input, from.offset() + position,
      fmt::format("field {} of row {} {}", field.number, from.number(), why_no_number(text, type, whole)));
}

/// Calls `take` with the numbers of all rows, many at a time. Throws as `number_in` and `riffle::rows` do.
template <class T, class Take>
void for_each_number(source from, const summed_field& field, std::string_view type,
                     const row_options& options, Take take) {
  std::array<T, 512> numbers;
  std::size_t count = 0;
  const std::string name = from.name();
  row_range all(std::move(from), options);
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
