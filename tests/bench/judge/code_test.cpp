/// Every line of C++ that a verdict may give is compiled here, as one would write it.
#include <gmock/gmock.h>

#include <cstdint>
#include <functional>
#include <riffle/riffle.hpp>
#include <riffle/sum.hpp>
#include <span>
#include <string_view>

#include "bench/judge/conclusions.hpp"
#include "tests/bench/given_report.hpp"

namespace riffle::bench {

namespace {

using given::race;
using testing::HasSubstr;

// What the lines of code need around them.
[[maybe_unused]] const char* const path = "input";
std::uint64_t count = 0;
std::uint64_t sum = 0;
std::uint64_t weigh(std::span<const std::int32_t> array) {
  return array.size();
}

// The text of code that was compiled, but is never run.
#define COMPILED(...) (static_cast<void>([] { __VA_ARGS__ }), #__VA_ARGS__)

}  // namespace

// clang-format off

TEST(winning_code_of, has_no_options_where_automatic_is_not_slower) {
  const std::string of_two =
      winning_code(race(task::gc, {{"riffle", "automatic", "automatic", 0.1}, {"riffle", "read", "read", 0.2}}));
  EXPECT_EQ(of_two, COMPILED(
      count = riffle::count_any_of(path, "cCgG");));
  const task_report noise =
      race(task::gc, {{"riffle", "automatic", "automatic", 1.015}, {"riffle", "mmap", "mmap", 1}});
  EXPECT_THAT(winning_code(noise), HasSubstr("count_any_of(path, \"cCgG\");"));
}

TEST(winning_code_of, has_the_method_and_the_block_size_that_won) {
  const auto won = [](std::size_t block_size) {
    return winning_code(race(task::gc, {{"riffle", "automatic", "automatic", 1},
                                   {"riffle", "read", "read", 0.5, 0, block_size},
                                   {"ioaccess", "mmap", "mmap", 0.1}}));
  };
  EXPECT_EQ(won(1 << 20), COMPILED(
      count = riffle::count_any_of(path, "cCgG", {}, {.method = riffle::method::read, .block_size = 1 << 20});));
  EXPECT_THAT(won(65536), HasSubstr(".block_size = 64 << 10}"));
  EXPECT_THAT(won(1000), HasSubstr(".block_size = 1000}"));
}

TEST(winning_code_of, is_introduced_where_a_published_program_leads) {
  const auto introduced = [](double riffle, const char* theirs, double their_time) {
    return introduces_code(race(task::words, {{"riffle", "read", "read", riffle}, {"ioaccess", theirs, "read", their_time}}));
  };
  EXPECT_TRUE(introduced(1, "read-64K", 0.5));
  EXPECT_FALSE(introduced(1, "read-64K", 2));
  EXPECT_FALSE(introduces_code(race(task::words, {{"ioaccess", "read-64K", "read", 1}})));
  EXPECT_FALSE(introduces_code({}));
}

TEST(winning_code_of, is_that_of_the_task_and_form) {
  const auto code = [](task which, const char* name) {
    return winning_code(race(which, {{"riffle", name, "mmap", 1}}));
  };
  EXPECT_EQ(code(task::lines, "mmap"), COMPILED(
      riffle::for_each(riffle::lines(path, {.method = riffle::method::mmap}),
                       [&](std::string_view line) { sum += line.size(); });));
  EXPECT_EQ(code(task::lines, "mmap-range-for"), COMPILED(
      for (auto line : riffle::lines(path, {.method = riffle::method::mmap})) sum += line.size();));
  EXPECT_EQ(code(task::words, "mmap-range-for"), COMPILED(
      for ([[maybe_unused]] auto word : riffle::words(path, {.method = riffle::method::mmap})) ++count;));
  EXPECT_EQ(code(task::words, "mmap"), COMPILED(
      count = riffle::count_words(path, {}, {.method = riffle::method::mmap});));
  EXPECT_EQ(code(task::ints, "mmap"), COMPILED(
      for (riffle::reader in(path, {.method = riffle::method::mmap}); !in.at_end();) {
        const auto length = in.get<std::int32_t>();
        sum += weigh(in.take<std::int32_t>(length));
      }));
  EXPECT_EQ(code(task::primes, "mmap-range-for"), COMPILED(
      for (auto value : riffle::values<std::uint64_t>(path, {.method = riffle::method::mmap})) sum += value;));
  EXPECT_EQ(code(task::primes, "mmap"), COMPILED(
      sum = riffle::sum<std::uint64_t>(path, {}, {.method = riffle::method::mmap});));
}

TEST(winning_code_of, works_by_threads_where_they_won) {
  const auto code = [](task which) {
    return winning_code(race(which, {{"riffle", "read", "read", 1, 0, 0, 2}}));
  };
  EXPECT_EQ(code(task::gc), COMPILED(
      count = riffle::count_any_of(path, "cCgG", {.threads = 2}, {.method = riffle::method::read});));
  EXPECT_EQ(code(task::lines), COMPILED(
      sum = riffle::parallel_reduce(path, std::uint64_t{0},
          [](std::string_view split) {
            std::uint64_t lengths = 0;
            riffle::for_each(riffle::lines(riffle::memory(split)),
                             [&](std::string_view line) { lengths += line.size(); });
            return lengths;
          }, std::plus<>(), {.threads = 2}, {.method = riffle::method::read});));
  EXPECT_EQ(code(task::words), COMPILED(
      count = riffle::count_words(path, {.threads = 2}, {.method = riffle::method::read});));
  EXPECT_EQ(code(task::primes), COMPILED(
      sum = riffle::sum<std::uint64_t>(path, {.threads = 2}, {.method = riffle::method::read});));
}

// clang-format on

}  // namespace riffle::bench
