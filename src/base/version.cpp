/// The version, which the build gives as RIFFLE_VERSION.
#include <riffle/version.hpp>

namespace riffle {

std::string_view version() noexcept {
  return RIFFLE_VERSION;
}

}  // namespace riffle
