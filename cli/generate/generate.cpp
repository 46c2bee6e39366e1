/// `riffle --generate`: finds the form, writes man pages, and looks the table of commands through for
/// completions.
#include "cli/generate/generate.hpp"

#include <riffle/version.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "text/shown.hpp"

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

namespace {

// Text as roff prints it: a quotation mark or a hyphen of the keyboard would come out as another character.
std::string escaped(std::string_view text) {
  constexpr std::string_view changed = "-\\'\"`^~";
  constexpr std::array escapes{"\\-", "\\(rs", "\\(aq", "\\(dq", "\\(ga", "\\(ha", "\\(ti"};
  std::string roff;
  for (const char each : text) {
    const std::size_t found = changed.find(each);
    found == std::string_view::npos ? roff += each : roff += escapes[found];
  }
  return roff;
}

// A line of its own. A dot at its start would make it a request.
std::string line(std::string_view text) {
  return fmt::format("{}{}\n", text.starts_with('.') ? "\\&" : "", escaped(text));
}

std::string bold(std::string_view text) {
  return fmt::format("\\fB{}\\fR", escaped(text));
}
std::string italic(std::string_view text) {
  return fmt::format("\\fI{}\\fR", escaped(text));
}

std::string title_of(const command& of) {
  std::string title = *of.name == '\0' ? "riffle" : fmt::format("riffle-{}", of.name);
  std::ranges::replace(title, ' ', '-');
  return title;
}

// "[OPTION]... [FILE]..." with the names in italics.
std::string synopsis(std::string_view usage) {
  const auto is_capital = [](char each) { return std::isupper(static_cast<unsigned char>(each)) != 0; };
  std::string roff;
  while (!usage.empty()) {
    const auto* const start = std::ranges::find_if(usage, is_capital);
    const auto* const end = std::find_if_not(start, usage.end(), is_capital);
    roff += escaped({usage.begin(), start});
    if (start != end) roff += italic({start, end});
    usage = {end, usage.end()};
  }
  return roff;
}

std::string typed_as(const option& each) {
  std::string roff = each.short_form == '\0' ? "" : bold(fmt::format("-{}", each.short_form)) + ", ";
  roff += bold(fmt::format("--{}", each.name));
  if (each.takes_argument()) roff += " " + italic(each.argument);
  return roff;
}

std::string options_of(const command& of) {
  return list_of(
      of,
      [](std::string_view group) {
        return group == "Options" ? std::string(".SH OPTIONS\n") : fmt::format(".SS {}\n", group);
      },
      [](const option& each) {
        return fmt::format(".TP\n{}\n{}", typed_as(each), line(meaning_of(each) + "."));
      });
}

std::string description_of(const command& of) {
  std::string roff = ".SH DESCRIPTION\n" + line(fmt::format("{}.", of.summary));
  if (of.operands.name != nullptr) {
    roff += fmt::format(".TP\n{}\n{}", italic(of.operands.name), line(fmt::format("{}.", of.operands.help)));
  }
  if (of.operands.second != nullptr)
    roff += fmt::format(".TP\n{}\n{}", italic(of.operands.second),
                        line(fmt::format("{}.", of.operands.second_help)));
  if (of.operands.after != nullptr)
    roff += fmt::format(".TP\n{}\n{}", italic(of.operands.after),
                        line(fmt::format("{}.", of.operands.after_help)));
  for_each_line(of.notes, [&](std::string_view paragraph) { roff += ".PP\n" + line(paragraph); });
  return roff;
}

std::string list_of_commands() {
  std::string roff = ".SH COMMANDS\n";
  for (const command* each : commands()) {
    roff += fmt::format(".TP\n{}\n{}", bold(each->name), line(fmt::format("{}.", each->summary)));
  }
  return roff;
}

struct described {
  std::string term;
  std::string meaning;
};

// A term with two meanings is listed once.
void add(std::vector<described>& all, std::string_view term, std::string_view meaning) {
  const auto found = std::ranges::find(all, term, &described::term);
  if (found != all.end()) {
    found->meaning += fmt::format("; {}", meaning);
  } else {
    all.push_back({std::string(term), std::string(meaning)});
  }
}

std::string with_first(std::string text, int (*changed)(int)) {
  text.front() = static_cast<char>(changed(static_cast<unsigned char>(text.front())));
  return text;
}

std::string section(std::string_view heading, const std::vector<described>& all) {
  std::string roff = fmt::format(".SH {}\n", heading);
  for (const described& each : all) {
    roff += fmt::format(".TP\n{}\n{}", bold(each.term), line(with_first(each.meaning, std::toupper) + "."));
  }
  return roff;
}

void add(std::vector<described>& all, std::span<const definition> definitions) {
  for (const auto& [term, meaning] : definitions) add(all, term, meaning);
}

std::string statuses_of(const command& of) {
  const std::string wrong_usage = std::to_string(tool_command.usage_status);
  std::vector<described> all;
  for (const auto& [term, meaning] : tool_command.statuses) {
    add(all, term == wrong_usage ? std::to_string(of.usage_status) : term, meaning);
  }
  if (&of != &tool_command) add(all, of.statuses);
  std::ranges::stable_sort(all, {}, [](const described& each) { return std::stoi(each.term); });
  return section("\"EXIT STATUS\"", all);
}

std::string variables_of(const command& of) {
  std::vector<described> all;
  add(all, tool_command.variables);
  if (&of != &tool_command) add(all, of.variables);
  return section("ENVIRONMENT", all);
}

// Less indented than text, so that the lines fit a terminal as they do in the help.
std::string examples_of(const command& of) {
  std::string roff = ".SH EXAMPLES\n.in 2n\n.EX\n";
  for_each_line(of.examples, [&](std::string_view example) {
    roff += line(example.substr(std::min(example.find_first_not_of(' '), example.size())));
  });
  return roff + ".EE\n";
}

std::string see_also(const command& of) {
  std::string roff = ".SH \"SEE ALSO\"\n";
  std::string_view separator;
  const auto add = [&](const command* each) {
    if (each == &of) return;
    roff += fmt::format("{}{}(1)", separator, bold(title_of(*each)));
    separator = ",\n";
  };
  add(&tool_command);
  std::ranges::for_each(commands(), add);
  return roff + "\n";
}

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

std::string man_page(const command& of) {
  const bool whole = &of == &tool_command;
  const std::string title = title_of(of);
  std::string heading = title;
  std::ranges::transform(heading, heading.begin(), [](unsigned char each) { return std::toupper(each); });
  const std::string summary = with_first(of.summary, std::tolower);
  return fmt::format(".TH {} 1 \"\" \"riffle {}\" \"User Commands\"\n.nh\n.ad l\n", escaped(heading),
                     version()) +
         fmt::format(".SH NAME\n{} \\- {}\n", escaped(title), escaped(summary)) +
         fmt::format(".SH SYNOPSIS\n{} {}\n", bold(whole ? "riffle" : fmt::format("riffle {}", of.name)),
                     synopsis(whole ? std::string(usage_of_tool) : usage_of(of))) +
         description_of(of) + (whole ? list_of_commands() : "") + options_of(of) + statuses_of(of) +
         variables_of(of) + examples_of(of) + see_also(of);
}

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
    const command* of = words.empty() ? &tool_command : nullptr;
    for (const command* each : commands()) {
      if (each->name == words_of_command) of = each;
    }
    if (of == nullptr) throw text::usage_error(fmt::format("unknown command '{}'", words_of_command));
    return man_page(*of);
  }
  if (!words.empty()) throw text::usage_error(fmt::format("unexpected argument '{}'", words.front()));
  return found->print();
}

}  // namespace riffle::cli
