/// Completions and man pages say what the table of commands says.
#include <fmt/core.h>

#include "cli/command.hpp"
#include "cli/generate/generate.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle::cli {
namespace {

using testing::Contains;
using testing::EndsWith;
using testing::IsEmpty;
using testing::Not;
using testing::UnorderedElementsAre;
using testing::UnorderedElementsAreArray;

/// Each test runs in each shell, in a directory with one file.
class completion : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const std::string shell = GetParam();
    if (test::shell("command -v " + shell).status != 0) GTEST_SKIP() << shell << " is not here";
  }

  // What the shell offers behind each command line.
  static std::vector<std::vector<std::string>> offers(const std::vector<std::string>& lines) {
    const test::temporary_directory directory;
    std::string command = fmt::format(
        "export HOME={0}; cd {0}; mkdir in; cd in; touch here.txt; $riffle --generate {1} > ../_riffle; "
        "{2}/tests/cli/generate/{1}_matches ../_riffle",
        directory.path().string(), GetParam(), test::build::sources);
    for (const std::string& line : lines) command += fmt::format(" '{}'", line);
    const test::shell_result result = test::shell(command);
    EXPECT_EQ(result.err, "");
    std::vector<std::vector<std::string>> all(1);
    std::istringstream out(result.out);
    for (std::string word; std::getline(out, word);) {
      if (word.empty()) {
        all.emplace_back();
      } else {
        all.back().push_back(word);
      }
    }
    all.pop_back();
    EXPECT_EQ(all.size(), lines.size()) << result.out;
    all.resize(lines.size());
    return all;
  }
};

struct row {
  std::string line;
  testing::Matcher<const std::vector<std::string>&> offered;
};

// All in one shell, as it takes a second to start.
TEST_P(completion, offers_what_can_stand_there) {
  std::vector<std::string> names;
  for (const command* each : first_commands()) names.emplace_back(each->name);
  std::vector<row> rows{{"riffle ", UnorderedElementsAreArray(names)},
                        {"riffle w", UnorderedElementsAre("wc")},
                        {"riffle --generate man ", UnorderedElementsAreArray(names)},
                        {"riffle nonesuch", IsEmpty()},
                        {"riffle --generate ", UnorderedElementsAreArray(form_names())},
                        {"riffle wc --method=r", UnorderedElementsAre(EndsWith("read"))},
                        {"riffle bench --task gc,l", UnorderedElementsAre(EndsWith("lines"))},
                        {"riffle bench --task=gc,l", UnorderedElementsAre(EndsWith("lines"))},
                        {"riffle --version he", UnorderedElementsAre("help")},
                        {"riffle wc -l he", UnorderedElementsAre("here.txt")},
                        {"riffle wc --block-size ", UnorderedElementsAre("here.txt")},
                        {"riffle wc --method he", Not(Contains("here.txt"))},
                        {"riffle he", Not(Contains("here.txt"))}};
  const auto add_options = [&](const command& of, const std::string& before) {
    std::vector<std::string> options;
    for (const option& each : options_with_help(of)) options.push_back(fmt::format("--{}", each.name));
    rows.push_back({before + "--", UnorderedElementsAreArray(options)});
  };
  add_options(tool_command, "riffle ");
  for (const command* each : commands()) {
    const std::string line = fmt::format("riffle {} ", each->name);
    add_options(*each, line);
    std::vector<std::string> operands;
    for (const std::string_view word : second_words(*each)) operands.emplace_back(word);
    for (const std::string_view word : words_of(each->operands)) operands.emplace_back(word);
    if (each->operands.name != nullptr && each->operands.words == nullptr) operands.emplace_back("here.txt");
    if (operands.empty()) {
      rows.push_back({line, Not(Contains("here.txt"))});  // zsh offers options then
    } else {
      rows.push_back({line, UnorderedElementsAreArray(operands)});
    }
    for (const option& known : each->options) {
      if (known.words != nullptr && known.takes_argument())
        rows.push_back({fmt::format("{}--{} ", line, known.name), UnorderedElementsAreArray(known.words())});
    }
  }
  std::vector<std::string> lines;
  for (const row& each : rows) lines.push_back(each.line);
  const auto offered = offers(lines);
  for (std::size_t i = 0; i != rows.size(); ++i) EXPECT_THAT(offered[i], rows[i].offered) << rows[i].line;
}

INSTANTIATE_TEST_SUITE_P(shells, completion, testing::Values("bash", "zsh", "fish"),
                         [](const auto& shell) { return std::string(shell.param); });

