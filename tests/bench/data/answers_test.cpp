/// Answers of processes are compared as numbers where they are numbers.
#include "bench/data/report.hpp"

#include <gtest/gtest.h>

namespace riffle::bench {

// Texts of the same line are the same, those of different lines are not.
TEST(answers, are_the_same_if_their_numbers_are) {
  // clang-format off
  const std::vector<std::vector<std::string>> lines{
      {"0", "-0", "+0.", ".0", "0e9", " 000\n"},
      {"7", "7.000", "+7", "007", "70e-1", ".7E+1", "\t7 \r\n"},
      {"-7", "-7.0", "-.7e1"},
      {"0.2", "0.20", ".2", "2e-1", "20E-2"},
      {"0.1000000000000000055511151231257827", "1000000000000000055511151231257827e-34"},
      {"0.1", "1e-1"},
      {"18446744073709551615"},
      {"18446744073709551616", "18446744073709551616.0", "1.8446744073709551616e19"},
      {"1e40", "1" + std::string(40, '0')},
      {"1e999999999", "10e999999998"},
      {"1e1000000000"},  // no number: so many digits of an exponent
      {"", " "}, {"seven"}, {"7 8"}, {"7,0"}, {"."}, {"-"}, {"e5"}, {"7e"}, {"0x7"}, {"nan"}, {"7\xff"}, {std::string("7\0", 2)}};
  // clang-format on
  for (std::size_t i = 0; i < lines.size(); ++i) {
    for (std::size_t j = 0; j < lines.size(); ++j) {
      for (const std::string& one : lines[i]) {
        for (const std::string& other : lines[j]) {
          if (i == j && !number_in(one)) continue;
          EXPECT_EQ(answer_of(one) == answer_of(other), i == j) << one << " and " << other;
        }
      }
    }
  }
  EXPECT_EQ(answer_of("1e3"), (answer{1000, 0}));
  EXPECT_EQ(answer_of("-7").count, 2U) << "the size of the text";
}

TEST(answers, are_picked_from_a_line_by_their_places) {
  struct row {
    const char* line;
    std::vector<std::size_t> places;
    std::optional<std::string> picked;
  };
  for (const row& each : {row{" 12 007 total", {0, 1}, "12 7"}, row{"a1.50b", {2, 0}, {}},
                          row{"a1.50b", {1, 0}, "50 1"}, row{"", {0}, {}}, row{"-000", {0}, "0"}})
    EXPECT_EQ(digits_in(each.line, each.places), each.picked) << each.line;
}

}  // namespace riffle::bench
