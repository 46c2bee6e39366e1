/// Sentences are texts with names in braces, which are filled in.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace riffle::bench {

/// What stands for each name.
using named_words = std::vector<std::pair<std::string_view, std::string>>;

/// "{a} is faster" with a = "mmap": "mmap is faster". A name without words stands for nothing.
std::string filled(std::string_view text, const named_words& words);

/// "{rounds} of 18 rounds": how long to run for enough rounds of so many tables of which a round takes
/// `round_seconds` seconds: "--time 240"; "a longer --time" if that is 0, as it is not known then.
std::string time_for_rounds(double round_seconds, std::size_t tables);

}  // namespace riffle::bench
