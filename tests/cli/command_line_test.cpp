/// The grammar of command lines is the same on every platform, whatever its getopt_long is like.
#include "cli/command_line.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "cli/commands.hpp"

namespace riffle::cli {
namespace {

// What was set, in order: "lines block-size=4K [a] [b]".
struct words_given : arguments {
  std::string seen;
};

template <const char* const& name>
void note(arguments& given, std::string_view value) {
  std::string& seen = static_cast<words_given&>(given).seen;
  seen.append(seen.empty() ? "" : " ").append(name);
  if (value.data() != nullptr) seen.append("=").append(value);
}

void note_operand(arguments& given, std::string_view value) {
  std::string& seen = static_cast<words_given&>(given).seen;
  seen.append(seen.empty() ? "[" : " [").append(value).append("]");
}

void refuse(arguments& /*given*/, std::string_view /*value*/) {
  throw text::usage_error("too large; use at most 1G");
}

constexpr const char* lines = "lines";
constexpr const char* words = "words";
constexpr const char* block_size = "block-size";
constexpr const char* bytes = "bytes";

constexpr std::array options{
    option{.name = lines, .short_form = 'l', .set = note<lines>},
    option{.name = words, .short_form = 'w', .set = note<words>},
    option{.name = block_size, .short_form = 'b', .argument = "SIZE", .set = note<block_size>},
    option{.name = bytes, .set = note<bytes>},
    option{.name = "limit", .argument = "SIZE", .set = refuse},
    option{.name = "after", .needs = "words", .set = note<bytes>},
};

constexpr command any_operands{
    .name = "x", .options = options, .operands = {.name = "FILE", .set = note_operand}};

std::string read_by(const command& self, std::vector<std::string> line) {
  line.insert(line.begin(), "x");
  std::vector<char*> pointers;
  for (std::string& word : line) pointers.push_back(word.data());
  words_given given;
  try {
    return parse(self, pointers, given) == nullptr ? given.seen : "help";
  } catch (const text::usage_error& wrong) {
    return std::string("error: ") + wrong.what();
  }
}

TEST(command_line, follows_the_grammar_of_gnu) {
  ::unsetenv("POSIXLY_CORRECT");
  struct row {
    std::vector<std::string> line;
    const char* means;
  };
  const row rows[] = {
      {{}, ""},
      {{"-l"}, "lines"},
      {{"--lines"}, "lines"},
      {{"a", "-l", "b"}, "lines [a] [b]"},
      {{"-lw"}, "lines words"},
      {{"-lb4K", "a"}, "lines block-size=4K [a]"},
      {{"-b", "4K"}, "block-size=4K"},
      {{"-b", "-l"}, "block-size=-l"},
      {{"--block-size", "4K"}, "block-size=4K"},
      {{"--block-size=4K"}, "block-size=4K"},
      {{"--block-size="}, "block-size="},
      {{"--block-size", ""}, "block-size="},
      {{"--block-size", "--", "a"}, "block-size=-- [a]"},
      {{"--li"}, "error: option '--li' is ambiguous: --lines or --limit"},
      {{"--lin"}, "lines"},
      {{"--w"}, "words"},
      {{"--bl=4K"}, "block-size=4K"},
      {{"--b"}, "error: option '--b' is ambiguous: --block-size or --bytes"},
      {{"--b=4K"}, "error: option '--b' is ambiguous: --block-size or --bytes"},
      {{"--", "-l", "--foo"}, "[-l] [--foo]"},
      {{"a", "--", "--"}, "[a] [--]"},
      {{"--", "-1"}, "[-1]"},
      {{"-"}, "[-]"},
      {{"", "-l"}, "lines []"},
      {{"++", "+", "[x]", "[a,b]", "a\nb"}, "[++] [+] [[x]] [[a,b]] [a\nb]"},
      {{"-h"}, "help"},
      {{"--help"}, "help"},
      {{"--h"}, "help"},
      {{"-lh"}, "help"},
      {{"a", "--help", "--foo"}, "help"},
      {{"--foo"}, "error: unknown option '--foo'"},
      {{"--foo=bar"}, "error: unknown option '--foo'"},
      {{"--linesx"}, "error: unknown option '--linesx'; did you mean '--lines'?"},
      {{"-1"}, "error: unknown option '-1'"},
      {{"-lx"}, "error: unknown option '-x'"},
      {{"-:"}, "error: unknown option '-:'"},
      {{"-l-"}, "error: unknown option '-' in '-l-'"},
      {{"---"}, "error: unknown option '---'"},
      {{"--="}, "error: unknown option '--='"},
      {{"--=4K"}, "error: unknown option '--=4K'"},
      {{"a", "--foo", "b"}, "error: unknown option '--foo'"},
      {{"--lines=false"}, "error: option '--lines' takes no argument"},
      {{"--lin=false"}, "error: option '--lines' takes no argument"},
      {{"--help=me"}, "error: option '--help' takes no argument"},
      {{"--block-size"}, "error: option '--block-size' needs an argument: SIZE"},
      {{"a", "-b"}, "error: option '-b' needs an argument: SIZE"},
      {{"--limit", "8E"}, "error: --limit '8E': too large; use at most 1G"},
      {{"--after"}, "error: option '--after' needs '--words'"},
      {{"--after", "-w"}, "bytes words"},
  };
  for (const row& each : rows)
    EXPECT_EQ(read_by(any_operands, each.line), each.means) << testing::PrintToString(each.line);
}

TEST(command_line, ends_options_at_the_first_operand_if_posixly_correct) {
  ::setenv("POSIXLY_CORRECT", "1", 1);
  const std::string seen = read_by(any_operands, {"-l", "a", "-w"});
  ::unsetenv("POSIXLY_CORRECT");
  EXPECT_EQ(seen, "lines [a] [-w]");
  EXPECT_EQ(read_by(any_operands, {"-l", "a", "-w"}), "lines words [a]");
}

TEST(command_line, counts_operands) {
  constexpr command none{.name = "x", .options = options};
  EXPECT_EQ(read_by(none, {"a"}), "error: unexpected argument 'a'");
  constexpr command two{
      .name = "x", .options = options, .operands = {.name = "FILE", .least = 2, .set = note_operand}};
  EXPECT_EQ(read_by(two, {"a"}), "error: too few arguments; name at least 2 FILE");
  EXPECT_EQ(read_by(two, {"a", "b", "c"}), "[a] [b] [c]");
  constexpr command usual{
      .name = "x", .options = options, .operands = {.name = "FILE", .preset = "-", .set = note_operand}};
  EXPECT_EQ(read_by(usual, {}), "[-]");
  EXPECT_EQ(read_by(usual, {"a"}), "[a]");
}

TEST(command_line, misses_a_required_option) {
  static constexpr std::array required{option{.name = "type", .required = true, .set = note<lines>}};
  constexpr command self{.name = "x", .options = required};
  EXPECT_EQ(read_by(self, {}), "error: option '--type' is missing");
  EXPECT_EQ(read_by(self, {"--type"}), "lines");
}

TEST(commands, print_help_in_80_columns_with_examples) {
  for (const command* each : commands()) {
    const std::string help = help_of(*each);
    EXPECT_NE(help.find("\nExamples:\n"), std::string::npos) << each->name;
    for (std::size_t begin = 0; begin < help.size();) {
      const std::size_t end = help.find('\n', begin);
      ASSERT_NE(end, std::string::npos) << each->name << " does not end its last line";
      EXPECT_LE(end - begin, 80U) << help.substr(begin, end - begin);
      begin = end + 1;
    }
  }
}

// What people use stands before what says how riffle reads.
TEST(commands, list_the_methods_of_reading_last_below_a_heading) {
  for (const command* each : {&wc_command, &count_command, &sum_command, &freq_command, &cat_command}) {
    const std::string help = help_of(*each);
    const std::size_t reading = help.find("\nReading:\n");
    ASSERT_NE(reading, std::string::npos) << each->name;
    for (const option& one : options_with_help(*each)) {
      const bool is_method =
          std::ranges::count(std::array<std::string_view, 6>{"method", "block-size", "queue-depth",
                                                             "whole-file", "max-size", "no-cache"},
                             one.name) != 0;
      const std::size_t place =
          help.find(std::string("  ") + (one.short_form == '\0' ? "    " : "") + "--" + one.name);
      const std::size_t with_short = help.find(std::string({'-', one.short_form}) + ", --" + one.name);
      EXPECT_EQ(std::min(place, with_short) > reading, is_method) << each->name << " " << one.name;
    }
  }
}

TEST(commands, keep_the_options_of_a_group_together_after_those_without) {
  for (const command* each : commands()) {
    std::vector<std::string_view> groups{""};
    for (const option& one : options_with_help(*each)) {
      if (groups.back() != one.group) groups.emplace_back(one.group);
    }
    std::ranges::sort(groups);
    EXPECT_EQ(std::ranges::adjacent_find(groups), groups.end()) << each->name;
  }
}

TEST(commands, have_one_option_of_each_name_and_a_setter_for_each) {
  for (const command* each : commands()) {
    std::vector<std::string> names{help_option.name, {help_option.short_form}};
    for (const option& one : each->options) {
      EXPECT_TRUE(one.set != nullptr || one.name == std::string_view("version")) << one.name;
      names.emplace_back(one.name);
      if (one.short_form != '\0') names.emplace_back(1, one.short_form);
    }
    std::ranges::sort(names);
    EXPECT_EQ(std::ranges::adjacent_find(names), names.end()) << each->name;
  }
}

}  // namespace
}  // namespace riffle::cli
