/// No commands: their states of the cache and their limits are those of POSIX.
#include "bench/host/os/command.hpp"

#include <riffle/error.hpp>

namespace riffle::os {

class command::process {};

command::command(const std::vector<std::string>& words) {
  throw error(std::make_error_code(std::errc::function_not_supported), "run", words.front(), std::nullopt,
              "riffle bench -- COMMAND is not available on Windows");
}

command::~command() = default;

void command::start() {}

std::size_t command::read(std::span<char>) {
  return 0;
}

void command::stop() noexcept {}

command_end command::end() {
  return {};
}

}  // namespace riffle::os
