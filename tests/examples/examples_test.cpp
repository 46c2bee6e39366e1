/// The examples, which users copy, are built and right.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

TEST(examples, count_gc_from_a_file_and_from_a_pipe) {
  const temporary_file genome(patterned_bytes(500000));
  const std::string name = genome.path().string();
  const std::string expected = shell("tr -cd cCgG < " + name + " | wc -c").out;
  EXPECT_EQ(shell("$examples/gc_count " + name).out, expected);
  EXPECT_EQ(shell("cat " + name + " | $examples/gc_count").out, expected);
}

TEST(examples, copy_lines) {
  const temporary_file text(patterned_bytes(500000));
  const std::string name = text.path().string();
  EXPECT_EQ(shell("$examples/copy_lines " + name + " | cmp - " + name).status, 0);
  EXPECT_EQ(shell("cat " + name + " | $examples/copy_lines | cmp - " + name).status, 0);
  EXPECT_EQ(shell("$examples/copy_lines /missing").status, 1);
}

TEST(examples, weigh_arrays) {
  const std::int32_t arrays[] = {3, 1, 2, 3, 3, 1, 2, 3};
  const temporary_file file({reinterpret_cast<const char*>(arrays), sizeof arrays});
  EXPECT_EQ(shell("$examples/ioaccess " + file.path().string()).out, "16\n");  // twice 1 + 2*2 + 3
}

TEST(examples, add_primes_up) {
  const std::uint64_t primes[] = {2, 3};
  const temporary_file file({reinterpret_cast<const char*>(primes), sizeof primes});
  EXPECT_EQ(shell("$examples/primes " + file.path().string()).out, "2 primes, sum 5, last 3\n");
}

TEST(examples, count_words_in_parallel) {
  const temporary_file text(patterned_bytes(500000));
  const std::string name = text.path().string();
  EXPECT_EQ(shell("$examples/word_count " + name).out, shell("wc -w < " + name).out);
}

TEST(examples, count_words_from_a_pool) {
  const shell_result result = shell(
      "printf 'b a b\\n' > /tmp/riffle-pool-$$; $examples/pool /tmp/riffle-pool-$$; s=$?; "
      "rm /tmp/riffle-pool-$$; exit $s");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_NE(result.out.find('b'), std::string::npos);
}

TEST(examples, keep_an_array_between_runs) {
  const shell_result result = shell(
      "f=/tmp/riffle-array-$$; $examples/persistent_array $f && $examples/persistent_array $f; "
      "s=$?; rm -f $f; exit $s");
  EXPECT_EQ(result.status, 0) << result.out << result.err;
}

}  // namespace
}  // namespace riffle::test
