/// Implements `os::ring` without liburing: every use says that it is unavailable.
#include "os/file.hpp"
#include "os/ring.hpp"

namespace riffle::os {

struct ring::state {};

std::optional<std::string> ring::unavailable() {
  return "riffle was built without liburing, which is for Linux (liburing-dev)";
}

bool ring::may_hide_short_reads(const file&) noexcept {
  return false;
}

ring::ring(unsigned, std::string_view name) {
  throw error(errc::method_unavailable, "read", name, std::nullopt, "uring: " + *unavailable(),
              {advice::use_method});
}
ring::~ring() = default;
void ring::start(int, std::span<char>, std::optional<std::uint64_t>, std::size_t) {}
bool ring::ours() const noexcept {
  return true;
}
bool ring::ready() const noexcept {
  return false;
}

ring::completion ring::wait() {
  return {};
}

}  // namespace riffle::os
