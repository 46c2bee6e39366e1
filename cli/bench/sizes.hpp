/// Sweeps are written as lists and ranges of values.
#ifndef RIFFLE_CLI_BENCH_SIZES_HPP
#define RIFFLE_CLI_BENCH_SIZES_HPP

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace riffle::cli {

/// Leaves each value once, where it first stands: nothing is measured twice.
template <class T>
void drop_repeats(std::vector<T>& values) {
  for (auto each = values.begin(); each != values.end(); ++each)
    values.erase(std::remove(each + 1, values.end(), *each), values.end());
}

/// "4K,64K,1M" is a list. "4K..1G" is a range in steps of four, up to its end: 4K 16K 64K ... 1G. Throws
/// CLI::ValidationError, which names the text, for anything else and for sizes of 0 or over 1 TiB.
std::vector<std::uint64_t> parse_sizes(const std::string& text);

/// Adds an option that takes such sizes.
template <class T>
void add_sizes(CLI::App& command, const std::string& option, std::vector<T>& to, const std::string& text) {
  command
      .add_option_function<std::string>(
          option,
          [&to](const std::string& given) {
            const std::vector<std::uint64_t> sizes = parse_sizes(given);
            to.assign(sizes.begin(), sizes.end());
          },
          text)
      ->type_name("SIZES");
}

}  // namespace riffle::cli

#endif
