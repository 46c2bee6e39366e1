/// bash, zsh and fish offer the commands, the options and the words of the table of commands.
#include <fmt/core.h>
#include <gmock/gmock.h>

#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.hpp"
#include "cli/generate/completion.hpp"
#include "cli/generate/generate.hpp"
#include "cli/help.hpp"
#include "tests/support/build.hpp"
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

}  // namespace
}  // namespace riffle::cli
