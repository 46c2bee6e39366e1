/// `riffle wc` gives the same output if there are fewer descriptors than threads would like.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/build.hpp"
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
                                   " iflag=nocache count=0 2> /dev/null; exec 3>&- "
                                   "4>&- 5>&- 6>&-; ulimit -n 4; $riffle wc -l --no-cache " +
                                   name);
  EXPECT_EQ(found.out, std::to_string(9 << 20) + " " + name + "\n") << found.err;
}

TEST(wc, names_the_limit_of_open_files) {
  if (build::instrumented) GTEST_SKIP() << "a sanitizer needs descriptors of its own";
  expect_rows({{"exec 3>&- 4>&- 5>&- 6>&-; ulimit -n 4; $riffle wc --method stdio a", testing::_,
                testing::HasSubstr("RLIMIT_NOFILE"), 1}});
}

}  // namespace
}  // namespace riffle::test
