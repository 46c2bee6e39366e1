/// Windows has no cancellation of threads that unwinds them.
#include "os/cancellation.hpp"

namespace riffle::os {

uncancelled::uncancelled() noexcept = default;
uncancelled::~uncancelled() = default;

void end_if_cancelled() {}

}  // namespace riffle::os
