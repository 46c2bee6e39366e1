/// `riffle cat --fields`: copies some fields of each row.
#ifndef RIFFLE_CLI_CAT_ROWS_HPP
#define RIFFLE_CLI_CAT_ROWS_HPP

#include <riffle/source.hpp>

#include <cstdint>
#include <optional>

#include "cli/cat/arguments.hpp"
#include "cli/cat/output.hpp"

namespace riffle::cli {

/// Copies the fields of the rows of an input, and counts them in `copied`, which numbers them: it starts as
/// their number in the inputs before. `--head` and `--range` count the rows of this input. Returns the offset
/// behind the last row, if it stops before the end of an input that has positions. Throws `riffle::error` and
/// output_lost.
std::optional<std::uint64_t> copy_rows(source from, const cat_arguments& given, std::uint64_t& copied,
                                       cat_output& out);

}  // namespace riffle::cli

#endif
