/// A ring whose system call fails gives an error, and never waits for reads that were not started.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>
#include <riffle/riffle.hpp>

#include <cerrno>
#include <thread>

#include "tests/support/inject.hpp"
#include "tests/support/support.hpp"

namespace {

thread_local int submit_code = 0;  // what the armed call fails with
thread_local int submit_at = 0;    // the armed call, counted down to 1; 0: none
thread_local int wait_code = 0;    // what every wait fails with; 0: they do not fail
thread_local int to_cancel = 0;    // so many reads that meet the end are cancelled instead

}  // namespace

struct io_uring;
struct io_uring_cqe;

// Instead of those of liburing, which the library calls.
extern "C" __attribute__((visibility("default"))) int io_uring_submit(io_uring* ring) {
  static const auto real = reinterpret_cast<int (*)(io_uring*)>(::dlsym(RTLD_NEXT, "io_uring_submit"));
  if (submit_at != 0 && --submit_at == 0) return -submit_code;
  return real(ring);
}
// What io_uring_wait_cqe calls if no read has ended.
extern "C" __attribute__((visibility("default"))) int __io_uring_get_cqe(io_uring* ring, io_uring_cqe** entry,
                                                                         unsigned submit, unsigned wait,
                                                                         sigset_t* signals) {
  using function = int (*)(io_uring*, io_uring_cqe**, unsigned, unsigned, sigset_t*);
  static const auto real = reinterpret_cast<function>(::dlsym(RTLD_NEXT, "__io_uring_get_cqe"));
  if (wait_code != 0) return -wait_code;
  const int failure = real(ring, entry, submit, wait, signals);
  int& result = reinterpret_cast<int*>(*entry)[2];  // behind the tag of 64 bits
  if (failure == 0 && to_cancel != 0 && result == 0) {
    --to_cancel;
    result = -ECANCELED;
  }
  return failure;
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
      const auto [bytes, failure] =
          read_blocks(file.path(), {.method = method::uring, .block_size = 65536, .queue_depth = 4});
      ::alarm(0);
      EXPECT_TRUE(text.starts_with(bytes));
      if (submit_at != 0) break;  // there were fewer calls
      ASSERT_TRUE(failure) << at;
      EXPECT_EQ(failure->code().value(), code);
    }
    submit_at = 0;
  }
}

// As signals do it to a read of a FIFO.
TEST(a_ring, whose_reads_are_cancelled_reads_on) {
  if (const auto reason = find_method(method::uring)->unavailable()) GTEST_SKIP() << *reason;
  to_cancel = 3;
  for (int tries = 0; to_cancel != 0 && tries != 100; ++tries) {
    int ends[2] = {-1, -1};
    ASSERT_EQ(::pipe(ends), 0);
    const owned_descriptor reading(ends[0]);
    std::thread writer([end = ends[1]] {
      EXPECT_EQ(::write(end, "all of it", 9), 9);
      ::usleep(10'000);  // so that the ring is waited for
      ::close(end);
    });
    const auto [bytes, failure] = read_blocks(reading.get(), {.method = method::uring});
    writer.join();
    EXPECT_FALSE(failure) << failure->what();
    EXPECT_EQ(bytes, "all of it");
  }
  EXPECT_EQ(to_cancel, 0) << "no read was cancelled";
}

// The OS kernel may still write to the buffer of a read that nobody can wait for.
TEST(a_ring, that_cannot_wait_never_frees_the_buffers_in_flight) {
  if (const auto reason = find_method(method::uring)->unavailable()) GTEST_SKIP() << *reason;
  if (const auto reason = allocations::unavailable()) GTEST_SKIP() << *reason;
  int ends[2] = {-1, -1};
  ASSERT_EQ(::pipe(ends), 0);
  const owned_descriptor reading(ends[0]);
  const owned_descriptor writing(ends[1]);  // open and silent, so the read stays in flight
  const auto lost = [&] {
    const std::size_t before = allocations::alive();
    {
      source from(reading.get(), {.method = method::uring, .block_size = 65536});
      wait_code = EBADR;
      EXPECT_EQ(error_of([&] { static_cast<void>(from.next()); })->code().value(), EBADR);
      EXPECT_EQ(error_of([&] { from.seek(0); })->code(), std::errc::invalid_seek);
    }
    wait_code = 0;
    return allocations::alive() - before;
  };
  static_cast<void>(lost());  // what a first use allocates for good
  EXPECT_EQ(lost(), 1U);
}

}  // namespace
}  // namespace riffle::test
