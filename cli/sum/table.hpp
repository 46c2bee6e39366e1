/// The rows that `riffle sum` prints: a sum, or the columns of --stats as TSV, or lines of JSON.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

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
  /// `only_total`: files have no rows. `columns` names what each row of a file is of; none: it has one row.
  sum_table(bool stats, bool nulls, bool json, bool several, bool only_total,
            std::vector<std::string> columns)
      : shown_(columns_of(stats, nulls)),
        columns_(std::move(columns)),
        stats_(stats),
        json_(json),
        several_(several),
        only_total_(only_total) {}

  void add(std::string_view name, std::span<const sum_row> rows);
  /// The rows of all that were `add`ed.
  void add_total(std::span<const sum_row> rows);

 private:
  struct column {
    const char* name;
    number sum_row::* value;
  };
  static std::span<const column> columns_of(bool stats, bool nulls);
  std::string json_of(const json_row& start, std::span<const sum_row> rows) const;
  std::string text_of(const sum_row& row) const;
  void print(std::string_view name, std::span<const sum_row> rows);

  std::span<const column> shown_;
  std::vector<std::string> columns_;
  bool stats_;
  bool json_;
  bool several_;
  bool only_total_;
  bool begun_ = false;
  std::uint64_t rows_ = 0;  // of files
};

}  // namespace riffle::cli
