/// Why this file exists: the automatic choice, a pure function of facts that can be stated.
#include <riffle/methods.hpp>

#include "input.hpp"

namespace riffle {

namespace {

constexpr std::size_t kib = 1024;
constexpr std::size_t mib = 1024 * kib;

// Making a mapping, faulting it in and unmapping it takes 30 microseconds more than a buffer that is there
// already, and a file that the third-level cache holds is copied at the speed of that cache. See
// docs/choosing.md.
constexpr std::uint64_t smallest_mapped = 8 * mib;

choice with(const facts& known, method chosen, std::size_t block_size, std::string reason) {
  return {chosen, known.block_size != 0 ? known.block_size : block_size, std::move(reason)};
}

choice choose_for_file(const facts& known) {
  if (known.size == 0) {
    return with(known, method::read, 256 * kib, "the size is not known beforehand (or the file is empty)");
  }
  if (known.size < smallest_mapped) return with(known, method::read, 256 * kib, "the file is small");
  if (!known.fault_guard) {
    return with(known, method::read, 256 * kib,
                "the fault guard is off, and a mapping without it could crash");
  }
  if (!known.mappable) {
    return with(known, method::read, 256 * kib,
                "this kernel cannot fault a mapping in safely (Linux 5.14 can)");
  }
  if (known.file_system == "tmpfs" || known.file_system == "ramfs") {
    return with(known, method::read, 256 * kib, "a file in memory reads as fast as it maps");
  }
  if (known.file_system == "nfs" || known.file_system == "cifs" || known.file_system == "smb2" ||
      known.file_system == "fuse") {
    return with(known, method::read, 256 * kib,
                "a remote or user-space file system serves reads more safely than faults");
  }
  return with(known, method::mmap, 4 * mib, "mapping it saves the copy of every byte");
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
      return with(known, method::stdio, 256 * kib, "a FILE* may hold bytes in its buffer");
    case input_kind::istream:
      return with(known, method::iostream, 256 * kib, "a std::istream can be read by no other");
    case input_kind::stream:
      return with(known, method::read, 256 * kib, "a pipe, socket or device can just be read");
    case input_kind::regular_file:
    case input_kind::block_device:
      break;
  }
  return choose_for_file(known);
}

}  // namespace riffle
