/// Reads the word of --total.
#include "cli/total.hpp"

#include <algorithm>

#include "cli/command_line.hpp"

namespace riffle::cli {

std::vector<std::string_view> words_of_total() {
  return {total_words.begin(), total_words.end()};
}

total_row parse_total(std::string_view value) {
  const auto starts = [value](std::string_view word) { return word.starts_with(value); };
  auto found = std::ranges::find(total_words, value);
  if (found == total_words.end() && std::ranges::count_if(total_words, starts) == 1) {
    found = std::ranges::find_if(total_words, starts);
  }
  if (found == total_words.end()) throw no_such("time to print a total", words_of_total());
  return static_cast<total_row>(found - total_words.begin());
}

}  // namespace riffle::cli
