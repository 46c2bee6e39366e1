/// riffle computes with the machine's page size: tests/CMakeLists.txt runs the suites with sizes that it
/// gives.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "os/mapping.hpp"

namespace riffle::os {
namespace {

TEST(page_size, is_that_of_the_machine) {
  const char* const given = std::getenv("RIFFLE_PAGE_SIZE");
  const std::size_t expected =
      given != nullptr ? std::stoul(given) : static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  EXPECT_EQ(page_size(), expected);
}

}  // namespace
}  // namespace riffle::os
