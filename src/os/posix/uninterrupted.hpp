/// Repeats system calls that a signal interrupts.
#pragma once

#include <cerrno>

namespace riffle::os {

/// Returns the result of `call`, made again as long as it is -1 and errno EINTR.
template <class Call>
auto uninterrupted(Call call) {
  while (true) {
    const auto result = call();
    if (result != -1 || errno != EINTR) return result;
  }
}

}  // namespace riffle::os
