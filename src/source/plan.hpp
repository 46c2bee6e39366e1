/// Decides how an open input is read: the method, its final numbers, the decoder, and why.
#pragma once

#include <riffle/error.hpp>
#include <riffle/options.hpp>

#include <cstdint>
#include <optional>
#include <string>

#include "method/active_method.hpp"

namespace riffle::inline v0 {

/// Says how an input is read.
struct plan {
  read_options given;      // by the user
  method_options options;  // with final numbers; the method is `automatic` for memory only
  decoding decoder;        // `automatic`: the first bytes of a stream tell it
  std::string reason;      // for the method

  /// Returns the same by `read`, after the OS refused the method; nothing if the user named it.
  std::optional<plan> by_read(const error& refusal) const;
  /// Returns the same for one of several threads, without a queue that reads ahead into the part of another
  /// one. `block_size`: of blocks whose size the user did not give; 0 leaves it.
  plan for_one_of_several(std::size_t block_size) const;
};

/// Returns how the input is read. Throws `riffle::error` if an option is out of range, or if the method that
/// the user named cannot read the input.
plan decide(const open_file& input, const read_options& given);

/// Returns whether the size alone decides the method, so that riffle need not ask for the other facts, which
/// takes a few system calls.
bool size_decides(std::uint64_t size) noexcept;

}  // namespace riffle::inline v0
