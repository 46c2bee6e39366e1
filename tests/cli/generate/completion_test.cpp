/// bash, zsh and fish offer the commands, the options and the words of the table of commands.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
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
using testing::IsSupersetOf;
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
  static std::vector<std::string> offers(const char* line) {
    return offers(std::vector<std::string>{line}).front();
  }
};

TEST_P(completion, offers_the_commands) {
  std::vector<std::string> names;
  for (const command* each : first_commands()) names.emplace_back(each->name);
  const auto offered = offers({"riffle ", "riffle w", "riffle --generate man ", "riffle nonesuch"});
  EXPECT_THAT(offered[0], UnorderedElementsAreArray(names));
  EXPECT_THAT(offered[1], UnorderedElementsAre("wc"));
  EXPECT_THAT(offered[2], UnorderedElementsAreArray(names));
  EXPECT_THAT(offered[3], IsEmpty());
}

TEST_P(completion, offers_the_operands_of_each_command) {
  std::vector<std::string> lines;
  std::vector<std::vector<std::string>> expected;
  for (const command* each : commands()) {
    lines.push_back(fmt::format("riffle {} ", each->name));
    const bool files = each->operands.name != nullptr && each->operands.words == nullptr;
    std::vector<std::string>& words = expected.emplace_back();
    for (const std::string_view word : second_words(*each)) words.emplace_back(word);
    for (const std::string_view word : words_of(each->operands)) words.emplace_back(word);
    if (files) words.emplace_back("here.txt");
  }
  const auto offered = offers(lines);
  for (std::size_t i = 0; i != lines.size(); ++i) {
    if (expected[i].empty()) {
      EXPECT_THAT(offered[i], Not(Contains("here.txt"))) << lines[i];  // zsh offers options then
    } else {
      EXPECT_THAT(offered[i], UnorderedElementsAreArray(expected[i])) << lines[i];
    }
  }
}

TEST_P(completion, offers_the_options_of_each_command) {
  std::vector<const command*> all(commands().begin(), commands().end());
  all.push_back(&tool_command);
  std::vector<std::string> lines;
  for (const command* each : all) {
    lines.push_back(fmt::format("riffle {}{}--", each->name, *each->name == '\0' ? "" : " "));
  }
  const auto offered = offers(lines);
  for (std::size_t i = 0; i != all.size(); ++i) {
    std::vector<std::string> names;
    for (const option& each : options_with_help(*all[i])) names.push_back(fmt::format("--{}", each.name));
    EXPECT_THAT(offered[i], UnorderedElementsAreArray(names)) << lines[i];
  }
}

TEST_P(completion, offers_the_words_of_arguments_and_operands) {
  std::vector<std::string> lines{"riffle --generate "};
  std::vector<std::vector<std::string_view>> expected{form_names()};
  for (const command* each : commands()) {
    for (const option& known : each->options) {
      if (known.words == nullptr || known.value != takes::argument) continue;
      lines.push_back(fmt::format("riffle {} --{} ", each->name, known.name));
      expected.push_back(known.words());
    }
    if (each->operands.words == nullptr) continue;
    lines.push_back(fmt::format("riffle {} ", each->name));
    expected.push_back(each->operands.words());
  }
  const auto offered = offers(lines);
  for (std::size_t i = 0; i != lines.size(); ++i) {
    EXPECT_THAT(offered[i], UnorderedElementsAreArray(expected[i])) << lines[i];
  }
}

TEST_P(completion, goes_on_behind_an_equals_sign_and_a_comma) {
  const auto offered =
      offers({"riffle wc --method=r", "riffle bench --task gc,l", "riffle bench --task=gc,l"});
  EXPECT_THAT(offered[0], UnorderedElementsAre(EndsWith("read")));
  EXPECT_THAT(offered[1], UnorderedElementsAre(EndsWith("lines")));
  EXPECT_THAT(offered[2], UnorderedElementsAre(EndsWith("lines")));
}

TEST_P(completion, offers_files_where_a_file_can_stand) {
  const auto offered =
      offers({"riffle wc -l he", "riffle wc --block-size ", "riffle wc --method he", "riffle he"});
  for (std::size_t i : {0U, 1U}) EXPECT_THAT(offered[i], UnorderedElementsAre("here.txt")) << i;
  for (std::size_t i : {2U, 3U}) EXPECT_THAT(offered[i], Not(Contains("here.txt"))) << i;
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
