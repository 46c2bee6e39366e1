/// The parts of `os::file` that need no system call, and the throwing of its errors.
#include "os/file.hpp"

#include <array>
#include <cerrno>

#include "os/facts.hpp"

namespace riffle::os {

[[noreturn]] void fail(std::string_view operation, std::string_view name, std::optional<std::uint64_t> offset,
                       int code, std::string_view detail, remedy helps) {
  throw error({code != 0 ? code : errno, std::generic_category()}, operation, name, offset, detail, helps);
}

bool file::holds(std::uint64_t offset) const {
  std::array byte{'\0'};
  return read_at(byte, offset) != 0;
}

bool file::holds_more_than_it_reports() const {
  const std::uint64_t before = status().size;
  return holds(before) && status().size <= before;
}

void file::widen_pipe() const noexcept {
  os::widen_pipe(descriptor_);
}

void file::wait() const {
  wait_readable(descriptor_);
}

}  // namespace riffle::os
