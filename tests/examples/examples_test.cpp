/// The examples, which users copy, are built and right.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

TEST(examples, give_what_tools_give) {
  const temporary_file file(patterned_bytes(500000));
  const std::vector<std::pair<std::string, std::string>> equal{
      {"$examples/gc_count $name", "tr -cd cCgG < $name | wc -c"},
      {"cat $name | $examples/gc_count", "tr -cd cCgG < $name | wc -c"},
      {"$examples/copy_lines $name", "cat $name"},
      {"cat $name | $examples/copy_lines", "cat $name"},
      {"$examples/word_count $name", "wc -w < $name"}};
  for (const auto& [example, tool] : equal)
    expect_rows({{example + " | cmp - <(" + tool + ")"}}, "name=" + file.path().string());
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

TEST(examples, count_words_from_a_pool) {
  expect_rows({{"printf 'b a b\\n' > text; $examples/pool text", testing::HasSubstr("b")}});
}

}  // namespace
}  // namespace riffle::test
