/// Whichever system call fails, the answer is right or an error in its place, never short or a crash.
#include <riffle/anonymous_memory.hpp>
#include <riffle/lines.hpp>
#include <riffle/mapped_file.hpp>

#include <stdio.h>
#include <sys/types.h>

#include "os/file.hpp"
#include "tests/support/faults.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

// What reading gave while a call failed, and whether that call was made.
struct injected_outcome : read_outcome {
  bool reached = false;
};

injected_outcome read_while(const injection::plan& plan, const input& from, const read_options& reading) {
  const injection failing(plan);
  injected_outcome found{read_blocks(from, reading)};
  found.reached = failing.calls() >= plan.at;
  return found;
}

// Right as far as it goes, and if that is not to the end, then there is an error.
void expect_right_or_error(const read_outcome& found, std::string_view text) {
  ASSERT_TRUE(text.starts_with(found.bytes));
  ASSERT_TRUE(found.failure || found.bytes.size() == text.size()) << "a short answer without an error";
}

// The error says where.
void expect_right_or_error(const read_outcome& found, std::string_view text, int code) {
  expect_right_or_error(found, text);
  if (!found.failure) return;
  EXPECT_EQ(found.failure->code(), std::error_code(code, std::generic_category())) << found.failure->what();
  if (found.failure->offset()) {
    EXPECT_EQ(*found.failure->offset(), found.bytes.size()) << found.failure->what();
  }
}

const std::string text = numbered_lines(4000);

EACH_METHOD(each_injected);

TEST_P(each_injected, goes_on_after_short_reads) {
  const temporary_file file(text);
  for (const std::size_t longest : {1U, 2U, 100U}) {
    const read_options reading{.method = GetParam(), .block_size = 4096};
    const injection shortened({.which = call::read, .longest = longest});
    const read_outcome found = read_blocks(file.path(), reading);
    ASSERT_FALSE(found.failure) << found.failure->what();
    ASSERT_TRUE(found.bytes == text);
    ASSERT_TRUE(copies_of(lines(file.path(), reading)) == naive_lines(text));
  }
}

TEST_P(each_injected, tells_where_a_read_failed) {
  const temporary_file file(text);
  for (const std::size_t longest : {0U, 1000U}) {
    for (const bool stays : {true, false}) {
      for (std::size_t at = 1; at < 200; ++at) {
        const injected_outcome found = read_while(
            {.which = call::read, .code = EIO, .at = at, .from_there_on = stays, .longest = longest},
            file.path(), {.method = GetParam(), .block_size = 4096});
        expect_right_or_error(found, text, EIO);
        ASSERT_FALSE(HasFailure()) << "call " << at << " of those at most " << longest << " long";
        if (!found.reached) break;
        if (stays && (GetParam() == method::read || GetParam() == method::iostream)) {
          ASSERT_TRUE(found.failure) << "call " << at;
        }
      }
    }
  }
}

// macOS refuses 2 GiB and more.
TEST(injected, reads_are_of_at_most_one_gibibyte) {
  // Addresses, as many as 32 bits have in one piece; three bytes are touched.
  constexpr std::size_t large = std::size_t{3} << (sizeof(void*) == 4 ? 29U : 30U);
  anonymous_memory memory;
  const std::unique_ptr<void, std::function<void(void*)>> space(
      memory.allocate(large), [&](void* unused) { memory.deallocate(unused, large); });
  const std::span<char> into(static_cast<char*>(space.get()), large);
  const temporary_file file("abc");
  const os::file opened = os::file::open(file.path());
  const injection reads({.which = call::read});
  EXPECT_EQ(opened.read_at(into, 0), 3U);
  EXPECT_EQ(reads.largest(), std::size_t{1} << 30U);
  const injection again({.which = call::read});
  EXPECT_EQ(opened.read(into, 0), 3U);
  EXPECT_EQ(again.largest(), std::size_t{1} << 30U);
}

TEST(injected, mappings_that_fail_are_read_instead) {
  const std::string large = numbered_lines(1'000'000);
  facts known;
  known.size = large.size();
  ASSERT_EQ(choose(known).method, method::mmap);
  const temporary_file file(large);
  for (const int code : {ENOMEM, ENODEV}) {
    for (const bool stays : {false, true}) {
      for (std::size_t at = 1; at <= 20; ++at) {
        const read_outcome found =
            read_while({.which = call::mmap, .code = code, .at = at, .from_there_on = stays}, file.path(),
                       {.block_size = 1024 * 1024});
        ASSERT_FALSE(found.failure) << "call " << at << ": " << found.failure->what();
        ASSERT_TRUE(found.bytes == large) << "call " << at;
      }
    }
  }
}

