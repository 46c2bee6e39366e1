/// A descriptor that the user opened with O_DIRECT is read like another one, from an offset that it takes.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <riffle/count.hpp>
#include <riffle/methods.hpp>

#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

class each_direct_descriptor : public testing::TestWithParam<method> {};

TEST_P(each_direct_descriptor, is_read_to_its_end) {
  for (const std::size_t size : {1U, 511U, 512U, 5'000U, 300'000U}) {
    const std::string text = patterned_bytes(size);
    const temporary_file file(text);
    const owned_descriptor direct(::open(file.path().c_str(), O_RDONLY | O_DIRECT | O_CLOEXEC));
    if (direct.get() < 0) GTEST_SKIP() << "this file system refuses O_DIRECT";
    EXPECT_EQ(read_all(direct.get(), {.method = GetParam()}), text) << size;
  }
}
INSTANTIATE_TEST_SUITE_P(methods, each_direct_descriptor, testing::ValuesIn(usable_methods()), method_name);

}  // namespace
}  // namespace riffle::test
