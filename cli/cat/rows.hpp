/// `riffle cat --columns`: copies some fields of each row.
#pragma once

#include <riffle/parallel.hpp>
#include <riffle/source.hpp>
#include <riffle/value_counts.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/cat/arguments.hpp"
#include "cli/cat/output.hpp"

namespace riffle::cli {

/// What was copied of the inputs so far.
struct copied_rows {
  std::uint64_t count = 0;
  std::vector<std::string> header = {};        // the names; none: no header was copied
  std::string header_from = {};                // the name of its input
  std::optional<value_counter> distinct = {};  // the lines or rows, with --distinct
};

/// Returns whether the text is none of those. Throws as `value_counter::add`.
bool add_new(value_counter& texts, std::string_view text);

/// Copies the fields of the rows of an input, and of the header if none was copied. `copied` numbers the
/// rows. `--head` and `--range` count the rows of this input. Several threads copy if nothing counts rows.
/// With a header, fields that are numbers need the one that was copied, unless `given.any_header`.
/// Returns the offset after the last row, if it stops before the end of an input that has positions. Throws
/// `riffle::error` and output_lost.
std::optional<std::uint64_t> copy_rows(source from, const cat_arguments& given,
                                       riffle::thread_options splitting, copied_rows& copied,
                                       cat_output& out);

}  // namespace riffle::cli
