/// Which lines or rows of an input a command takes: the options, and what they mean together.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/rows.hpp"
#include "text/typed.hpp"

namespace riffle::cli {

/// Every so many lines: `first`, `first + step` and so on; only `first` if `step` is 0.
struct line_step {
  std::uint64_t first = 1;
  std::uint64_t step = 1;
};

inline constexpr std::uint64_t all_lines = std::numeric_limits<std::uint64_t>::max();

/// Some lines that follow each other. The first line of an input is 1.
struct line_span {
  std::uint64_t first = 1;
  std::uint64_t last = all_lines;  // below `first`: none; all_lines: to the end
};

/// A text that a line contains or starts with.
struct wanted_text {
  std::string bytes;
  bool at_start = false;
};

/// A comparison of a field with a text, or if `relation` has an order with a number.
struct condition {
  enum class relation : std::uint8_t { equal, unequal, less, at_most, more, at_least };

  field_range column;
  relation is = relation::equal;
  std::string text = {};
  double number = 0;
};

/// Which lines or rows of each input: those with any of the texts, of those every so many, of those the rows
/// that meet all conditions, of those a span or the last ones.
struct choice {
  std::vector<wanted_text> texts = {};
  bool invert = false;    // those without any of the texts
  bool any_case = false;  // a letter of ASCII in a text stands for both cases
  std::optional<line_step> every = {};
  std::vector<condition> where = {};       // if there are any, rows are taken, and not lines
  std::optional<line_span> span = {};      // --head or --range; not with `tail`
  std::optional<std::uint64_t> tail = {};  // lines
  std::string_view counted_by = {};        // the name of the option that gave `span` or `tail`

  bool any() const { return !texts.empty() || every || !where.empty() || span || tail; }
  /// Whether the lines behind some may be left unread.
  bool ends_early() const {
    return (span && span->last != all_lines) || (every && every->step == 0) || tail == 0;
  }
  /// Whether what texts and conditions take is counted, or the last of it kept.
  bool one_by_one() const { return every || span || tail; }
  /// Whether what is chosen can only be counted one by one: not by `counted`, or the rest may be left unread.
  bool in_order() const { return ends_early() || (every && !where.empty()); }
  /// Returns how many lines are taken, of so many that the texts and the conditions choose.
  std::uint64_t counted(std::uint64_t lines) const noexcept;
};

/// What the options of a command that chooses were given.
struct choosing_arguments : field_arguments {
  choice lines = {};
  std::uint64_t max_memory = 0;  // of the table of a command that has one; 0: automatic
};

/// The step of a text such as "2~4", as GNU sed has it: "0~4" is "4~4". Throws text::usage_error.
line_step parse_step(std::string_view text);

/// Returns these fields and those of the conditions.
std::vector<field_range> with_conditions(std::vector<field_range> fields, const choice& lines);

/// Throws text::usage_error, which names the option and what helps, if a text holds the byte that ends lines.
void check_texts(const choice& lines, char delimiter, const char* remedy);
/// Returns the name of the first option that chooses; empty: there is none.
std::string_view choosing_option(const arguments& given);

template <bool at_start>
void set_wanted_text(arguments& given, std::string_view value) {
  static_cast<choosing_arguments&>(given).lines.texts.push_back({text::parse_text(value), at_start});
}
void add_condition(arguments& given, std::string_view value);
void set_head(arguments& given, std::string_view value);
void set_tail(arguments& given, std::string_view value);
void set_range(arguments& given, std::string_view value);

/// The heading of these options in the help.
inline constexpr const char* choice_group = "Which lines or rows";

inline constexpr auto choice_options = in_group(
    choice_group,
    std::array{
        option{.name = "containing",
               .argument = "TEXT",
               .help = "Take the lines that contain TEXT: " RIFFLE_TEXT_SYNTAX,
               .set = set_wanted_text<false>},
        option{.name = "starting-with",
               .argument = "TEXT",
               .help = "Take the lines that start with TEXT",
               .set = set_wanted_text<true>},
        option{.name = "invert-match",
               .short_form = 'v',
               .help = "Take the lines without any TEXT",
               .needs = "containing starting-with",
               .set = set_to<true, &choosing_arguments::lines, &choice::invert>},
        option{.name = "ignore-case",
               .short_form = 'i',
               .help = "A letter of ASCII in TEXT of --containing and --starting-with has either case",
               .needs = "containing starting-with",
               .set = set_to<true, &choosing_arguments::lines, &choice::any_case>},
        option{
            .name = "every",
            .argument = "FIRST~STEP",
            .help = "Take every STEP lines from line FIRST on, as sed has it: 2~4 are the lines 2, 6, 10 ...",
            .set = set_by<parse_step, &choosing_arguments::lines, &choice::every>},
        option{.name = "where",
               .argument = "CONDITION",
               .help =
                   "Take the rows, as --csv or another option cuts them, whose column is a text (status=404, "
                   "status!=404) or compares with a number (price<1.5, 2>=10; also <= and >); several: all "
                   "of them. A named column makes the first row a header; a name may be in quotes",
               .set = add_condition},
        option{
            .name = "head", .argument = "N", .help = "Take the first N lines of each file", .set = set_head},
        option{
            .name = "tail", .argument = "N", .help = "Take the last N lines of each file", .set = set_tail},
        option{.name = "range",
               .argument = "FIRST:LAST",
               .help = "Take these lines of each file, such as 2:4, 5: or :3; the first line is 1",
               .set = set_range}});

/// The option of the commands that keep a table.
constexpr std::array<option, 1> memory_options(const char* needs) {
  return {
      option{.name = "max-memory",
             .argument = "SIZE",
             .help = "Fail if the different lines, values or keys, with their numbers, take more memory",
             .preset = "three quarters of the memory that is free",
             .needs = needs,
             .set = set_by<text::size_within<1, std::uint64_t{1} << 62U>, &choosing_arguments::max_memory>}};
}

/// A paragraph of the help.
#define RIFFLE_ORDER_OF_CHOICE                                                                           \
  "Whatever the order of the options, riffle takes first the lines with any TEXT, of those every STEP, " \
  "of those the rows of --where, and of those --head, --tail or --range.\n"                              \
  "TEXT is compared byte by byte, without regard to encodings, and is no pattern: for regular "          \
  "expressions, use ripgrep."

}  // namespace riffle::cli
