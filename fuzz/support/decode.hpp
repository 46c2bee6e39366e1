/// Offers the check of the fuzz targets of the formats.
#ifndef RIFFLE_FUZZ_SUPPORT_DECODE_HPP
#define RIFFLE_FUZZ_SUPPORT_DECODE_HPP

#include <riffle/riffle.hpp>

#include <string_view>

namespace riffle::fuzz {

/// Decodes bytes by one thread, by several and piece by piece. Aborts if the outcomes differ.
void check(decoding format, std::string_view data);

}  // namespace riffle::fuzz

#endif
