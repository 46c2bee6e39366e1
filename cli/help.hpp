/// Help is printed from the table of commands alone.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

#include "cli/command.hpp"

namespace riffle::cli {

/// What the user types after the name of the tool, or of a command.
inline constexpr std::string_view usage_of_tool = "[OPTION] COMMAND [ARGUMENT]...";
std::string usage_of(const command& self);
/// The help of an option: what its table says about it, without a full stop.
std::string meaning_of(const option& each);

/// Calls `use` with each line of the text, without its end.
template <class Use>
void for_each_line(std::string_view text, Use use) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    use(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

/// What `riffle COMMAND --help` prints, in lines of at most 80 columns, each with its end. `called`: what the
/// user types before the options; empty: `riffle COMMAND`.
std::string help_of(const command& self, std::string_view called = {});
/// What `riffle --help` prints.
std::string help_of_tool();
/// Prints the help of a command; returns `success`, or throws like `write`.
int print_help(const command& self, std::string_view called = {});

}  // namespace riffle::cli
