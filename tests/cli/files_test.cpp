/// The tool's output depends on neither descriptors nor threads nor failed files.
#include <riffle/methods.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/compress.hpp"
#include "tests/support/mounts.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

// Counts pipes that are written one after the other, under a limit of open files.
shell_result count_pipes(std::size_t count, unsigned threads, unsigned limit) {
  const temporary_directory folder;
  return shell("cd " + folder.path().string() + "; names=$(seq 1 " + std::to_string(count) +
               "); mkfifo $names; (for name in $names; do echo \"a $name\" > $name; done) & ulimit -n " +
               std::to_string(limit) + "; timeout 30 $riffle wc --threads " + std::to_string(threads) +
               " $names; status=$?; kill $! 2> /dev/null; exit $status");
}

TEST(wc_of_pipes, does_not_depend_on_threads_or_the_limit_of_descriptors) {
  const shell_result by_one = count_pipes(100, 1, 64);
  ASSERT_EQ(by_one.status, 0) << by_one.err;
  ASSERT_TRUE(by_one.out.ends_with("total\n")) << by_one.out;
  for (const auto& [threads, limit] : {std::pair(16U, 64U), {20U, 12U}, {100U, 64U}}) {
    const shell_result found = count_pipes(100, threads, limit);
    EXPECT_EQ(found.out, by_one.out) << threads << " threads, limit " << limit << ": " << found.err;
    EXPECT_EQ(found.err, "");
    EXPECT_EQ(found.status, 0);
  }
}

TEST(wc_of_pipes, may_be_of_many_more_than_descriptors) {
  const shell_result found = count_pipes(1200, 16, 64);
  EXPECT_EQ(found.status, 0);
  EXPECT_EQ(found.err, "");
  EXPECT_TRUE(found.out.ends_with(" 7293 total\n")) << found.out.substr(found.out.size() / 2);
}

// A thread that gets no descriptor of its own leaves its work to the others. If none gets what it needs, the
// calling thread reads alone.
TEST(wc_of_a_large_file, needs_no_descriptor_for_each_thread) {
  if (build::instrumented) GTEST_SKIP() << "a sanitizer needs descriptors to look at memory";
  std::string text(std::size_t{40} << 20U, '\n');
  for (std::size_t i = 0; i < text.size(); i += 2) text[i] = 'a';
  const temporary_file file(text);
  for (const method used : usable_methods()) {
    for (const std::string command :
         {"ulimit -n 8; $riffle wc -l", "ulimit -n 6; $riffle wc -l", "ulimit -n 6; $riffle count --rows"}) {
      const shell_result found = shell("exec 3>&- 4>&- 5>&-; " + command + " --threads 20 --method " +
                                       std::string(name_of(used)) + " < /dev/null " + file.path().string());
      EXPECT_TRUE(found.out.starts_with("20971520")) << command << name_of(used) << ": " << found.out;
      EXPECT_EQ(found.err, "") << command << name_of(used);
    }
  }
}

// O_DIRECT takes a second descriptor.
TEST(wc_of_a_cold_file, that_the_cache_is_not_to_keep_needs_one_descriptor) {
  if (build::instrumented) GTEST_SKIP() << "a sanitizer needs descriptors of its own";
  const temporary_file file(std::string(std::size_t{9} << 20U, '\n'));
  const std::string name = file.path().string();
  const shell_result found = shell("sync " + name + "; dd if=" + name +
                                   " iflag=nocache count=0 2> /dev/null; exec 3>&- 4>&- 5>&- 6>&-; ulimit -n "
                                   "4; $riffle wc -l --no-cache " +
                                   name);
  EXPECT_EQ(found.out, std::to_string(9 << 20) + " " + name + "\n") << found.err;
}

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

class each_damaged_container : public of_container {};
INSTANTIATE_TEST_SUITE_P(formats, each_damaged_container, testing::ValuesIn(containers()), container_name);

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

}  // namespace

}  // namespace riffle::test
