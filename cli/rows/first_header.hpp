/// Holds the columns that are numbers to the names that they have in the first file with a header.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/rows/fields.hpp"

namespace riffle::cli {

/// A column that is a number must have one name in all files, or it may be another column.
class first_header {
 public:
  /// `columns` must outlive it. Messages say that riffle cannot `verb` a file, and that one names the
  /// `option`.
  first_header(const field_arguments& given, std::span<const field_range> columns, const char* verb,
               const char* option)
      : any_header_(given.any_header), columns_(columns), verb_(verb), option_(option) {}

  /// Returns whether the columns have the names that they have in the first file that has a header; else
  /// complains. `header` is empty for a file without one. Throws `output_lost`.
  bool is_that_of(const std::string& file, const std::vector<std::string>& header);
  bool differs() const { return differs_; }

 private:
  bool any_header_;
  std::span<const field_range> columns_;
  const char* verb_;
  const char* option_;
  std::string file_ = {};  // the first with a header
  std::vector<std::string> header_ = {};
  bool differs_ = false;
};

}  // namespace riffle::cli
