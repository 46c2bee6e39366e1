/// Windows lets no program put its own functions before those of the system, so no call can be made to fail.
#include "tests/support/inject.hpp"

namespace riffle::test {

std::optional<std::string> interposition_unavailable() {
  return "calls of the system cannot be replaced on Windows";
}

injection::injection(const plan&) {}
injection::~injection() = default;
std::size_t injection::calls() const {
  return 0;
}
noted_opens::noted_opens(std::string, std::function<void()>) {}
noted_opens::~noted_opens() = default;
std::size_t noted_opens::count() const {
  return 0;
}
no_reopening::no_reopening() = default;
no_reopening::~no_reopening() = default;

std::optional<std::string> allocations::unavailable() {
  return interposition_unavailable();
}
void allocations::start_failing(std::size_t, bool) noexcept {}
bool allocations::stop_failing() noexcept {
  return false;
}
std::size_t allocations::alive() noexcept {
  return 0;
}

}  // namespace riffle::test
