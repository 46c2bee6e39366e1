/// Implements `os::ring` without liburing: every use says that it is unavailable.
#include "os/file.hpp"
#include "os/ring.hpp"

namespace riffle::os {

struct ring::state {};

const std::optional<std::string>& ring::unavailable() {
  static const std::optional<std::string> reason =
      "riffle was built without liburing, which is for Linux (liburing-dev); use another method";
  return reason;
}

ring::ring(unsigned, std::string_view name, reads) {
  throw error(errc::method_unavailable, "read", name, std::nullopt, "uring: " + *unavailable());
}
ring::~ring() = default;
void ring::start(int, std::span<char>, std::optional<std::uint64_t>, std::size_t) {}
bool ring::ours() const noexcept {
  return true;
}

ring::completion ring::wait() {
  return {};
}

}  // namespace riffle::os
