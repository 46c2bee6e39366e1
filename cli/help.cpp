/// The tool itself as data, its help in two columns, and its lists of methods and SIMD kernels.
#include "cli/command.hpp"

#include <riffle/kernels.hpp>
#include <riffle/methods.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/command_line.hpp"
#include "cli/generate/generate.hpp"
#include "cli/output.hpp"
#include "text/shown.hpp"
#include "text/typed.hpp"

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

// What does the job of a program that people know.
constexpr std::array known{std::pair<std::string_view, std::string_view>{"cut", "cat --columns"},
                           std::pair<std::string_view, std::string_view>{"head", "cat --head"},
                           std::pair<std::string_view, std::string_view>{"tail", "cat --tail"},
                           std::pair<std::string_view, std::string_view>{"zcat", "cat --decompress"},
                           std::pair<std::string_view, std::string_view>{"grep", "cat --containing"},
                           std::pair<std::string_view, std::string_view>{"uniq", "freq or cat --distinct"},
                           std::pair<std::string_view, std::string_view>{"awk", "cat --columns or sum"}};

struct help_arguments : arguments {
  std::vector<std::string> words;
};

int run_help(const help_arguments& given) {
  const auto& words = given.words;
  if (!words.empty()) return print_help(*command_in(words[0], words.size() > 1 ? words[1] : "").first);
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

int list(const arguments& /*given*/) {
  std::string text = "Methods (--method)\n";
  for (const method_info& info : methods()) {
    text += fmt::format("  {:<10} {}\n  {:<10} reads {}\n", info.name, info.description, "", info.inputs);
    if (const auto reason = info.unavailable())
      text += fmt::format("  {:<10} not available: {}\n", "", *reason);
  }
  text += "Formats (--decode)\n";
  for (const decoder_info& info : decoders()) {
    if (info.unavailable.empty()) {
      text += fmt::format("  {:<10} by {}{}{}\n", info.name, info.library,
                          info.parts.empty() ? "" : "; several threads decode ", info.parts);
    } else {
      text += fmt::format("  {:<10} not available: {}\n", info.name, info.unavailable);
    }
  }
  text += "SIMD kernels (RIFFLE_KERNEL)\n";
  for (const kernel_info& kernel : kernels()) {
    text += fmt::format("  {:<12} {:<10} {}\n", kernel.name, kernel.active ? "active" : "available",
                        kernel.description);
  }
  write(text);
  return success;
}

constexpr std::array options{
    option{.name = "version", .short_form = 'V', .help = "Print the version and exit"},
    option{.name = "generate",
           .argument = "FORM",
           .help = "Print the man page of the tool or of the COMMAND after FORM, the completion of a shell, "
                   "or the names of the commands, and exit",
           .words = form_names}};

constexpr std::array statuses{
    definition{"0", "success"}, definition{"1", "an input or the output failed"},
    definition{"2", "the command line is wrong, or RIFFLE_KERNEL names no SIMD kernel of this processor"},
    definition{"130, 143, 129",
               "SIGINT (Ctrl-C), SIGTERM or SIGHUP ended riffle; the status is the shell's"}};

constexpr std::array variables{
    definition{"RIFFLE_KERNEL",
               "the SIMD kernel to use: one that riffle methods lists; default: the best one"},
    definition{"TERM", "if it is dumb, riffle shows no progress and prints without colour"},
    definition{"POSIXLY_CORRECT", "if it is set, the first file ends the options"}};

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

std::pair<const command*, std::size_t> command_in(std::string_view first, std::string_view second) {
  const std::string longer = fmt::format("{} {}", first, second);
  const command* found = nullptr;
  for (const command* each : commands()) {
    if (each->name == longer) return {each, 2};
    if (each->name == first) found = each;
  }
  if (found != nullptr) return {found, 1};
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

constexpr command methods_command{
    .name = "methods",
    .summary = "List the reading methods, the formats that are decoded, and the SIMD kernels",
    .options = {},
    .examples =
        "  riffle methods\n"
        "  RIFFLE_KERNEL=scalar riffle methods   for any command: use this SIMD kernel\n",
    .run = run<arguments, list>};

constexpr command tool_command{
    .name = "",
    .summary = "Count, sum, copy and split files, by the reading method that riffle picks",
    .options = options,
    .notes = "Options and examples of a command: riffle wc --help",
    .examples =
        "  riffle wc access.log\n"
        "  riffle --generate man bench reproduce | man -l -\n"
        "  source <(riffle --generate bash)\n",
    .statuses = statuses,
    .variables = variables};

}  // namespace riffle::cli
