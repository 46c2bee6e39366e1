/// Writes the completion for fish: one line of `complete` an option.
#include <fmt/core.h>
#include <riffle/version.hpp>

#include "cli/command.hpp"
#include "cli/generate/generate.hpp"
#include "text/shown.hpp"

namespace riffle::cli {

namespace {

// Whether the words before the cursor name this command. Options of the tool with an argument end the search.
constexpr std::string_view start = R"(
function __riffle_runs
    set -l words (commandline -opc)
    set -e words[1]
    while string match -q -- '-*' "$words[1]"
        switch $words[1]
            case {}
                set -e words[1]
        end
        set -e words[1]
    end
    set -l command $words[1]
    contains -- "$words[1..2]" {}; and set command $words[1..2]
    test "$command" = "$argv"
end
complete -c riffle -f
)";

// In fish a quotation mark within quotes has a backslash.
std::string in_quotes(std::string_view text) {
  std::string word = "'";
  for (const char each : text) {
    if (each == '\'' || each == '\\') word += '\\';
    word += each;
  }
  return word + "'";
}

std::string line(const command& of, const std::string& rest) {
  const std::string condition =
      *of.name == '\0' ? "__riffle_runs" : fmt::format("'__riffle_runs {}'", of.name);
  return fmt::format("complete -c riffle -n {} {}\n", condition, rest);
}

std::string words_for(const std::vector<std::string_view>& words, bool list) {
  const std::string all = text::joined(words, " ");
  return in_quotes(list ? fmt::format("(__fish_append , {})", all) : all);
}

std::string options_of(const command& of) {
  std::string text;
  for (const option& each : options_with_help(of)) {
    std::string typed = fmt::format("-l {}", each.name);
    if (each.short_form != '\0') typed += fmt::format(" -s {}", each.short_form);
    const std::vector<std::string_view> words = words_of(each);
    if (!words.empty()) {
      typed += fmt::format(" -x -a {}", words_for(words, takes_list(each)));
    } else if (each.takes_argument()) {
      typed += " -r -F";
    }
    text += line(of, fmt::format("{} -d {}", typed, in_quotes(meaning_of(each))));
  }
  return text;
}

std::string operands_of(const command& of) {
  if (of.operands.name == nullptr) return {};
  const std::vector<std::string_view> words = words_of(of.operands);
  if (!words.empty()) return line(of, "-a " + words_for(words, false));
  const std::vector<std::string_view> second = second_words(of);
  return line(of, "-F" + (second.empty() ? "" : " -a " + words_for(second, false)));
}

std::string head() {
  std::string with_argument;
  for (const option& each : tool_command.options) {
    if (each.takes_argument())
      with_argument += fmt::format("{}--{}", with_argument.empty() ? "" : " ", each.name);
  }
  std::vector<std::string> pairs;
  for (const command* first : first_commands()) {
    for (const std::string_view second : second_words(*first)) {
      pairs.push_back(in_quotes(fmt::format("{} {}", first->name, second)));
    }
  }
  return fmt::format(start, with_argument, text::joined(pairs, " "));
}

}  // namespace

std::string fish_completion() {
  std::string text = fmt::format("# Completion of riffle {} for fish, by riffle --generate fish.", version());
  text += head();
  for (const command* each : first_commands()) {
    text += line(tool_command, fmt::format("-a {} -d {}", each->name, in_quotes(each->summary)));
  }
  text += options_of(tool_command);
  for (const command* each : commands()) text += options_of(*each) + operands_of(*each);
  return text;
}

}  // namespace riffle::cli
