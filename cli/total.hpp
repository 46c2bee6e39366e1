/// When a command prints the total of several files.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "cli/command.hpp"

namespace riffle::cli {

/// `automatic`: for several files. `only`: nothing else. The words of --total are in the same order.
enum class total_row : std::uint8_t { automatic, always, only, never };
inline constexpr std::array<std::string_view, 4> total_words{"auto", "always", "only", "never"};

std::vector<std::string_view> words_of_total();
/// The value of a word, which may be abbreviated. Throws text::usage_error.
total_row parse_total(std::string_view value);

/// Whether the total of so many files is printed.
constexpr bool prints_total(total_row when, std::size_t files) {
  return when == total_row::automatic ? files > 1 : when != total_row::never;
}

/// Whether rows have names: they are not alone.
constexpr bool names_rows(total_row when, std::size_t files) {
  return when == total_row::always || (when != total_row::only && files > 1);
}

/// The option --total, by its setter.
constexpr std::array<option, 1> total_options(setter set) {
  return {option{.name = "total",
                 .argument = "WHEN",
                 .help = "When to print a row of totals",
                 .preset = "auto",
                 .words = words_of_total,
                 .set = set}};
}

}  // namespace riffle::cli
