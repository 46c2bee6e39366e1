/// Offsets, counts and paths that no file can have.
#include <gtest/gtest.h>
#include <riffle/riffle.hpp>

#include <limits>

#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

class each_far_seek : public testing::TestWithParam<method> {};
INSTANTIATE_TEST_SUITE_P(methods, each_far_seek, testing::ValuesIn(usable_methods()), method_name);

TEST_P(each_far_seek, is_the_end) {
  const temporary_file file("abc");
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  constexpr std::uint64_t half = std::uint64_t{1} << 63U;
  for (const std::uint64_t offset :
       {std::uint64_t{4}, half / 2, half / 2 + 1, half - 1, half, half + 1, most - 4096, most}) {
    source from(file.path(), {.method = GetParam()});
    from.seek(offset);
    EXPECT_TRUE(from.next().empty()) << offset;
    from.seek(1);
    EXPECT_EQ(from.next().bytes, "bc") << offset;
  }
}

TEST(a_path, with_a_zero_byte_is_an_error) {
  const temporary_file file("abc");
  const std::string hidden = file.path().string() + std::string("\0.txt", 5);
  for (const auto& failure : {error_of([&] { static_cast<void>(read_all(hidden)); }),
                              error_of([&] { static_cast<void>(mapped_file(hidden)); })}) {
    ASSERT_TRUE(failure);
    EXPECT_EQ(failure->code(), errc::invalid_argument);
  }
}

TEST(a_reader, goes_on_after_a_take_that_failed) {
  reader in(memory("abcdefghijkl"));
  EXPECT_EQ(in.bytes(1), "a");
  const auto failure = error_of([&] { static_cast<void>(in.take<std::uint64_t>(2)); });
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->code(), errc::unexpected_end);
  const auto letters = in.take<std::uint32_t>(2);
  EXPECT_EQ(memory(std::as_bytes(letters)).bytes(), "bcdefghi");
}

}  // namespace
}  // namespace riffle::test
