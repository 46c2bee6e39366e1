/// Decides once, for an open input, what reads it: the method and its final numbers.
#ifndef RIFFLE_SOURCE_RESOLVE_HPP
#define RIFFLE_SOURCE_RESOLVE_HPP

#include <riffle/options.hpp>

#include <cstdint>
#include <string>

#include "method/open_file.hpp"

namespace riffle::inline v0 {

/// How an input is read.
struct resolved {
  read_options options;  // no number is left to the method; the method is `automatic` for memory alone
  std::string reason;
  bool automatic;  // the choice was riffle's, so another may take its place
};

/// Throws `riffle::error` for options out of range, and
/// for a method that was named and cannot read the input.
resolved resolve(const open_file& input, const read_options& asked);

/// The same with another method, since the one chosen was refused.
resolved resolve_again(const read_options& asked, method other, std::string reason);

/// Whether a file of this size is read in the same way whatever else is known of it: then the other facts, a
/// few system calls, are not worth asking for.
bool size_decides(std::uint64_t size) noexcept;

}  // namespace riffle::inline v0

#endif
