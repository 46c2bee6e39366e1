/// What the completions of all shells need of the table of commands.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/command.hpp"

namespace riffle::cli {

/// The commands of one word.
std::vector<const command*> first_commands();
/// The second words of the commands of two words that begin with this one: "compare" and "reproduce" of
/// bench.
std::vector<std::string_view> second_words(const command& first);

/// What the argument can be; empty: a file, or anything.
std::vector<std::string_view> words_of(const auto& option_or_operand) {
  return option_or_operand.words == nullptr ? std::vector<std::string_view>() : option_or_operand.words();
}
/// Whether the argument is a list of words, separated by commas: the table writes it "TASK,...".
bool takes_list(const option& each);

/// The text as one word of a Bourne shell, in single quotes.
std::string shell_word(std::string_view text);

}  // namespace riffle::cli
