/// What is known of a block of BGZF (the SAM specification, section 4.1).
#ifndef RIFFLE_DECODE_BGZF_HPP
#define RIFFLE_DECODE_BGZF_HPP

#include <riffle/version.hpp>

#include <cstddef>

namespace riffle::inline v0::decode {

/// The most decoded bytes of a block, and the most compressed ones.
inline constexpr std::size_t bgzf_block = std::size_t{64} << 10U;
/// The header of a block that has its size alone as an extra field.
inline constexpr std::size_t bgzf_header = 18;

}  // namespace riffle::inline v0::decode

#endif
