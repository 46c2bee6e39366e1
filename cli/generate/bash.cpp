/// Writes the completion for bash.
#include <fmt/core.h>
#include <riffle/version.hpp>

#include "cli/command.hpp"
#include "cli/generate/generate.hpp"
#include "text/shown.hpp"

namespace riffle::cli {

namespace {

// bash takes `=` for a word of its own.
constexpr std::string_view start = R"(
_riffle() {
  local word=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]} IFS=$' \t\n'
  local argument=- list='' files=1 command='' options='' operands='' prefix='' i
  if [[ $word == '=' ]]; then
    option+='=' word=''
  elif [[ $option == '=' ]]; then
    option=${COMP_WORDS[COMP_CWORD - 2]}=
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case ${COMP_WORDS[i]} in
)";

// `argument` stays `-` if the word before is no option that takes one. Then `files` tells whether a file can
// stand here; readline offers files if COMPREPLY is empty.
constexpr std::string_view end = R"(  esac
  if [[ $argument != - ]]; then
    operands=$argument
  elif [[ $word == -* ]]; then
    operands=$options
    for i in "${COMP_WORDS[@]:0:COMP_CWORD}"; do
      [[ $i == -- ]] && operands=''
    done
  fi
  if [[ $list && $word == *,* ]]; then
    prefix=${word%,*}, word=${word##*,}
  fi
  COMPREPLY=($(compgen -P "$prefix" -W "$operands" -- "$word"))
  if [[ ! $files ]]; then
    compopt +o default +o bashdefault
  elif [[ $operands && $argument == - && $word != -* ]]; then
    compopt -o filenames
    mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$word")
  fi
}
complete -o bashdefault -o default -F _riffle riffle
)";

// The option as it stands before its argument, as a pattern: "--method | --method=".
std::string before_argument(const option& each) {
  const std::string long_form = fmt::format("--{0} | --{0}=", each.name);
  return each.short_form == '\0' ? long_form : fmt::format("-{} | {}", each.short_form, long_form);
}

std::string option_words(const command& of) {
  std::string words;
  for (const option& each : options_with_help(of)) {
    words += fmt::format("{}--{}", words.empty() ? "" : " ", each.name);
    if (each.short_form != '\0') words += fmt::format(" -{}", each.short_form);
  }
  return words;
}

// The branch of a command, which sets what `end` offers.
std::string branch(const command& of, const std::vector<std::string_view>& operands, bool files) {
  std::string text =
      fmt::format("    {})\n      options={}\n", shell_word(of.name), shell_word(option_words(of)));
  if (!operands.empty()) text += fmt::format("      operands={}\n", shell_word(text::joined(operands, " ")));
  if (!files) text += "      files=''\n";
  text += "      case $option in\n";
  for (const option& each : of.options) {
    if (!each.takes_argument()) continue;
    const std::vector<std::string_view> words = words_of(each);
    text += fmt::format("        {})", before_argument(each));
    text += words.empty() ? " argument='' files=1 ;;\n"
                          : fmt::format(" argument={} files=''{} ;;\n", shell_word(text::joined(words, " ")),
                                        takes_list(each) ? " list=1" : "");
  }
  return text + "      esac\n      ;;\n";
}

// The first words that are no options name the command.
std::string search() {
  std::string text;
  for (const option& each : tool_command.options) {
    if (!each.takes_argument()) continue;
    text += fmt::format(
        "      --{})\n        [[ ${{COMP_WORDS[i + 1]}} == '=' ]] && ((i++))\n        ((i++))\n        ;;\n",
        each.name);
  }
  text +=
      "      -*) ;;\n      *)\n        command=${COMP_WORDS[i]}\n        break\n        ;;\n    esac\n  "
      "done\n";
  for (const command* first : first_commands()) {
    for (const std::string_view second : second_words(*first)) {
      text += fmt::format(
          "  [[ $command == {0} && ${{COMP_WORDS[i + 1]}} == {1} ]] && ((i + 1 < COMP_CWORD)) && "
          "command={2}\n",
          first->name, second, shell_word(fmt::format("{} {}", first->name, second)));
    }
  }
  return text + "  case $command in\n";
}

}  // namespace

std::string bash_completion() {
  std::vector<std::string_view> names;
  for (const command* each : first_commands()) names.emplace_back(each->name);
  std::string text = fmt::format("# Completion of riffle {} for bash, by riffle --generate bash.", version());
  text += std::string(start) + search() + branch(tool_command, names, false);
  for (const command* each : commands()) {
    std::vector<std::string_view> operands = second_words(*each);
    if (operands.empty()) operands = words_of(each->operands);
    text += branch(*each, operands, each->operands.name != nullptr && each->operands.words == nullptr);
  }
  return text + std::string(end);
}

}  // namespace riffle::cli
