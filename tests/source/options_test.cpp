/// Options mean the numbers that they say, up to their bounds.
#include <riffle/blocks.hpp>
#include <riffle/mapped_file.hpp>
#include <riffle/source.hpp>
#include <riffle/splits.hpp>

#include <gtest/gtest.h>

#include <limits>

#include "os/mapping.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

const std::size_t page = os::page_size();

std::error_code code_of(const input& from, const read_options& reading) {
  const auto failure = error_of([&] { const source opened(from, reading); });
  return failure ? failure->code() : std::error_code();
}

TEST(source, hands_out_larger_parts_of_a_window_to_who_finishes_each) {
  const temporary_file file(std::string(std::size_t{1} << 20, 'x'));
  const mapped_file mapped(file.path());
  const auto expect = [](source from) {
    const std::size_t part = from.next().size();
    EXPECT_EQ(from.next().size(), part);
    from.finish_block();
    EXPECT_EQ(from.next().size(), (std::size_t{1} << 20) - 2 * part);
  };
  expect(source(file.path(), {.method = method::mmap}));
  expect(source(mapped));
}

TEST(options, have_bounds) {
  const temporary_file file("x");
  const std::size_t largest = std::numeric_limits<std::size_t>::max() / 4;
  EXPECT_EQ(code_of(file.path(), {.method = method::read, .block_size = largest + 1}),
            errc::invalid_argument);
  EXPECT_EQ(code_of(file.path(), {.queue_depth = 4096}), std::error_code());
  EXPECT_EQ(code_of(file.path(), {.queue_depth = 4097}), errc::invalid_argument);
  EXPECT_EQ(code_of(file.path(), {.method = static_cast<method>(99)}), errc::invalid_argument);
}

std::vector<std::size_t> sizes_of_blocks(const input& from, const read_options& reading) {
  std::vector<std::size_t> sizes;
  for (const block& part : blocks(from, reading)) sizes.push_back(part.size());
  return sizes;
}

TEST(options, give_the_size_of_blocks) {
  const temporary_file file(patterned_bytes(4 * page));
  using list = std::vector<std::size_t>;
  for (const method used : {method::read, method::stdio, method::iostream, method::mmap}) {
    const auto sizes = [&](std::size_t size) {
      return sizes_of_blocks(file.path(), {.method = used, .block_size = size});
    };
    EXPECT_EQ(sizes(page), (list{page, page, page, page})) << name_of(used);
    EXPECT_EQ(sizes(3 * page), (list{3 * page, page})) << name_of(used);
    EXPECT_EQ(sizes(4 * page), list{4 * page}) << name_of(used);
  }
  const auto windows = [&](std::size_t size) {
    return sizes_of_blocks(file.path(), {.method = method::mmap, .block_size = size});
  };
  EXPECT_EQ(windows(1), (list{page, page, page, page}));
  EXPECT_EQ(windows(page + 1), (list{2 * page, 2 * page}));
}

TEST(options, give_the_size_of_blocks_in_flight) {
  const temporary_file file(patterned_bytes(4 * page));
  using list = std::vector<std::size_t>;
  for (const method used : {method::uring, method::direct}) {
    if (const std::error_code refused = code_of(file.path(), {.method = used})) {
      GTEST_SKIP() << name_of(used) << ": " << refused.message();
    }
    const auto sizes = [&](std::size_t size) {
      return sizes_of_blocks(file.path(), {.method = used, .block_size = size});
    };
    EXPECT_EQ(sizes(page), (list{page, page, page, page})) << name_of(used);
    EXPECT_EQ(sizes(3 * page), (list{3 * page, page})) << name_of(used);
  }
}

TEST(options, map_the_whole_file_at_once_if_asked_to) {
  const temporary_file file(patterned_bytes(4 * page));
  EXPECT_EQ(sizes_of_blocks(file.path(), {.method = method::mmap, .block_size = page, .whole_file = true}),
            std::vector<std::size_t>{4 * page});
  EXPECT_EQ(
      sizes_of_blocks(file.path(), {.method = method::read, .block_size = page, .whole_file = true}).size(),
      4U);
}

// The mapping starts at a page, so before the reading.
TEST(options, map_the_whole_file_from_where_it_stands) {
  const temporary_file file("\n" + std::string(4 * page, 'x'));
  file_split behind_the_first = splits(file.path()).at(0);
  behind_the_first.begin = 1;
  EXPECT_EQ(sizes_of_blocks(read_split(behind_the_first), {.method = method::mmap, .whole_file = true}),
            std::vector<std::size_t>{4 * page});
}

TEST(pipes, are_widened) {
  const fed_pipe pipe("x");
  const std::optional<int> before = capacity_of(pipe.get());
  if (!before || !set_capacity(pipe.get(), 1 << 20)) GTEST_SKIP() << "a pipe of 1 MiB is not allowed here";
  ASSERT_TRUE(set_capacity(pipe.get(), *before));
  const source from(pipe.get(), {.method = method::read});
  EXPECT_EQ(capacity_of(pipe.get()), 1 << 20);
}

}  // namespace
}  // namespace riffle::test
