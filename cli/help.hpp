/// Help is printed from the table of commands alone.
#ifndef RIFFLE_CLI_HELP_HPP
#define RIFFLE_CLI_HELP_HPP

#include <span>
#include <string>
#include <string_view>

#include "cli/command.hpp"

namespace riffle::cli {

/// What `riffle COMMAND --help` prints, in lines of at most 80 columns, each with its end. `called`: what the
/// user types before the options; empty: `riffle COMMAND`.
std::string help_of(const command& self, std::string_view called = {});
/// What `riffle --help` prints.
std::string help_of_tool(std::span<const option> options, std::span<const command* const> commands);
/// Prints the help of a command; returns `success`, or throws like `write`.
int print_help(const command& self, std::string_view called = {});

}  // namespace riffle::cli

#endif
