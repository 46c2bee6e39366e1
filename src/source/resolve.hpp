/// Decides the method and its final numbers for an open input, once.
#ifndef RIFFLE_SOURCE_RESOLVE_HPP
#define RIFFLE_SOURCE_RESOLVE_HPP

#include <riffle/options.hpp>

#include <cstdint>
#include <string>

#include "method/active_method.hpp"

namespace riffle::inline v0 {

/// Says how an input is read.
struct resolved {
  method_options options;  // with final numbers; the method is `automatic` for memory only
  std::string reason;
  bool automatic;                  // riffle chose the method, so it may change to another
  const stage* through = nullptr;  // what stands between the method and the records; null: nothing
};

/// Returns how the input is read. Throws `riffle::error` if an option is out of range, or if the method that
/// the user named cannot read the input.
resolved resolve(const open_file& input, const read_options& given);

/// The same for another method, after the chosen one was refused.
resolved resolve_again(const read_options& given, method other, std::string reason);

/// Returns whether the size alone decides the method, so that riffle need not ask for the other facts, which
/// takes a few system calls.
bool size_decides(std::uint64_t size) noexcept;

}  // namespace riffle::inline v0

#endif
