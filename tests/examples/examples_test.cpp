/// The examples, which users copy, are built and right.
#include <gtest/gtest.h>

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
      {"$examples/word_count $name", "wc -w < $name"}};
  for (const auto& [example, tool] : equal)
    expect_rows({{example + " | cmp - <(" + tool + ")"}}, "name=" + file.path().string());
}

TEST(examples, count_words_from_a_pool) {
  expect_rows({{"printf 'b a b\\n' > text; $examples/pool text", testing::HasSubstr("b")}});
}

}  // namespace
}  // namespace riffle::test
