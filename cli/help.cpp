/// Prints help in two columns: the option as it is typed, and its meaning.
#include "cli/help.hpp"

#include <fmt/core.h>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "text/columns.hpp"
#include "text/joined.hpp"

namespace riffle::cli {

namespace {

// The start of the second column. A wider entry has its meaning on the next line.
constexpr std::size_t second_column = 26;

std::string entry(const std::string& typed, const std::string& meaning) {
  const std::string indent(second_column, ' ');
  const std::string left = "  " + typed;
  if (text::columns_of(left) + 2 > second_column) {
    return left + "\n" + text::wrapped(indent + meaning, second_column);
  }
  return text::wrapped(text::left_aligned(left, second_column) + meaning, second_column);
}

// "-l, --lines", "    --method NAME"
std::string typed_as(const option& each) {
  const std::string short_form = each.short_form == '\0' ? "    " : fmt::format("-{}, ", each.short_form);
  return fmt::format("{}--{}{}{}", short_form, each.name, each.takes_argument() ? " " : "", each.argument);
}

std::string list_of(const command& of) {
  return list_of(
      of, [](std::string_view group) { return fmt::format("\n{}:\n", group); },
      [](const option& each) { return entry(typed_as(each), meaning_of(each)); });
}

// Each paragraph in lines of at most 80 columns.
std::string paragraphs(std::string_view notes) {
  std::string text;
  for_each_line(notes, [&](std::string_view paragraph) { text += "\n" + text::wrapped(paragraph, 0); });
  return text;
}

}  // namespace

std::string usage_of(const command& self) {
  const operand& operands = self.operands;
  std::string text = "[OPTION]...";
  if (operands.name == nullptr) return text;
  for (std::size_t i = 0; i < operands.least; ++i) text += fmt::format(" {}", operands.name);
  text += operands.second == nullptr ? fmt::format(" [{}]...", operands.name)
                                     : fmt::format(" [{} [{}]]", operands.name, operands.second);
  return operands.after == nullptr ? text : text + fmt::format(" [-- {}]...", operands.after);
}

std::string meaning_of(const option& each) {
  std::string text = each.help;
  if (each.words != nullptr && !each.explained)
    text += fmt::format("{}{}", text.empty() ? "" : ": ", text::joined(each.words(), ", "));
  if (each.required) text += " (required)";
  if (*each.preset != '\0') text += fmt::format(" (default: {})", each.preset);
  if (each.needs != nullptr) text += fmt::format(" (with --{})", each.first_need());
  return text;
}

std::vector<option> options_with_help(const command& of) {
  std::vector<option> all(of.options.begin(), of.options.end());
  const auto in_group = [](const option& each) { return *each.group != '\0'; };
  all.insert(std::ranges::find_if(all, in_group), *of.help);
  return all;
}

std::string help_of(const command& self, std::string_view called) {
  const operand& operands = self.operands;
  std::string text = text::wrapped(fmt::format("{}.", self.summary), 0);
  text += fmt::format("\nUsage: {} {}\n", called.empty() ? fmt::format("riffle {}", self.name) : called,
                      usage_of(self));
  if (operands.name != nullptr) text += "\n" + entry(operands.name, operands.help);
  if (operands.second != nullptr) text += entry(operands.second, operands.second_help);
  if (operands.after != nullptr) text += entry(operands.after, operands.after_help);
  text += list_of(self);
  text += paragraphs(self.notes);
  if (*self.examples != '\0') text += fmt::format("\nExamples:\n{}", self.examples);
  return text;
}

std::string help_of_tool() {
  std::string text =
      fmt::format("{}.\n\nUsage: riffle {}\n\nCommands:\n", tool_command.summary, usage_of_tool);
  for (const command* each : commands()) text += entry(each->name, each->summary);
  return text + list_of(tool_command) + paragraphs(tool_command.notes);
}

int print_help(const command& self, std::string_view called) {
  write(help_of(self, called));
  return success;
}

}  // namespace riffle::cli
