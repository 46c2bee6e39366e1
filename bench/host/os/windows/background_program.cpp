/// Nothing here ends a program with its parent, so none is started. `riffle-slow-fs`, which would need it, is
/// for Linux alone.
#include "bench/host/os/background_program.hpp"

#include <system_error>

namespace riffle::os {

background_program::background_program(std::vector<std::string> arguments) {
  throw std::system_error(std::make_error_code(std::errc::not_supported), arguments[0]);
}

background_program::~background_program() {
  static_cast<void>(process_);  // there is none
}

std::optional<std::string> background_program::next_line() {
  return std::nullopt;
}

}  // namespace riffle::os