TEST(injected, mappings_that_fail_are_errors_when_asked_for_by_name) {
  constexpr std::size_t window = 128 * 1024;
  const std::string lines = numbered_lines(100'000);
  // The one mapping that may fail unmaps what a shorter last window leaves; whole windows leave nothing.
  for (const std::size_t left : {std::size_t{0}, window / 2}) {
    const std::string large = lines.substr(0, 4 * window + left);
    const temporary_file file(large);
    std::size_t unnoticed = 0;
    for (std::size_t at = 1;; ++at) {
      ASSERT_LE(at, 20);
      const injected_outcome found = read_while({.which = call::mmap, .code = ENOMEM, .at = at}, file.path(),
                                                {.method = method::mmap, .block_size = window});
      expect_right_or_error(found, large, ENOMEM);
      ASSERT_FALSE(testing::Test::HasFailure()) << "call " << at;
      if (!found.reached) break;
      if (!found.failure) ++unnoticed;
    }
    EXPECT_EQ(unnoticed, left == 0 ? 0 : 1);
  }
}

TEST(injected, advice_that_fails_is_right_or_an_error) {
  const std::string large = numbered_lines(1'000'000);
  const temporary_file file(large);
  for (const int code : {EINTR, EINVAL, ENOMEM, EFAULT, EIO}) {
    for (std::size_t at = 1; at <= 20; ++at) {
      for (const method used : {method::automatic, method::mmap}) {
        const read_outcome found = read_while({.which = call::madvise, .code = code, .at = at}, file.path(),
                                              {.method = used, .block_size = 1024 * 1024});
        expect_right_or_error(found, large);
        ASSERT_FALSE(testing::Test::HasFailure());
        if (code == EINTR || code == EINVAL || (used == method::automatic && code == ENOMEM)) {
          ASSERT_FALSE(found.failure) << found.failure->what();
        }
      }
    }
  }
}

// The C library's own stream does not go through the calls
// above; a stream with our own reading function does.
struct cookie {
  std::string_view rest;
  std::size_t calls = 0;
  std::size_t failing = 0;  // the first call that gives EIO, from 1; 0: none
};

ssize_t read_cookie(void* state, char* into, size_t size) {
  cookie& from = *static_cast<cookie*>(state);
  ++from.calls;
  if (from.failing != 0 && from.calls >= from.failing) return errno = EIO, -1;
  if (from.calls % 3 == 0) return errno = EINTR, -1;
  const std::size_t count = std::min({size, from.rest.size(), 1 + from.calls * 37 % 500});
  from.rest.copy(into, count);
  from.rest.remove_prefix(count);
  return static_cast<ssize_t>(count);
}

// Pages of a file that is larger than memory could be evicted again before their use.
TEST(a_mapped_file, is_faulted_in_by_8_mebibytes) {
  if (const auto refusal = refusal_of_populate()) GTEST_SKIP() << *refusal;
  const temporary_file file(patterned_bytes(20 << 20));
  const mapped_file mapped(file.path(), {.fault_guard = false});  // cached windows are touched with a guard
  const injection counted(injection::plan{.which = call::madvise});
  source from(mapped);
  std::vector<std::uint64_t> faulted_in;
  for (block part = from.next(); !part.empty(); part = from.next()) {
    if (counted.calls() > faulted_in.size()) faulted_in.push_back(part.offset >> 20U);
  }
  EXPECT_EQ(faulted_in, (std::vector<std::uint64_t>{0, 8, 16}));
}

TEST(injected, streams_of_the_c_library_are_right_or_an_error) {
  for (const std::size_t failing : {0U, 1U, 2U, 4U, 11U, 50U}) {
    for (const std::size_t size : {1U, 100U, 4096U, 0U}) {
      cookie state{.rest = text, .failing = failing};
      const stdio_file stream(
          fopencookie(&state, "r",
                      {.read = read_cookie, .write = nullptr, .seek = nullptr, .close = nullptr}),
          std::fclose);
      const read_outcome found = read_blocks(stream.get(), {.block_size = size});
      expect_right_or_error(found, text, EIO);
      ASSERT_FALSE(testing::Test::HasFailure()) << "call " << failing << ", block size " << size;
      ASSERT_EQ(found.failure.has_value(), failing != 0);
    }
  }
}

}  // namespace
}  // namespace riffle::test
