/// Cuts a list after its third item and counts the rest.
#include "bench/judge/words.hpp"

#include <fmt/core.h>

#include <ranges>

#include "text/joined.hpp"

namespace riffle::bench {

std::string first_few(const std::vector<std::string>& all) {
  constexpr std::size_t few = 3;
  std::string text = text::joined(all | std::views::take(few), ", ");
  if (all.size() > few) text += fmt::format(" and {} more", all.size() - few);
  return text;
}

std::string counted(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace riffle::bench
