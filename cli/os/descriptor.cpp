/// By the file of the library, which repeats interrupted calls.
#include "cli/os/descriptor.hpp"

#include <riffle/error.hpp>

#include <cerrno>
#include <exception>
#include <new>

#include "os/file.hpp"

namespace riffle::os {

int write_all(int descriptor, std::string_view bytes) noexcept {
  try {
    file::borrow(descriptor, {}).write(bytes);
    return 0;
  } catch (const error& failure) {
    return failure.code().value();
  } catch (const std::bad_alloc&) {
    return ENOMEM;
  }
}

std::uintmax_t size_of(int descriptor, std::error_code& failure) noexcept {
  failure.clear();
  try {
    const file_status status = file::borrow(descriptor, {}).status();
    if (status.kind == file_kind::regular) return status.size;
    failure = std::make_error_code(status.kind == file_kind::untold      ? std::errc::permission_denied
                                   : status.kind == file_kind::directory ? std::errc::is_a_directory
                                                                         : std::errc::not_supported);
  } catch (const error& told) {
    failure = told.code();
  } catch (const std::bad_alloc&) {
    failure = std::make_error_code(std::errc::not_enough_memory);
  }
  return 0;
}

std::size_t read_front(int descriptor, std::span<char> into) noexcept {
  try {
    return file::borrow(descriptor, {}).read_at(into, 0);
  } catch (const std::exception&) {  // reading it tells
    return 0;
  }
}

void set_position(int descriptor, std::uint64_t position) noexcept {
  file::borrow(descriptor, {}).set_position(position);
}

}  // namespace riffle::os
