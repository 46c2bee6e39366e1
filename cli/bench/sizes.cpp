/// Reads lists and ranges of sizes.
#include "cli/bench/sizes.hpp"

#include <fmt/core.h>

#include <charconv>
#include <sstream>

#include "cli/command.hpp"

namespace riffle::cli {

namespace {

constexpr std::uint64_t largest = std::uint64_t{1} << 40U;

[[noreturn]] void refuse(const std::string& text) {
  throw CLI::ValidationError(
      fmt::format("'{}' is no list of sizes from 1 to 1 TiB: write 64K, 4K,64K,1M or 4K..1G", text));
}

std::uint64_t parse_size(std::string text, const std::string& whole) {
  try {
    std::uint64_t size = 0;
    if (as_size(text).empty()) std::from_chars(text.data(), text.data() + text.size(), size);
    if (size > 0 && size <= largest) return size;
    refuse(whole);
  } catch (const CLI::Error&) {
    refuse(whole);  // CLI's own words have no example
  }
}

void add_range(std::uint64_t from, std::uint64_t to, std::vector<std::uint64_t>& sizes) {
  for (std::uint64_t size = from; size < to; size *= 4) sizes.push_back(size);
  sizes.push_back(to);
}

}  // namespace

std::vector<std::uint64_t> parse_sizes(const std::string& text) {
  std::vector<std::uint64_t> sizes;
  if (text.empty() || text.ends_with(',')) refuse(text);
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    const std::size_t dots = part.find("..");
    if (dots == std::string::npos) {
      sizes.push_back(parse_size(part, text));
      continue;
    }
    const std::uint64_t from = parse_size(part.substr(0, dots), text);
    const std::uint64_t to = parse_size(part.substr(dots + 2), text);
    if (from > to) throw CLI::ValidationError(fmt::format("'{}' runs from the greater to the smaller", part));
    add_range(from, to, sizes);
  }
  drop_repeats(sizes);
  return sizes;
}

}  // namespace riffle::cli
