/// A mistyped word leads to the name that it means, and another word to none.
#include "text/nearest.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace riffle::text {

TEST(nearest, counts_what_makes_one_word_of_the_other) {
  struct row {
    const char* from;
    const char* to;
    std::size_t away;
  };
  for (const row& each : {row{"", "", 0},
                          {"wc", "wc", 0},
                          {"", "abc", 3},
                          {"wcc", "wc", 1},
                          {"lnes", "lines", 1},
                          {"liens", "lines", 1},
                          {"wrods", "words", 1},
                          {"kitten", "sitting", 3},
                          {"ca", "abc", 3},  // a swapped pair is not changed again
                          {"abcd", "badc", 2}}) {
    EXPECT_EQ(distance(each.from, each.to), each.away) << each.from << " " << each.to;
    EXPECT_EQ(distance(each.to, each.from), each.away) << each.to << " " << each.from;
  }
}

TEST(nearest, finds_the_name_that_a_word_means) {
  const std::vector<std::string> names{"wc", "count", "sum", "cat", "--lines", "--words", "--max-length"};
  struct row {
    const char* word;
    const char* name;
  };
  for (const row& each : {row{"wcc", "wc"},
                          {"cuont", "count"},
                          {"som", "sum"},
                          {"--lnes", "--lines"},
                          {"--max_lenght", "--max-length"},
                          {"cut", "cat"},
                          {"w", ""},
                          {"x", ""},
                          {"", ""},
                          {"foo", ""},
                          {"--foo", ""}})
    EXPECT_EQ(nearest(each.word, names), each.name) << each.word;
  EXPECT_EQ(nearest(std::string(100000, 'a'), names), "");
}

}  // namespace riffle::text
