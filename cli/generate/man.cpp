/// Writes a man page in the macros of man(7), which groff and mandoc know.
#include <fmt/core.h>
#include <riffle/version.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/generate/generate.hpp"
#include "cli/help.hpp"

namespace riffle::cli {

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

}  // namespace riffle::cli
