/// A list of any length stays short in a sentence.
#include "bench/judge/words.hpp"

#include <gtest/gtest.h>

namespace riffle::bench {

TEST(words, name_the_first_three_of_a_list_and_count_the_rest) {
  EXPECT_EQ(first_few({}), "");
  EXPECT_EQ(first_few({"a"}), "a");
  EXPECT_EQ(first_few({"a", "b", "c"}), "a, b, c");
  EXPECT_EQ(first_few({"a", "b", "c", "d"}), "a, b, c and 1 more");
}

TEST(words, count_in_the_singular_and_in_the_plural) {
  EXPECT_EQ(counted(1, "contender"), "1 contender");
  EXPECT_EQ(counted(2, "contender"), "2 contenders");
}

}  // namespace riffle::bench
