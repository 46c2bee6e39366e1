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
    EXPECT_EQ(failure->path(), hidden);
    EXPECT_NE(std::string_view(failure->what()).find("?.txt': the path contains a NUL byte"),
              std::string_view::npos)
        << failure->what();
  }
}

TEST(a_reader, goes_on_after_a_take_that_failed) {
  reader in(memory("abcdefghijkl"));
  EXPECT_EQ(in.bytes(1), "a");
  EXPECT_EQ(code_of([&] { static_cast<void>(in.take<std::uint64_t>(2)); }), errc::unexpected_end);
  const auto letters = in.take<std::uint32_t>(2);
  EXPECT_EQ(memory(std::as_bytes(letters)).bytes(), "bcdefghi");
}

// What was moved from is empty, or an error that says so.
TEST(an_object, that_was_moved_from_does_not_crash) {
  const temporary_file file("one two\nthree\n");
  const auto refuses = [](auto act) { EXPECT_EQ(code_of(act), errc::invalid_argument); };
  {
    source from(file.path());
    source other = std::move(from);
    refuses([&] { static_cast<void>(from.next()); });
    refuses([&] { from.check(); });
    refuses([&] { from.seek(0); });
    EXPECT_FALSE(from.seekable());
    EXPECT_EQ(from.method(), method::automatic);
    EXPECT_EQ(from.name() + from.reason(), "");
    EXPECT_EQ(from.start() + from.size_hint(), 0U);
    from = std::move(other);
    EXPECT_EQ(from.next().bytes, "one two\nthree\n");
  }
  {
    reader from(file.path());
    const reader other = std::move(from);
    refuses([&] { static_cast<void>(from.line()); });
    refuses([&] { static_cast<void>(from.bytes(1)); });
    refuses([&] { static_cast<void>(from.at_end()); });
    refuses([&] { from.skip(1); });
    refuses([&] { from.take<int>(-1); });
    EXPECT_EQ(from.offset(), 0U);
    EXPECT_EQ(from.from().name(), "");
  }
  {
    reader from(file.path());
    EXPECT_EQ(from.get<char>(), 'o');  // there is a block now
    reader other = std::move(from);
    refuses([&] { static_cast<void>(from.at_end()); });
    refuses([&] { static_cast<void>(from.get<char>()); });
    from = std::move(other);
    EXPECT_EQ(from.get<char>(), 'n');
    refuses([&] { static_cast<void>(other.get<char>()); });
  }
  const auto refuses_a_loop = [&](auto from) {
    const auto other = std::move(from);
    refuses([&] { for_each(from, [](const auto&) {}); });
  };
  refuses_a_loop(lines(file.path()));
  refuses_a_loop(words(file.path()));
  refuses_a_loop(bytes(file.path()));
  refuses_a_loop(values<char>(file.path()));
  {
    mapped_file from(file.path(), {.mode = mapping_mode::copy_on_write});
    const mapped_file other = std::move(from);
    EXPECT_TRUE(from.empty() && from.view().empty() && from.as<int>().empty());
    EXPECT_EQ(read_all(from), "");
    from.check();
    from.populate(0, 10);
    refuses([&] { static_cast<void>(from.writable()); });
    refuses([&] { from.flush(); });
    refuses([&] { from.resize(10); });
    refuses([&] { static_cast<void>(from.share()); });
  }
  {
    input from(file.path());
    const input other = std::move(from);
    EXPECT_EQ(from.name(), "");
    EXPECT_TRUE(error_of([&] { static_cast<void>(read_all(from)); }));
  }
}

}  // namespace
}  // namespace riffle::test
