/// Man pages and completions are printed from the table of commands, as the help is.
#pragma once

#include <span>
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

/// What `--generate` can print.
std::vector<std::string_view> form_names();
/// Returns what `riffle --generate FORM [COMMAND]` prints. The command may have two words; without one it is
/// the tool itself. Throws text::usage_error.
std::string generated(std::string_view form, std::span<char* const> command);

/// Returns a page of section 1 in roff, in ASCII: `riffle-wc.1` of `wc`, `riffle.1` of the tool itself.
std::string man_page(const command& of);
/// Return the file that a shell loads to complete command lines of riffle.
std::string bash_completion();
std::string zsh_completion();
std::string fish_completion();

}  // namespace riffle::cli
