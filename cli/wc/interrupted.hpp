/// What `riffle wc` prints if a signal ends it: the counts up to there.
#ifndef RIFFLE_CLI_WC_INTERRUPTED_HPP
#define RIFFLE_CLI_WC_INTERRUPTED_HPP

#include <string>

#include "cli/progress/so_far.hpp"
#include "cli/wc/row.hpp"

namespace riffle::cli {

using wc_so_far = so_far<wc_numbers>;

/// Adds the row of a file to a total.
void add_row(wc_numbers& total, const wc_numbers& row);

/// Returns the row of the file in progress, and a row `total` if that is not all that was counted; zeros
/// without a name before the first file.
std::string rows_so_far(const wc_so_far::snapshot& counted, const wc_columns& columns);

}  // namespace riffle::cli

#endif
