/// Windows has no fork, and bounds no addresses.
#include "tests/support/in_child.hpp"

namespace riffle::test {

std::optional<std::string> refusal_of_address_limits() {
  return "nothing bounds addresses on Windows";
}

}  // namespace riffle::test
