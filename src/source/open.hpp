/// Opens an input, once, and asks what it is.
#ifndef RIFFLE_SOURCE_OPEN_HPP
#define RIFFLE_SOURCE_OPEN_HPP

#include <riffle/input.hpp>
#include <riffle/methods.hpp>

#include "method/open_file.hpp"

namespace riffle::inline v0 {

/// Opens and examines. Throws `riffle::error`; a directory is
/// an error (EISDIR), as is a stream that has failed before.
open_file open_input(const input& from);

}  // namespace riffle::inline v0

#endif
