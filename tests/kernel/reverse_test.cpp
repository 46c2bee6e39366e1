/// Every kernel reverses the bytes of each value, and reads and writes nothing outside them.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "kernel/kernels.hpp"
#include "tests/support/guarded.hpp"
#include "tests/support/oracles.hpp"

namespace riffle::test {
namespace {

using kernel::table;
using reverse_function = void (*)(const char*, std::size_t, char*);

std::string reversed(std::string_view values, std::size_t element) {
  std::string all;
  for (std::size_t at = 0; at < values.size(); at += element) {
    const std::string_view value = values.substr(at, element);
    all.append(value.rbegin(), value.rend());
  }
  return all;
}

void expect_reversed(reverse_function reverse, std::size_t element) {
  guarded from(4096);
  guarded to(4096);
  for (std::size_t size = 0; size <= 1024; size += element) {
    const std::string values = random_text(size, static_cast<unsigned>(size));
    for (const auto& [read, written] :
         {std::pair(from.first(size), to.last(size)), std::pair(from.last(size), to.first(size)),
          std::pair(from.first(size + 1).last(size), to.first(size + 1).last(size))}) {
      std::ranges::copy(values, read.begin());
      reverse(read.data(), size, written.data());
      ASSERT_EQ(std::string(written.begin(), written.end()), reversed(values, element)) << "size " << size;
    }
  }
}

class each_reversing_kernel : public testing::TestWithParam<const table*> {};
INSTANTIATE_TEST_SUITE_P(kernels, each_reversing_kernel, testing::ValuesIn(kernel::available()),
                         [](const testing::TestParamInfo<const table*>& tested) {
                           return std::string(tested.param->name);
                         });

TEST_P(each_reversing_kernel, reverses_each_value) {
  expect_reversed(GetParam()->reverse_16, 2);
  expect_reversed(GetParam()->reverse_32, 4);
  expect_reversed(GetParam()->reverse_64, 8);
}

}  // namespace
}  // namespace riffle::test
