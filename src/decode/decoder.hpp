/// Decodes an input, whatever its format, between the method and the records.
#pragma once

#include <riffle/options.hpp>

#include <memory>

#include "method/active_method.hpp"

namespace riffle::inline v0 {

/// Makes what decodes the bytes of `below`. That, the input and the options outlive it.
std::unique_ptr<active_method> open_decoder(decoding format, active_method& below, const open_file& input,
                                            const read_options& given);

}  // namespace riffle::inline v0
