/// Help is printed from the table of commands alone.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.hpp"

namespace riffle::cli {

/// What the user types after the name of the tool, or of a command.
inline constexpr std::string_view usage_of_tool = "[OPTION] COMMAND [ARGUMENT]...";
std::string usage_of(const command& self);
/// The help of an option: what its table says about it, without a full stop.
std::string meaning_of(const option& each);

/// The options of a command in the order of its help, which has --help after those without a group.
std::vector<option> options_with_help(const command& of);
/// The text of all options: `heading(std::string_view group)` before each group, "Options" if it has no name,
/// and `text(const option&)`.
template <class Heading, class Text>
std::string list_of(const command& of, Heading heading, Text text) {
  std::string list;
  std::optional<std::string_view> group;
  for (const option& each : options_with_help(of)) {
    if (group != each.group) list += heading(*each.group == '\0' ? "Options" : each.group);
    group = each.group;
    list += text(each);
  }
  return list;
}

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
