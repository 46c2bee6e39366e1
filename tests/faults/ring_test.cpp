/// A ring whose system call fails gives an error, and never waits for reads that were not started.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <riffle/riffle.hpp>

#include <cerrno>

#include "tests/support/support.hpp"

namespace {

thread_local int submit_code = 0;  // what the armed call fails with
thread_local int submit_at = 0;    // the armed call, counted down to 1; 0: none

}  // namespace

struct io_uring;

// Instead of that of liburing, which the library calls.
extern "C" __attribute__((visibility("default"))) int io_uring_submit(io_uring* ring) {
  static const auto real = reinterpret_cast<int (*)(io_uring*)>(::dlsym(RTLD_NEXT, "io_uring_submit"));
  if (submit_at != 0 && --submit_at == 0) return -submit_code;
  return real(ring);
}

namespace riffle::test {
namespace {

TEST(a_ring, that_refuses_a_read_is_an_error_and_no_hang) {
  if (const auto reason = find_method(method::uring)->unavailable()) GTEST_SKIP() << *reason;
  const std::string text = numbered_lines(100'000);
  const temporary_file file(text);
  for (const int code : {ENOMEM, EIO, EBADR}) {
    for (int at = 1; at != 12; ++at) {
      submit_code = code;
      submit_at = at;
      ::alarm(20);
      std::string bytes;
      const auto failure = error_of([&] {
        for (const block part :
             blocks(file.path(), {.method = method::uring, .block_size = 65536, .queue_depth = 4})) {
          bytes += part.bytes;
        }
      });
      ::alarm(0);
      EXPECT_TRUE(text.starts_with(bytes));
      if (submit_at != 0) break;  // there were fewer calls
      ASSERT_TRUE(failure) << at;
      EXPECT_EQ(failure->code().value(), code);
    }
    submit_at = 0;
  }
}

}  // namespace
}  // namespace riffle::test
