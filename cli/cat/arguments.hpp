/// What the command line asked of `riffle cat`.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/choice.hpp"

namespace riffle::cli {

/// The options of `cat` beside those of reading, of fields and of choice.
struct cat_arguments : choosing_arguments {
  char delimiter = '\n';
  std::optional<char> to_delimiter = {};  // what is written for it
  bool whole_lines = false;               // the start of a line waits for its end
  bool strip_cr = false;
  bool number = false;
  bool distinct = false;                  // the first of equal lines or rows
  std::vector<field_range> columns = {};  // none, but `by_rows`: whole rows
  bool as_cut = false;                    // -f named columns
  bool complement = false;                // the other columns
  std::optional<char> to_separator = {};  // what is written between fields; nothing: the byte of the input

  /// Whether rows are copied, and not lines.
  bool by_rows() const { return named_dialect != nullptr || !columns.empty() || !lines.where.empty(); }
  /// The byte that ends a line of the output.
  char ending() const { return to_delimiter.value_or(delimiter); }
  /// Whether lines are written otherwise than they are read.
  bool edits() const { return number || strip_cr || ending() != delimiter; }
};

}  // namespace riffle::cli
