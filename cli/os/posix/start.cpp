/// Names are bytes, and streams change none.
#include "cli/os/start.hpp"

#include <cstddef>

namespace riffle::os {

std::span<char*> start_program(int count, char** words) {
  return {words, static_cast<std::size_t>(count)};
}

}  // namespace riffle::os
