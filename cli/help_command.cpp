/// `riffle help`: prints the help of a command, which it finds as the command line names it.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/command_line.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "text/nearest.hpp"

namespace riffle::cli {

namespace {

// What does the job of a program that people know.
constexpr std::array known{std::pair<std::string_view, std::string_view>{"cut", "cat --columns"},
                           std::pair<std::string_view, std::string_view>{"head", "cat --head"},
                           std::pair<std::string_view, std::string_view>{"tail", "cat --tail"},
                           std::pair<std::string_view, std::string_view>{"zcat", "cat --decompress"},
                           std::pair<std::string_view, std::string_view>{"grep", "cat --containing"}};

struct help_arguments : arguments {
  std::vector<std::string> words;
};

int run_help(const help_arguments& given) {
  if (!given.words.empty()) return print_help(*command_in({given.words.begin(), given.words.end()}).first);
  write(help_of_tool());
  return success;
}

// Not those of two words, of which a shell would make two.
std::vector<std::string_view> names_of_commands() {
  std::vector<std::string_view> names;
  for (const command* each : commands()) {
    if (std::string_view(each->name).find(' ') == std::string_view::npos) names.emplace_back(each->name);
  }
  return names;
}

}  // namespace

std::pair<const command*, std::size_t> command_in(const std::vector<std::string_view>& words) {
  const std::string_view first = words.front();
  if (words.size() > 1) {
    const command* const longer = command_named(fmt::format("{} {}", first, words[1]));
    if (longer != nullptr) return {longer, 2};
  }
  if (const command* const found = command_named(first)) return {found, 1};
  const auto* const job = std::ranges::find(known, first, &decltype(known)::value_type::first);
  const std::vector<std::string_view> all = names_of_commands();
  const std::vector<std::string> names(all.begin(), all.end());
  const std::string hint = job == known.end() ? did_you_mean(text::nearest(first, names))
                                              : fmt::format("; use riffle {}", job->second);
  throw text::usage_error(fmt::format("unknown command '{}'{}", first, hint));
}

constexpr command help_command{
    .name = "help",
    .summary = "Print the help of a command",
    .operands = {.name = "COMMAND",
                 .help = "Command, such as wc; if you name none, riffle lists them",
                 .set = add_to<&help_arguments::words>,
                 .words = names_of_commands},
    .examples = "  riffle help wc\n",
    .run = run<help_arguments, run_help>};

}  // namespace riffle::cli
