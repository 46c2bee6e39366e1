/// A command is data: its texts, its options and its function. All help is printed from it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "text/typed.hpp"

namespace riffle::cli {

/// The exit statuses: success; an input or an output failed;
/// the command line was wrong; too little was measured to tell.
enum exit_status : int { success = 0, failure = 1, usage = 2, undecided = 3 };

struct command;
struct option;

/// What the command line gave a command. Each command derives its own, and its options fill that.
struct arguments {
  const command* running = nullptr;   // set by `parse`
  std::vector<const option*> seen;    // as well
  std::optional<bool> progress = {};  // of a command with `progress_options`; nothing: riffle decides
};

/// Stores one value. Throws text::usage_error, without the name
/// of the option and the value as typed, which the parser adds.
using setter = void (*)(arguments& given, std::string_view value);

/// A member of what a command derives from `arguments`, or a member of that one, and so on.
template <class Derived, class Outer, class... Inner>
auto& member_of(arguments& given, Outer Derived::* outer, Inner... inner) {
  return ((static_cast<Derived&>(given).*outer).*....*inner);
}
/// The setter of an option without an argument: stores `value` in `member_of(given, path...)`.
template <auto value, auto... path>
void set_to(arguments& given, std::string_view /*typed*/) {
  member_of(given, path...) = value;
}
/// The setter of an option with one: stores what `parse` makes of it.
template <auto parse, auto... path>
void set_by(arguments& given, std::string_view typed) {
  auto& member = member_of(given, path...);
  member = static_cast<std::remove_reference_t<decltype(member)>>(parse(typed));
}
/// The same for an option whose lists add up.
template <auto parse, auto... path>
void append_by(arguments& given, std::string_view typed) {
  auto& list = member_of(given, path...);
  using value = typename std::remove_reference_t<decltype(list)>::value_type;
  for (auto& each : parse(typed)) list.push_back(static_cast<value>(std::move(each)));
}
/// The setter of operands: adds each to a list.
template <auto list>
void add_to(arguments& given, std::string_view typed) {
  member_of(given, list).emplace_back(typed);
}

/// One option.
struct option {
  const char* name;                                    // without "--"
  char short_form = '\0';                              // '\0': it has none
  const char* argument = "";                           // its name in the help; empty: the option takes none
  const char* help = "";                               // without a full stop at the end
  const char* preset = "";                             // the default; empty: not shown
  std::vector<std::string_view> (*words)() = nullptr;  // what the argument can be, appended to the help
  bool explained = false;                              // the help names the words itself
  const char* needs = nullptr;  // options of which it needs one, with blanks between them
  bool required = false;
  const char* group = "";   // its heading in the help; those with one stand together, after the others
  const char* others = "";  // the short forms that another program gives it, which a message then explains
  bool in_full = false;     // may not be abbreviated, nor make an abbreviation of another one ambiguous
  setter set = nullptr;     // nullptr: it ends the command line, as --help does

