/// The rows that `riffle sum` prints: a sum, or the columns of --stats as TSV, or lines of JSON.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

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
};

/// Prints a row as soon as it is there. Every function throws `output_lost`.
class sum_table {
 public:
  /// `several`: the rows have names.
  sum_table(bool stats, bool json, bool several) : stats_(stats), json_(json), several_(several) {}

  void add(std::string_view name, const sum_row& row);
  /// The row of all that were `add`ed.
  void add_total(const sum_row& row);

 private:
  void print(std::string_view name, const sum_row& row);

  bool stats_;
  bool json_;
  bool several_;
  bool begun_ = false;
  std::uint64_t rows_ = 0;  // of files
};

}  // namespace riffle::cli
