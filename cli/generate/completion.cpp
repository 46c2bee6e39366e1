/// Looks the table of commands through for the completions.
#include "cli/generate/completion.hpp"

#include <algorithm>

#include "cli/commands.hpp"

namespace riffle::cli {

std::vector<const command*> first_commands() {
  std::vector<const command*> found;
  std::ranges::copy_if(commands(), std::back_inserter(found), [](const command* each) {
    return std::string_view(each->name).find(' ') == std::string_view::npos;
  });
  return found;
}

std::vector<std::string_view> second_words(const command& first) {
  const std::string start = std::string(first.name) + ' ';
  std::vector<std::string_view> words;
  for (const command* each : commands()) {
    const std::string_view name = each->name;
    if (name.starts_with(start)) words.push_back(name.substr(start.size()));
  }
  return words;
}

bool takes_list(const option& each) {
  return std::string_view(each.argument).ends_with(",...");
}

std::string shell_word(std::string_view text) {
  std::string word = "'";
  for (const char each : text) each == '\'' ? word += R"('\'')" : word += each;
  return word + "'";
}

}  // namespace riffle::cli
