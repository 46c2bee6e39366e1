/// Joins texts. fmt::join would compile all of fmt's formatting in each file that uses it.
#pragma once

#include <ranges>
#include <string>
#include <string_view>

namespace riffle::text {

/// The texts in their order, with `separator` between each two.
template <std::ranges::input_range Texts>
std::string joined(const Texts& texts, std::string_view separator) {
  std::string all;
  bool first = true;
  for (const std::string_view each : texts) {
    if (!first) all += separator;
    all += each;
    first = false;
  }
  return all;
}

}  // namespace riffle::text
