/// Keeps signals that are meant for the program away from threads of the library.
#pragma once

#include <array>
#include <cstddef>

namespace riffle::os {

/// While it exists, the calling thread gets no signals but faults, and a thread that it starts never will.
class without_signals {
 public:
  without_signals() noexcept;
  ~without_signals();
  without_signals(const without_signals&) = delete;
  without_signals& operator=(const without_signals&) = delete;

 private:
  alignas(std::max_align_t)
      std::array<std::byte, 128> before_{};  // the sigset_t of the system, which may have none
};

}  // namespace riffle::os