// What escapes a shell's quotes shows in the descriptions, which fish prints.
TEST(fish_completion, describes_options_as_the_help_does) {
  if (test::shell("command -v fish").status != 0) GTEST_SKIP() << "fish is not here";
  for (const command* each : commands()) {
    const test::shell_result result = test::shell(fmt::format(
        "fish --no-config -c 'source ($riffle --generate fish | psub); complete -C \"riffle {} --\"'",
        each->name));
    for (const option& known : each->options) {
      EXPECT_THAT(result.out, testing::HasSubstr(fmt::format("--{}\t{}\n", known.name, meaning_of(known))));
    }
  }
}

using testing::HasSubstr;
using testing::Not;

std::vector<const command*> tool_and_commands() {
  std::vector<const command*> all(commands().begin(), commands().end());
  all.push_back(&tool_command);
  return all;
}

// With one space for each run of white space.
std::string in_one_line(std::string_view text) {
  std::string line;
  for (const char each : text) {
    const bool space = each == ' ' || each == '\n';
    if (!space) line += each;
    if (space && !line.ends_with(' ')) line += ' ';
  }
  return line;
}

TEST(man_page, shows_every_text_of_the_table) {
  if (test::shell("command -v groff").status != 0) GTEST_SKIP() << "groff is not here";
  for (const command* each : tool_and_commands()) {
    EXPECT_TRUE(std::ranges::all_of(man_page(*each), [](char byte) {
      return (byte >= ' ' && byte <= '~') || byte == '\n';
    })) << each->name;
    const test::shell_result shown = test::shell(fmt::format(
        "$riffle --generate man {} | groff -man -Tascii -P-cbou -ww -rLL=9999n -rHY=0", each->name));
    EXPECT_EQ(shown.err, "") << each->name;
    const std::string& page = shown.out;
    const std::string line = in_one_line(page);
    EXPECT_THAT(line, HasSubstr(in_one_line(fmt::format("DESCRIPTION {}.", each->summary)))) << each->name;
    std::vector<option> options(each->options.begin(), each->options.end());
    options.push_back(*each->help);
    for (const option& known : options) {
      const std::string typed =
          fmt::format("--{}{}{} ", known.name, known.takes_argument() ? " " : "", known.argument);
      EXPECT_THAT(line, HasSubstr(in_one_line(fmt::format("{}{}.", typed, meaning_of(known))))) << each->name;
    }
    std::string_view examples = each->examples;
    for (std::size_t end = 0; (end = examples.find('\n')) != std::string_view::npos;) {
      EXPECT_THAT(page, HasSubstr(examples.substr(2, end - 1))) << each->name;
      examples.remove_prefix(end + 1);
    }
    EXPECT_THAT(line, HasSubstr(in_one_line(each->notes))) << each->name;
    for (const definition& known : each->statuses) EXPECT_THAT(line, HasSubstr(known.term)) << each->name;
    for (const definition& known : each->variables) EXPECT_THAT(line, HasSubstr(known.term)) << each->name;
  }
}

// In UTF-8, groff prints other characters for the bare ones.
TEST(man_page, escapes_what_roff_would_change) {
  constexpr command hostile{.name = "hostile",
                            .summary = "Do `this' ^ ~ \"that\" \\n -- \\fBx",
                            .notes = ".so /etc/passwd\n'br\nlast",
                            .examples = "  .dot\n  '\\e'\n"};
  const std::string page = man_page(hostile);
  EXPECT_THAT(page, HasSubstr("\n\\&.so /etc/passwd\n.PP\n\\(aqbr\n.PP\nlast\n"));
  EXPECT_THAT(page, HasSubstr("\n\\&.dot\n\\(aq\\(rse\\(aq\n"));
  EXPECT_THAT(page, HasSubstr("\nDo \\(gathis\\(aq \\(ha \\(ti \\(dqthat\\(dq \\(rsn \\-\\- \\(rsfBx.\n"));
}

// The rows of the tables in docs/cli.md, without marks and links.
std::vector<std::string> rows_of_docs() {
  std::ifstream page(std::string(test::build::sources) + "/docs/cli.md");
  std::vector<std::string> rows;
  for (std::string line; std::getline(page, line);) {
    std::erase(line, '`');
    if (line.starts_with("| ")) rows.push_back(line);
  }
  return rows;
}

TEST(man_page, has_the_exit_statuses_and_variables_of_the_docs) {
  const std::vector<std::string> rows = rows_of_docs();
  ASSERT_FALSE(rows.empty());
  for (const command* each : tool_and_commands()) {
    for (const std::span<const definition> table : {each->statuses, each->variables}) {
      for (const auto& [term, meaning] : table) {
        const auto of_docs = [&](const std::string& row) {
          return row.starts_with(fmt::format("| {} |", term)) && row.find(meaning) != std::string::npos;
        };
        EXPECT_TRUE(std::ranges::any_of(rows, of_docs)) << each->name << ": " << term << ": " << meaning;
      }
    }
  }
}

}  // namespace
}  // namespace riffle::cli
