/// The tool gives the same of damaged files with any number of threads.
#include <riffle/methods.hpp>

#include "tests/support/compress.hpp"
#include "tests/support/mounts.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

// Each command that shares a file, or decodes it, by several threads.
const std::vector<std::string>& commands() {
  static const std::vector<std::string> all{"wc -lwc", "count --byte 7 --per-line", "count --rows --header",
                                            "cat --columns 2 --plain --separator ' '"};
  return all;
}

void expect_one_answer(const std::string& command, const std::string& input,
                       const testing::Matcher<const std::string&>& answer = testing::_) {
  const auto by = [&](const std::string& threads) {
    return shell("$riffle " + command + " --threads " + threads + input);
  };
  const shell_result one = by("1");
  EXPECT_EQ(one.status, 1) << command;
  EXPECT_THAT(one.out, answer);
  for (const char* const threads : {"2", "5"}) {
    const shell_result found = by(threads);
    EXPECT_EQ(found.status, 1);
    EXPECT_TRUE(found.out == one.out) << command << " by " << threads << ": " << found.out.substr(0, 200)
                                      << " for " << one.out.substr(0, 200);
  }
}

EACH_CONTAINER(each_damaged_container);

TEST_P(each_damaged_container, is_counted_by_threads_as_by_one) {
  const std::string text = numbered_lines(30'000);
  for (const std::size_t member : {text.size(), std::size_t{20'000}}) {
    const std::string whole = in_members(GetParam(), text, member);
    std::string flipped = whole;
    flipped[whole.size() / 3] = static_cast<char>(flipped[whole.size() / 3] ^ 0x10);
    for (const std::string& bytes : {whole + "garbage", whole.substr(0, whole.size() * 2 / 3), flipped}) {
      const temporary_file file(bytes);
      const std::string decode = " --decode " + std::string(find_decoder(GetParam().format)->name) + ' ';
      for (const std::string& command : commands()) {
        expect_one_answer(command, decode + file.path().string());
        // How much of damaged bytes a library decodes depends on how they come out of a pipe.
        if (bytes != flipped) expect_one_answer(command, decode + "<(cat " + file.path().string() + ")");
        if (HasFailure()) FAIL() << bytes.size() << " of " << whole.size() << " bytes, members of " << member;
      }
    }
    const temporary_file file(whole + "garbage");
    const std::string counted =
        shell("$riffle wc -l --threads 2 --decode " + std::string(find_decoder(GetParam().format)->name) +
              " < " + file.path().string())
            .out;
    EXPECT_EQ(counted, "30000\n");
  }
}

TEST(an_unclosed_quote, is_counted_up_to_its_row) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "a,b\n";
  const temporary_file file(text + "\"c,\n" + text);
  expect_one_answer("count --rows", " " + file.path().string(), "1000\n");
}

TEST(a_bad_block, is_counted_up_to_by_any_number_of_threads) {
  if (const auto refusal = refusal_of_slow_files()) GTEST_SKIP() << *refusal;
  const std::string text = numbered_lines(60'000);
  const slow_file failing(text, {"--eio-at=282000"});
  for (const char* const command :
       {"wc -lwc", "count --lines", "count --rows --header", "cat --columns 2 --separator ' '"})
    expect_one_answer(command, " --method read " + failing.path().string());
}

// The name that the bad block cuts is none: another file may have it.
TEST(a_bad_block, in_a_list_is_read_up_to_the_last_whole_name) {
  if (const auto refusal = refusal_of_slow_files()) GTEST_SKIP() << *refusal;
  const temporary_directory folder;
  std::ofstream(folder.path() / "b") << '\n';
  const slow_file failing(repeated(repeated("./", 49) + "b" + '\0', 1000), {"--eio-at=82000"});
  const std::string list = failing.path().string();
  const shell_result found =
      shell("cd " + folder.path().string() + "; exec -a wc $riffle -l --total=only --files0-from=" + list);
  EXPECT_EQ(found.out, "819\n");
  EXPECT_EQ(found.err, "wc: " + list + ": read error: Input/output error\n");
  EXPECT_EQ(found.status, 1);
}

}  // namespace
}  // namespace riffle::test
