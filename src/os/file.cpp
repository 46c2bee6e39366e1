/// The parts of `os::file` that need no system call, and the throwing of its errors.
#include "os/file.hpp"

#include <array>
#include <cerrno>
#include <utility>

#include "os/facts.hpp"

namespace riffle::os {

[[noreturn]] void fail(std::string_view operation, std::string_view name, std::optional<std::uint64_t> offset,
                       int code, std::string_view detail, remedy helps) {
  throw error({code != 0 ? code : errno, std::generic_category()}, operation, name, offset, detail, helps);
}

file::file(int descriptor, bool owned, std::string name)
    : descriptor_(descriptor), owned_(owned), name_(std::move(name)) {}

file file::borrow(int descriptor, std::string name) {
  return {descriptor, false, std::move(name)};
}

file::file(file&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      owned_(other.owned_),
      name_(std::move(other.name_)) {}

file& file::operator=(file&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(owned_, other.owned_);
  name_.swap(other.name_);
  return *this;
}

int file::release() noexcept {
  return std::exchange(descriptor_, -1);
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
