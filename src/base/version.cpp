/// Returns the version of the compiled library, which may be newer than the headers of a program.
#include <riffle/version.hpp>

#define RIFFLE_TEXT_OF(number) #number
#define RIFFLE_TEXT(number) RIFFLE_TEXT_OF(number)

namespace riffle::inline v0 {

std::string_view version() noexcept {
  return RIFFLE_TEXT(RIFFLE_VERSION_MAJOR) "." RIFFLE_TEXT(RIFFLE_VERSION_MINOR) "." RIFFLE_TEXT(
      RIFFLE_VERSION_PATCH);
}

}  // namespace riffle::inline v0
