/// What stands for the values of an enumeration in texts and reports, and the value of a name.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace riffle::bench {

struct named_value {
  std::string_view name;
  std::string_view description = {};  // one clause, for headings; empty if no heading has it
};

/// The values of an enumeration, in its order. Each enumeration that has names specialises it.
template <class Enum>
inline constexpr std::array<named_value, 0> named_values{};

template <class Enum>
concept has_names = !named_values<Enum>.empty();

template <has_names Enum>
constexpr std::string_view name_of(Enum value) {
  return named_values<Enum>.at(static_cast<std::size_t>(value)).name;
}

template <has_names Enum>
constexpr std::string_view description_of(Enum value) {
  return named_values<Enum>.at(static_cast<std::size_t>(value)).description;
}

/// The value of that name; nothing if there is none.
template <has_names Enum>
std::optional<Enum> value_named(std::string_view name) noexcept {
  const auto found = std::ranges::find(named_values<Enum>, name, &named_value::name);
  if (found == named_values<Enum>.end()) return std::nullopt;
  return static_cast<Enum>(found - named_values<Enum>.begin());
}

}  // namespace riffle::bench
