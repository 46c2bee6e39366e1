/// An input, opened and examined, before a method reads it.
#ifndef RIFFLE_SOURCE_INPUT_HPP
#define RIFFLE_SOURCE_INPUT_HPP

#include <riffle/input.hpp>
#include <riffle/methods.hpp>

#include "method/active_method.hpp"
#include "os/file.hpp"

namespace riffle {

/// An input with its descriptor, if it has one, and what is known of it.
struct open_file {
  os::file file = {};
  input_kind kind = input_kind::memory;
  std::uint64_t size = 0;  // a hint
  std::string_view memory = {};
  opened how = {};  // `how.file` is set by whoever gives this its final place
};

/// Opens and examines. Throws `riffle::error`; a directory is an error (EISDIR), as is a stream that has
/// failed before.
open_file open_input(const input& from);

/// The facts of an opened input: those that the automatic choice will ask for, or all.
facts facts_of(const open_file& known, const read_options& options, bool all);

/// Whether a file of this size is read in the same way whatever else is known of it: then the other facts, a
/// few system calls, are not worth asking for.
bool size_decides(std::uint64_t size) noexcept;

}  // namespace riffle

#endif
