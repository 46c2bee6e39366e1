/// The automatic choice is a pure function of the facts.
#include <riffle/methods.hpp>

#include "os/facts.hpp"
#include "source/source_state.hpp"

namespace riffle::inline v0 {

namespace {

// Making a mapping, faulting it in and unmapping it takes 30 microseconds
// more than a buffer that exists already, and a file that the third-level
// cache holds is copied at the speed of that cache. See docs/choosing.md.
constexpr std::uint64_t smallest_mapped = std::uint64_t{8} << 20U;

choice with(const facts& known, method chosen, std::string reason) {
  return {chosen, known.block_size != 0 ? known.block_size : info_of(chosen).block_size, std::move(reason)};
}

choice choose_for_file(const facts& known) {
  if (known.size == 0) {
    return with(known, method::read, "the file is empty, or its size is unknown");
  }
  if (known.size < smallest_mapped) return with(known, method::read, "the file is smaller than 8 MiB");
  const bool in_memory = os::in_memory(known.file_system);
  if (in_memory && known.sparse) {
    return with(
        known, method::read,
        "the file has holes and is on " + known.file_system + ", where a hole that is mapped takes memory");
  }
  // Where the OS does not tell, the file counts as cold if a mapping would be next, which waits longest then.
  if (!known.keep_cache && !in_memory && (known.cached ? *known.cached < 0.5 : known.mappable)) {
    return with(
        known, method::direct,
        "the page cache is not to keep the file, and " +
            std::string(known.cached ? "holds less than half of it" : "the OS does not tell what it holds") +
            "; direct goes past it");
  }
  if (!known.fault_guard) {
    return with(known, method::read, "the fault guard is off, and without it a mapping could raise SIGBUS");
  }
  if (!known.mappable) {
    return with(known, method::read, "this OS kernel cannot fault in a mapping safely (Linux 5.14 can)");
  }
  if (os::served_elsewhere(known.file_system)) {
    return with(
        known, method::read,
        "the file is on " + known.file_system + ", a file system that serves read more safely than mmap");
  }
  if (!in_memory && known.cached && *known.cached < 0.5) {
    return with(known, method::read,
                "the page cache holds less than half of the file, and read waits less for storage than mmap");
  }
  return with(known, method::mmap, "mmap avoids the copy of every byte");
}

}  // namespace

bool size_decides(std::uint64_t size) noexcept {
  return size < smallest_mapped;
}

choice choose(const facts& known) {
  switch (known.kind) {
    case input_kind::memory:
      return {method::automatic, 0, "the input is in memory, and needs no method"};
    case input_kind::file_pointer:
      return with(known, method::stdio, "only stdio reads the bytes in the buffer of a FILE*");
    case input_kind::istream:
      return with(known, method::iostream, "only iostream reads a std::istream");
    case input_kind::object:
      return with(known, method::read, "only read calls the functions of an object");
    case input_kind::stream:
      return with(known, method::read, "a pipe, socket or device cannot be mapped");
    case input_kind::regular_file:
    case input_kind::block_device:
      break;
  }
  return choose_for_file(known);
}

}  // namespace riffle::inline v0
