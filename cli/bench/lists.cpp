/// Reads lists and ranges of sizes.
#include "cli/bench/lists.hpp"

#include <fmt/core.h>

#include "text/numbers.hpp"

namespace riffle::cli {

namespace {

std::uint64_t size_of(std::string_view item, std::uint64_t most) {
  try {
    return text::parse_size(item, 1, most);
  } catch (const text::usage_error&) {
    throw text::usage_error(fmt::format("not a list of sizes from 1 to {}; write 64K, 4K,64K,1M or 4K..1G",
                                        text::short_size(most)));
  }
}

void add_range(std::uint64_t from, std::uint64_t to, std::vector<std::uint64_t>& sizes) {
  for (std::uint64_t size = from; size < to; size *= 4) sizes.push_back(size);
  sizes.push_back(to);
}

}  // namespace

std::vector<std::string_view> parse_list(std::string_view text) {
  std::vector<std::string_view> items;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    if (end == begin) throw text::usage_error("an item of the list is empty; write a,b");
    items.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return items;
}

std::vector<std::uint64_t> parse_sizes(std::string_view text, std::uint64_t most) {
  std::vector<std::uint64_t> sizes;
  for (const std::string_view item : parse_list(text)) {
    const std::size_t dots = item.find("..");
    if (dots == std::string_view::npos) {
      sizes.push_back(size_of(item, most));
      continue;
    }
    const std::uint64_t from = size_of(item.substr(0, dots), most);
    const std::uint64_t to = size_of(item.substr(dots + 2), most);
    if (from > to)
      throw text::usage_error(fmt::format("reversed range '{}'; write the smaller size first", item));
    add_range(from, to, sizes);
  }
  return sizes;
}

}  // namespace riffle::cli
