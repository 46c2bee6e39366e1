/// Sweeps are written as lists and ranges of values.
#ifndef RIFFLE_CLI_BENCH_LISTS_HPP
#define RIFFLE_CLI_BENCH_LISTS_HPP

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace riffle::cli {

/// The largest size of a generated input.
inline constexpr std::uint64_t largest_input = std::uint64_t{1} << 40U;

/// Drops repeated values, so that nothing is measured twice.
template <class T>
void drop_repeats(std::vector<T>& values) {
  for (auto each = values.begin(); each != values.end(); ++each)
    values.erase(std::remove(each + 1, values.end(), *each), values.end());
}

/// "a,b" is two items. Throws text::usage_error for an empty one.
std::vector<std::string_view> parse_list(std::string_view text);

/// Adds `parse(item)` of each item of "a,b" that is not there yet.
template <class T, class Parse>
void add_list(std::vector<T>& to, std::string_view text, Parse parse) {
  for (const std::string_view item : parse_list(text)) to.push_back(parse(item));
  drop_repeats(to);
}

/// "4K,64K,1M" is a list. "4K..1G" is a range in steps of four, up to its end: 4K 16K 64K ... 1G. Throws
/// text::usage_error for anything else, and for sizes of 0 or over `most`.
std::vector<std::uint64_t> parse_sizes(std::string_view text, std::uint64_t most);

}  // namespace riffle::cli

#endif
