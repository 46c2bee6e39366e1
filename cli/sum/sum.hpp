/// What the command line of `riffle sum` asks for, and the sums of each type of numbers.
#pragma once

#include <riffle/parallel.hpp>

#include <bit>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/rows/fields.hpp"
#include "cli/sum/table.hpp"
#include "cli/total.hpp"
#include "text/bad_rows.hpp"

namespace riffle::cli {

struct sum_arguments;

/// What is known of a file.
struct file_sum {
  std::vector<sum_row> rows;             // one for each column
  std::vector<std::string> header = {};  // unless all columns are named
  text::bad_rows skipped = text::bad_rows();
  std::function<void()> add_to_total;
};

/// Sums files of numbers of one type.
class summing {
 public:
  virtual ~summing() = default;
  /// The sum of the file. Throws `riffle::error`. Several threads may call it at once.
  virtual file_sum sum(source from, const parallel_options& splitting) = 0;
  /// The rows of all files that were added to the total. Throws as `summer::result`.
  virtual std::vector<sum_row> total() const = 0;
};

/// A type of numbers, by its name in --type.
struct number_type {
  std::string_view name;
  std::unique_ptr<summing> (*start)(const sum_arguments&);  // which must outlive it
};
/// All types; the last one is that of text unless another one is named.
std::span<const number_type> number_types();

/// What `riffle sum` was given.
struct sum_arguments : field_arguments {
  const number_type* type = nullptr;
  std::optional<std::endian> order;
  std::vector<field_range> columns;  // of text; none: the numbers are binary
  bool several = false;              // by --columns: rows say which column
  bool stats = false;
  total_row total = total_row::automatic;
};

}  // namespace riffle::cli
