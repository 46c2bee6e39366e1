/// The rows that `riffle sum` prints: a sum, or the columns of --stats as TSV, or lines of JSON.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "cli/json.hpp"

namespace riffle::cli {

/// A number of any type; std::monostate: there is none, as the smallest of no numbers.
using number = std::variant<std::monostate, std::uint64_t, std::int64_t, float, double>;

/// What is printed of some numbers. Without --stats only `sum` is set.
struct sum_row {
  number count = {};
  number min = {};
  number max = {};
  number sum = {};
  number mean = {};
  number nulls = {};  // fields without a number
};

/// Prints a row as soon as it is there. Every function throws `output_lost`.
class sum_table {
 public:
  /// `several`: the rows have names. `nulls`: fields without a number are shown beside the rest of `stats`.
  /// `only_total`: files have no rows.
  sum_table(bool stats, bool nulls, bool json, bool several, bool only_total)
      : shown_(columns_of(stats, nulls)),
        stats_(stats),
        json_(json),
        several_(several),
        only_total_(only_total) {}

  void add(std::string_view name, const sum_row& row);
  /// The row of all that were `add`ed.
  void add_total(const sum_row& row);

 private:
  struct column {
    const char* name;
    number sum_row::* value;
  };
  static std::span<const column> columns_of(bool stats, bool nulls);
  std::string json_of(json_row row, const sum_row& numbers) const;
  std::string text_of(const sum_row& row) const;
  void print(std::string_view name, const sum_row& row);

  std::span<const column> shown_;
  bool stats_;
  bool json_;
  bool several_;
  bool only_total_;
  bool begun_ = false;
  std::uint64_t rows_ = 0;  // of files
};

}  // namespace riffle::cli
