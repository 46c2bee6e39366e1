/// `riffle --generate`: finds the form, and the command of a man page.
#include "cli/generate/generate.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "cli/command_line.hpp"
#include "cli/commands.hpp"
#include "text/joined.hpp"

namespace riffle::cli {

namespace {

std::string command_names() {
  std::string names;
  for (const command* each : commands()) names += fmt::format("{}\n", each->name);
  return names;
}

struct form {
  std::string_view name;
  std::string (*print)();  // nullptr: a man page, which is that of one command
};
constexpr std::array forms{form{"man", nullptr}, form{"bash", bash_completion}, form{"zsh", zsh_completion},
                           form{"fish", fish_completion}, form{"commands", command_names}};

}  // namespace

std::vector<std::string_view> form_names() {
  std::vector<std::string_view> names;
  names.reserve(forms.size());
  for (const form& each : forms) names.push_back(each.name);
  return names;
}

std::string generated(std::string_view name, std::span<char* const> words) {
  const auto* const found = std::ranges::find(forms, name, &form::name);
  if (found == forms.end()) {
    throw text::usage_error(fmt::format("--generate '{}': {}", name, no_such("form", form_names()).what()));
  }
  if (found->print == nullptr) {
    const std::string words_of_command = text::joined(words, " ");
    const command* const of = words.empty() ? &tool_command : command_named(words_of_command);
    if (of == nullptr) throw text::usage_error(fmt::format("unknown command '{}'", words_of_command));
    return man_page(*of);
  }
  if (!words.empty()) throw text::usage_error(fmt::format("unexpected argument '{}'", words.front()));
  return found->print();
}

}  // namespace riffle::cli
