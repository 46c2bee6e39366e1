/// `riffle freq` takes little memory.
#include <gtest/gtest.h>

#include "tests/support/shell.hpp"

namespace riffle::test {
namespace {

TEST(freq, takes_memory_for_its_values_only) {
  const long small = peak_memory("freq", "seq 10");
  EXPECT_LT(peak_memory("freq", "seq 1000000 | sed s/.*/same/"), small + 2000);
}

}  // namespace
}  // namespace riffle::test