  constexpr std::string_view first_need() const {
    return std::string_view(needs).substr(0, std::string_view(needs).find(' '));
  }
  constexpr bool takes_argument() const { return *argument != '\0'; }
};

/// What stands on the command line besides options.
struct operand {
  const char* name = nullptr;  // nullptr: the command takes none
  const char* help = "";
  std::size_t least = 0;
  const char* preset = nullptr;                          // what is read if none is named
  bool (*has_others)(const arguments& given) = nullptr;  // whether an option named some; nullptr: none does
  setter set = nullptr;
  std::vector<std::string_view> (*words)() = nullptr;  // what it can be; nullptr: a file
  const char* second = nullptr;  // what the second is, and there are no more; nullptr: as the first
  const char* second_help = "";
  const char* after = nullptr;  // what stands after "--"; nullptr: operands
  const char* after_help = "";
  setter set_after = nullptr;  // gets each word from the first "--" on, each "--" too
};

/// An exit status or an environment variable, and its meaning, which does not end in a full stop.
struct definition {
  const char* term;
  const char* meaning;
};

/// The option of every command and of the tool itself.
inline constexpr option help_option{.name = "help", .short_form = 'h', .help = "Print this text and exit"};

/// One command. All of them are static data, so that starting the tool builds none.
struct command {
  const char* name;  // "wc", "bench reproduce"
  const char* summary = "";
  std::span<const option> options = {};
  operand operands = {};
  const char* notes = "";                      // paragraphs of the help after the options
  const char* examples = "";                   // lines, each with its end
  std::span<const definition> statuses = {};   // those of the tool apply too
  std::span<const definition> variables = {};  // those of the tool apply too
  const option* help = &help_option;
  int usage_status = usage;                                           // how a wrong command line ends
  int (*run)(const command& self, std::span<char*> words) = nullptr;  // words[0] is not looked at
};

/// Of every command that shows its progress.
inline constexpr std::array progress_options{
    option{.name = "progress",
           .help = "Show the progress on the terminal of standard error, wherever standard output goes",
           .set = set_to<true, &arguments::progress>},
    option{.name = "no-progress", .help = "Show no progress", .set = set_to<false, &arguments::progress>}};

/// Options below a heading of the help.
template <std::size_t size>
consteval std::array<option, size> in_group(const char* heading, std::array<option, size> options) {
  for (option& each : options) each.group = heading;
  return options;
}

/// Options of several commands after a command's own. Those without a group stand before those with one.
template <std::size_t... sizes>
consteval auto concatenated(const std::array<option, sizes>&... parts) {
  std::array<option, (sizes + ...)> all{};
  auto to = all.begin();
  ((to = std::ranges::copy(parts, to).out), ...);
  return all;
}

/// The tool itself: its name is empty; its exit statuses and variables are those of every command.
extern const command tool_command;

extern const command wc_command;
extern const command wc_called_command;  // `riffle` called as `wc`; not listed
extern const command count_command;
extern const command sum_command;
extern const command freq_command;
extern const command cat_command;
extern const command split_command;
extern const command advise_command;
extern const command methods_command;
extern const command help_command;

/// All commands, in the order in which they are listed. "bench reproduce" stands after "bench".
std::span<const command* const> commands() noexcept;
/// The command that stands first, and how many words its name has. `second` may be empty. Throws
/// text::usage_error.
std::pair<const command*, std::size_t> command_in(std::string_view first, std::string_view second);

/// What the user types after the name of the tool, or of a command.
inline constexpr std::string_view usage_of_tool = "[OPTION] COMMAND [ARGUMENT]...";
std::string usage_of(const command& self);
/// The help of an option: what its table says about it, without a full stop.
std::string meaning_of(const option& each);

/// The options of a command in the order of its help, which has --help after those without a group.
std::vector<option> options_with_help(const command& of);
/// The text of all options: `heading(std::string_view group)` before each group, "Options" if it has no name,
/// and `text(const option&)`.
template <class Heading, class Text>
std::string list_of(const command& of, Heading heading, Text text) {
  std::string list;
  std::optional<std::string_view> group;
  for (const option& each : options_with_help(of)) {
    if (group != each.group) list += heading(*each.group == '\0' ? "Options" : each.group);
    group = each.group;
    list += text(each);
  }
  return list;
}

/// Calls `use` with each line of the text, without its end.
template <class Use>
void for_each_line(std::string_view text, Use use) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    use(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

/// What `riffle COMMAND --help` prints, in lines of at most 80 columns, each with its end. `called`: what the
/// user types before the options; empty: `riffle COMMAND`.
std::string help_of(const command& self, std::string_view called = {});
/// What `riffle --help` prints.
std::string help_of_tool();
/// Prints the help of a command; returns `success`, or throws like `write`.
int print_help(const command& self, std::string_view called = {});

}  // namespace riffle::cli
