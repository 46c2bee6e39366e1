/// What the command line asked of `riffle cat`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/cat/span.hpp"
#include "cli/lines.hpp"
#include "cli/rows.hpp"

namespace riffle::cli {

/// The options of `cat` beside those of reading and of fields.
struct cat_arguments : field_arguments {
  char delimiter = '\n';
  std::optional<char> to_delimiter = {};  // what is written for it
  bool whole_lines = false;               // the start of a line waits for its end
  bool strip_cr = false;
  bool number = false;
  line_choice lines = {};
  std::optional<line_step> every = {};
  std::optional<line_span> span = {};      // --head or --range; not with `tail`
  std::optional<std::uint64_t> tail = {};  // lines
  std::string_view chosen_by = {};         // the name of the option that gave `lines` or `every`
  std::string_view counted_by = {};        // the name of the option that gave `span` or `tail`
  std::vector<field_range> columns = {};   // none, but `by_rows`: whole rows
  bool as_cut = false;                     // -f named columns
  bool complement = false;                 // the other columns
  std::optional<char> to_separator = {};   // what is written between fields; nothing: the byte of the input

  /// Whether rows are copied, and not lines.
  bool by_rows() const { return named_dialect != nullptr || !columns.empty(); }
  /// The byte that ends a line of the output.
  char ending() const { return to_delimiter.value_or(delimiter); }
  /// Whether lines are written otherwise than they are read.
  bool edits() const { return number || strip_cr || ending() != delimiter; }
};

}  // namespace riffle::cli
