/// The automatic choice, a pure function of facts that can be stated.
#include <riffle/methods.hpp>

#include "method/block_size.hpp"
#include "os/file_system.hpp"
#include "source/resolve.hpp"

namespace riffle::inline v0 {

namespace {

// Making a mapping, faulting it in and unmapping it takes 30 microseconds
// more than a buffer that is there already, and a file that the third-level
// cache holds is copied at the speed of that cache. See docs/choosing.md.
constexpr std::uint64_t smallest_mapped = std::uint64_t{8} << 20U;

choice with(const facts& known, method chosen, std::string reason) {
  return {chosen, known.block_size != 0 ? known.block_size : default_block_size(chosen), std::move(reason)};
}

choice choose_for_file(const facts& known) {
  if (known.size == 0) {
    return with(known, method::read, "the size is not known beforehand (or the file is empty)");
  }
  if (known.size < smallest_mapped) return with(known, method::read, "the file is small");
  if (!known.fault_guard) {
    return with(known, method::read, "the fault guard is off, and a mapping without it could crash");
  }
  if (!known.mappable) {
    return with(known, method::read, "this kernel cannot fault a mapping in safely (Linux 5.14 can)");
  }
  if (os::in_memory(known.file_system)) {
    return with(known, method::read, "a file in memory reads as fast as it maps");
  }
  if (os::served_elsewhere(known.file_system)) {
    return with(known, method::read,
                "a remote or user-space file system serves reads more safely than faults");
  }
  return with(known, method::mmap, "mapping it saves the copy of every byte");
}

}  // namespace

bool size_decides(std::uint64_t size) noexcept {
  return size < smallest_mapped;
}

choice choose(const facts& known) {
  switch (known.kind) {
    case input_kind::memory:
      return {method::automatic, 0, "it is in memory already: no method is needed"};
    case input_kind::file_pointer:
      return with(known, method::stdio, "a FILE* may hold bytes in its buffer");
    case input_kind::istream:
      return with(known, method::iostream, "a std::istream can be read by no other");
    case input_kind::stream:
      return with(known, method::read, "a pipe, socket or device can just be read");
    case input_kind::regular_file:
    case input_kind::block_device:
      break;
  }
  return choose_for_file(known);
}

}  // namespace riffle::inline v0
