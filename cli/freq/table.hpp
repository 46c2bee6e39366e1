/// The rows that `riffle freq` prints: TSV, or with --json JSON Lines.
#pragma once

#include <riffle/value_counts.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace riffle::cli {

/// Which values are printed, and how.
struct freq_form {
  bool combined = false;             // a value holds the fields of several columns
  std::optional<std::uint64_t> top;  // nothing: all, in the order of their first appearance
  std::uint64_t least = 1;
  bool distinct = false;  // their number only
  bool json = false;
};

/// Prints the values. Throws `output_lost`.
void print(const value_counter& values, const freq_form& form);

}  // namespace riffle::cli
