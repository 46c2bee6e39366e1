/// Writes the completion for zsh, in the terms of its function _arguments.
#include <fmt/core.h>
#include <riffle/version.hpp>

#include "cli/command.hpp"
#include "cli/generate/generate.hpp"
#include "text/shown.hpp"

namespace riffle::cli {

namespace {

constexpr std::string_view start = R"(
_riffle() {
  local curcontext=$curcontext state line ret=1
  local -A opt_args
)";

constexpr std::string_view end = R"(  esac
  return ret
}
if [[ $funcstack[1] == _riffle ]]; then
  _riffle "$@"
else
  compdef _riffle riffle
fi
)";

// Text in which _arguments finds no end of a description.
std::string escaped(std::string_view text) {
  std::string safe;
  for (const char each : text) {
    if (std::string_view("\\[]:").find(each) != std::string_view::npos) safe += '\\';
    safe += each;
  }
  return safe;
}

// What can stand for an argument: ":NAME:(automatic read)"; "" without one.
std::string argument_of(const option& each) {
  if (!each.takes_argument()) return {};
  const std::vector<std::string_view> words = words_of(each);
  const std::string all = text::joined(words, " ");
  const std::string action = words.empty()      ? "_files"
                             : takes_list(each) ? fmt::format("_sequence compadd - {}", all)
                                                : fmt::format("({})", all);
  return fmt::format(":{}:{}", escaped(each.argument), action);
}

// One argument of _arguments: '(-l --lines)'{-l,--lines}'[Count newlines]'. A list may be given again.
std::string specification(const option& each) {
  const std::string described =
      shell_word(fmt::format("[{}]{}", escaped(meaning_of(each)), argument_of(each)));
  const std::string long_form = fmt::format("--{}{}", each.name, each.takes_argument() ? "=" : "");
  if (each.short_form == '\0')
    return fmt::format("{}{}{}", takes_list(each) ? "\\*" : "", long_form, described);
  const std::string_view plus = each.takes_argument() ? "+" : "";
  return fmt::format("'(-{0} --{1})'{{-{0}{2},{3}}}{4}", each.short_form, each.name, plus, long_form,
                     described);
}

std::string options_of(const command& of) {
  std::string text;
  for (const option& each : options_with_help(of)) text += fmt::format(" \\\n    {}", specification(each));
  return text;
}

std::string operands_of(const command& of) {
  std::string text;
  const std::vector<std::string_view> second = second_words(of);
  if (!second.empty()) {
    // Without the space before it, _arguments would pass options of compadd, which _alternative refuses.
    text += " \\\n    " +
            shell_word(fmt::format("1: : _alternative \"commands\\:command\\:({})\" \"files\\:{}\\:_files\"",
                                   text::joined(second, " "), of.operands.name));
  }
  if (of.operands.name == nullptr) return text;
  const std::vector<std::string_view> words = words_of(of.operands);
  return text + " \\\n    " +
         shell_word(fmt::format("*:{}:{}", of.operands.name,
                                words.empty() ? "_files" : fmt::format("({})", text::joined(words, " "))));
}

std::string tool_arguments() {
  std::string text = "  _arguments -C -S" + options_of(tool_command);
  std::string names;
  for (const command* each : first_commands()) {
    names += fmt::format(" {}\\:{}", each->name, shell_word(escaped(each->summary)));
  }
  return text + " \\\n    " + shell_word(fmt::format("1:COMMAND:(({}))", names.substr(1))) +
         " \\\n    '*:: :->command' && ret=0\n  [[ $state == command ]] || return ret\n"
         "  local command=$words[1]\n";
}

// The command of two words, if the words before the cursor have both.
std::string second_word() {
  std::string text;
  for (const command* first : first_commands()) {
    for (const std::string_view second : second_words(*first)) {
      text += fmt::format(
          "  if (( CURRENT > 2 )) && [[ $command == {0} && $words[2] == {1} ]]; then\n"
          "    command='{0} {1}'\n    shift words\n    (( CURRENT-- ))\n  fi\n",
          first->name, second);
    }
  }
  return text;
}

}  // namespace

std::string zsh_completion() {
  std::string text =
      fmt::format("#compdef riffle\n# Completion of riffle {} for zsh, by riffle --generate zsh.", version());
  text += std::string(start) + tool_arguments() + second_word() + "  case $command in\n";
  for (const command* each : commands()) {
    text += fmt::format("  {})\n    _arguments -s -S{}{} && ret=0\n    ;;\n", shell_word(each->name),
                        options_of(*each), operands_of(*each));
  }
  return text + std::string(end);
}

}  // namespace riffle::cli
