/// The stage that decodes an input, whatever its format.
#ifndef RIFFLE_DECODE_DECODER_HPP
#define RIFFLE_DECODE_DECODER_HPP

#include <riffle/options.hpp>

#include "method/active_method.hpp"

namespace riffle::inline v0 {

/// Returns the stage that decodes an input as `given` says; null if none does. Reads the first bytes of a
/// seekable input, to find its format. Throws `riffle::error` (`errc::method_unavailable`) if this build
/// lacks the library.
const stage* decoder_for(const open_file& input, const read_options& given);

}  // namespace riffle::inline v0

#endif
