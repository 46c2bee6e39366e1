/// `riffle cat --fields`: copies some fields of each row.
#ifndef RIFFLE_CLI_CAT_ROWS_HPP
#define RIFFLE_CLI_CAT_ROWS_HPP

#include <riffle/input.hpp>

#include <cstdint>

#include "cli/cat/arguments.hpp"
#include "cli/cat/output.hpp"

namespace riffle::cli {

/// Copies the fields of the rows of an input. `--head` and `--range` count rows. `before` is the number of
/// rows of the inputs before. Returns the number of rows read. Throws `riffle::error` and output_lost.
std::uint64_t copy_rows(const input& from, const cat_arguments& given, std::uint64_t before, cat_output& out);

}  // namespace riffle::cli

#endif
