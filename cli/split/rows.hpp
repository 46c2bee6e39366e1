/// Splits an input into files of whole rows of CSV.
#pragma once

#include <riffle/source.hpp>

#include "cli/split/arguments.hpp"

namespace riffle::cli {

/// Splits what a source gives from its start on, with so many threads that write. Throws `riffle::error`;
/// output_lost.
void split_rows(source from, const split_arguments& given, unsigned threads);

}  // namespace riffle::cli
