/// Fills names in, and rounds the time up to two figures.
#include "bench/judge/sentences.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "bench/stats/statistics.hpp"

namespace riffle::bench {

std::string filled(std::string_view text, const named_words& words) {
  std::string all;
  for (std::size_t open = text.find('{'); open != std::string_view::npos; open = text.find('{')) {
    const std::size_t close = text.find('}', open);
    const std::string_view name = text.substr(open + 1, close - open - 1);
    const auto found = std::ranges::find(words, name, &named_words::value_type::first);
    all += text.substr(0, open);
    if (found != words.end()) all += found->second;
    text.remove_prefix(close + 1);
  }
  return all += text;
}

std::string time_for_rounds(double round_seconds, std::size_t tables) {
  if (round_seconds <= 0) return "a longer --time";
  // With a third more, no contender has to leave out rounds.
  const auto rounds = static_cast<double>(rounds_to_judge + rounds_to_judge / 3);
  const double seconds = std::ceil(round_seconds * rounds * static_cast<double>(tables));
  const double step = std::pow(10, std::max(0.0, std::floor(std::log10(seconds)) - 1));
  return fmt::format("--time {:.0f}", std::ceil(seconds / step) * step);
}

}  // namespace riffle::bench
