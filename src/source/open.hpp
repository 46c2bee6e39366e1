/// Opens an input once, and finds out what it is.
#pragma once

#include <riffle/input.hpp>
#include <riffle/methods.hpp>
#include <riffle/options.hpp>

#include "method/open_file.hpp"

namespace riffle::inline v0 {

/// Opens an input and returns the facts about it. Throws `riffle::error` if it cannot be opened, is a
/// directory (EISDIR), or is a stream that has failed before. Calls `given.before_block` while it looks for
/// the ends of a split.
open_file open_input(const input& from, const read_options& given = {});

}  // namespace riffle::inline v0
