/// No programs of others: perl and wc, which the published programs were compared with, are programs of
/// POSIX.
#include "bench/host/os/process.hpp"

#include <stdexcept>

namespace riffle::os {

std::optional<std::string> find_program(std::string_view) {
  return std::nullopt;
}

void read_output(const std::vector<std::string>& arguments, const std::function<void(std::string_view)>&) {
  throw std::runtime_error("cannot run '" + arguments.front() + "' on Windows");
}

}  // namespace riffle::os
