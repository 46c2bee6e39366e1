/// The table of commands: with the benchmark's in cli/bench, without them in cli/plain, as the build chooses.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/command.hpp"

namespace riffle::cli {

/// The tool itself: its name is empty; its exit statuses and variables are those of every command.
extern const command tool_command;

extern const command wc_command;
extern const command wc_called_command;  // `riffle` called as `wc`; not listed
extern const command count_command;
extern const command sum_command;
extern const command freq_command;
extern const command cat_command;
extern const command split_command;
extern const command advise_command;
extern const command methods_command;
extern const command help_command;

/// All commands, in the order in which they are listed. "bench reproduce" stands after "bench".
std::span<const command* const> commands() noexcept;
/// The command of that name; nullptr: there is none.
const command* command_named(std::string_view name) noexcept;
/// The command that stands first, and how many words its name has. Throws text::usage_error.
std::pair<const command*, std::size_t> command_in(const std::vector<std::string_view>& words);

}  // namespace riffle::cli
