/// Each system call fails at each place with each plausible code: the answer is right, or a prefix and an
/// error.
#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <riffle/riffle.hpp>

#include "tests/support/faults.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

// The newer processors have no other call for poll(2).
#ifdef SYS_poll
constexpr long poll_call = SYS_poll;
#else
constexpr long poll_call = SYS_ppoll;
#endif

// What fstat(2) is made of, by the C library and its version: one or more of these.
#ifndef __GLIBC__
constexpr std::array stat_calls{SYS_fstat};
#elif defined(SYS_newfstatat)
constexpr std::array stat_calls{SYS_newfstatat, SYS_fstat};
#else
constexpr std::array stat_calls{SYS_statx};
#endif

struct failing_call {
  const char* name;
  long number;
  std::vector<int> codes;  // that the OS kernel gives, and EINTR where a signal can end the call
  std::vector<std::error_code> also = {};  // what the error may hold instead
};

const std::error_code no_memory = std::make_error_code(std::errc::not_enough_memory);
const std::error_code bad_page{EIO, std::generic_category()};

#ifdef __GLIBC__
const std::vector<failing_call> calls_of_musl;
constexpr long read_of_streams = SYS_read;
#else
// musl's open and stat are not those of folders, and its streams read by readv(2).
constexpr long read_of_streams = SYS_readv;
const std::vector<failing_call> calls_of_musl{
    {"open_alone", SYS_open, {EMFILE, ENOENT, EINTR, EINVAL}, {errc::method_unavailable}},
    {"stat", SYS_stat, {EIO, EOVERFLOW}},
    {"readv", SYS_readv, {EIO, EINTR, EAGAIN, ENOMEM}},
};
#endif

// All the calls that riffle makes. `calls.are_all_known` finds one that is missing.
const std::vector<failing_call>& failing_calls() {
  static const std::vector<failing_call> table = [] {
    std::vector<failing_call> all = calls_of_musl;
    const std::vector<failing_call> others{
        {"open", SYS_openat, {EMFILE, ENOENT, EINTR, EINVAL}, {errc::method_unavailable}},
        {"close", SYS_close, {EIO, EINTR}},
        {"getdents", SYS_getdents64, {EIO, ENOMEM}},
        {"getrlimit", SYS_prlimit64, {EPERM}},
        {"statx", SYS_statx, {ENOSYS, EINVAL}},
        {"fstatfs", SYS_fstatfs, {EIO, ENOSYS}},
        {"read", SYS_read, {EIO, EINTR, EAGAIN, ENOMEM}},
        {"pread", SYS_pread64, {EIO, EINTR, EAGAIN, ESTALE}},
        {"preadv2", SYS_preadv2, {EIO, EINTR, EAGAIN, EOPNOTSUPP}},
        {"lseek", SYS_lseek, {EINVAL, ESPIPE, EIO}, {errc::method_unavailable}},
        {"cachestat", 451, {EINVAL, ENOSYS}},
        {"getrusage", SYS_getrusage, {EINVAL}},
        {"fadvise", SYS_fadvise64, {EINVAL, ENOSYS}},
        {"fcntl", SYS_fcntl, {EMFILE, EINVAL}},
        {"poll", poll_call, {EINTR, ENOMEM}},
        {"ioctl", SYS_ioctl, {ENOTTY, EIO}},
        {"ftruncate", SYS_ftruncate, {EIO, EINTR, EFBIG, ENOSPC}},
        {"mmap", SYS_mmap, {ENOMEM, ENODEV, EPERM}, {no_memory, errc::method_unavailable}},
        {"munmap", SYS_munmap, {ENOMEM}},
        {"mprotect", SYS_mprotect, {ENOMEM}, {no_memory}},
        {"mincore", SYS_mincore, {ENOMEM, ENOSYS}},
        {"madvise", SYS_madvise, {EINVAL, ENOMEM, EFAULT, EIO, EAGAIN, EINTR}, {bad_page}},
        {"msync", SYS_msync, {EIO, ENOMEM}},
        {"sigaction", SYS_rt_sigaction, {EINVAL}},
        {"sched_getaffinity", SYS_sched_getaffinity, {EPERM, ENOSYS}},
        {"io_uring_setup", SYS_io_uring_setup, {EPERM, ENOSYS, ENOMEM, EMFILE}, {errc::method_unavailable}},
        {"io_uring_enter",
         SYS_io_uring_enter,
         {EIO, EINTR, EAGAIN, ENOMEM, EBUSY},
         {errc::method_unavailable}},
        {"io_uring_register", SYS_io_uring_register, {EINVAL}},
    };
    all.insert(all.end(), others.begin(), others.end());
    for (const long number : stat_calls) all.push_back({"fstat", number, {EIO, EOVERFLOW}});
    return all;
  }();
  return table;
}
#ifdef SYS_geteuid32
constexpr int geteuid_call = SYS_geteuid32;
#else
constexpr int geteuid_call = SYS_geteuid;
#endif
// They cannot fail, or are made by the allocator or the test itself.
constexpr std::array of_others{SYS_getpid,      SYS_gettid,      SYS_brk,       SYS_mremap,
                               SYS_write,       SYS_writev,      SYS_pipe2,     geteuid_call,
                               SYS_sched_yield, SYS_sigaltstack, SYS_socketpair};

// Returns what is wrong with the outcome of a failed call, or an empty string.
std::string fault_of(const ending& found, const failing_call& call, int code) {
  if (std::string fault = runs::fault_of(found); !fault.empty()) return fault;
  const bool takes_memory = std::ranges::find(call.also, no_memory) != call.also.end();
  if (found.out_of_memory) return code == ENOMEM || takes_memory ? "" : "std::bad_alloc";
  if (!found.failure) return {};
  const error& failure = *found.failure;
  const std::string told = failure.what();
  if (code == EINTR || (code == EAGAIN && call.number != SYS_madvise)) return "not retried: " + told;
  const bool known = failure.code() == std::error_code(code, std::generic_category()) ||
                     std::ranges::find(call.also, failure.code()) != call.also.end();
  if (!known) return "another code: " + told;
  const bool reads = call.number == SYS_read || call.number == SYS_pread64 || call.number == SYS_preadv2 ||
                     call.number == read_of_streams;
  if (reads && !failure.offset() && failure.operation() == "read") return "no offset: " + told;
  return {};
}

// Ends the program if a case does not end, and says which.
class watchdog : not_copied {
 public:
  watchdog() {
    ::signal(SIGALRM,
             [](int) { std::_Exit(::write(2, label.data(), std::strlen(label.data())) < 0 ? 98 : 99); });
  }
  ~watchdog() {
    ::alarm(0);
    ::signal(SIGALRM, SIG_DFL);
  }
  static void start(const std::string& name) {
    const std::string line = "hangs: " + name + "\n";
    line.copy(label.data(), label.size() - 1);
    label[std::min(line.size(), label.size() - 1)] = '\0';
    ::alarm(10);
  }

 private:
  static inline std::array<char, 300> label{};
};

// The failures of one kind of run, and what each leaves behind.
class cases {
 public:
  cases(const runs::run& what, method used, const runs::inputs& from)
      : what_(what), used_(used), from_(from) {}

  // Returns whether the call was made.
  bool try_one(const failing_call& call, const trap::failure::plan& plan) {
    const std::string name = std::string(what_.name) + " by " + std::string(name_of(used_)) + ": " +
                             call.name + " number " + std::to_string(plan.at) +
                             " fails: " + std::strerror(plan.code);
    watchdog::start(name);
    bool met = false;
    const ending found = carry_out(plan, met);
    EXPECT_EQ(fault_of(found, call, plan.code), "") << name;
    EXPECT_EQ(runs::open_descriptors(), descriptors_) << name;
    EXPECT_EQ(trap::closed_twice(), 0U) << name;
    EXPECT_FALSE(call.number != SYS_munmap && maps_more_each_time(plan)) << "a mapping is left: " << name;
    return met;
  }

 private:
  // A thread's stack and memory of the allocator may stay, but not again each time.
  bool maps_more_each_time(const trap::failure::plan& plan) {
    for (int again = 0; again != 4; ++again) {
      const std::size_t before = std::exchange(ranges_, runs::mapped_ranges());
      if (ranges_ <= before) return false;
      bool met = false;
      carry_out(plan, met);
    }
    return true;
  }

  ending carry_out(const trap::failure::plan& plan, bool& met) {
    std::optional<trap::failure> failing;
    return runs::carry_out(
        what_, used_, from_, [&] { failing.emplace(plan); },
        [&] {
          met = failing->met();
          failing.reset();
        });
  }

  const runs::run& what_;
  method used_;
  const runs::inputs& from_;
  std::size_t descriptors_ = runs::open_descriptors();
  std::size_t ranges_ = runs::mapped_ranges();
};

EACH_METHOD(each_call);

void fail_each_call(const runs::run& what, method used, const runs::inputs& from) {
  ASSERT_TRUE(runs::carry_out(what, used, from).whole()) << what.name << " without a failure";
  cases all(what, used, from);
  for (const failing_call& call : failing_calls()) {
    for (const int code : call.codes) {
      std::size_t at = 1;
      while (at != 100 && all.try_one(call, {.number = call.number, .code = code, .at = at})) ++at;
      if (testing::Test::HasFailure()) return;
    }
  }
}

TEST_P(each_call, that_fails_gives_the_answer_or_an_error) {
  if (const auto reason = trap::unavailable()) GTEST_SKIP() << *reason;
  const runs::inputs from;
  const watchdog watched;
  trap::run([&] {
    for (const auto& [what, used] : runs::all()) {
      SCOPED_TRACE(what->name);
      if (used == GetParam()) fail_each_call(*what, used, from);
      if (testing::Test::HasFailure()) return;
    }
  });
}

// Threads that cannot be started leave their work to the others.
TEST(calls, that_start_threads_may_fail) {
  if (build::instrumented) GTEST_SKIP() << "a sanitizer starts the threads itself";
  const runs::inputs from;
  for (const auto& [what, used] : runs::all()) {
    if (!what->name.starts_with("parallel") || what->from != kinds_of_input().data()) continue;
    for (const bool on : {false, true}) {
      for (std::size_t at = 1; at != 3; ++at) {
        const injection failing({.which = call::thread, .code = EAGAIN, .at = at, .from_there_on = on});
        const ending found = runs::carry_out(*what, used, from);
        EXPECT_EQ(found.got.bytes + found.got.wrong, found.got.truth);
        EXPECT_FALSE(found.failure) << found.failure->what();
        EXPECT_GE(failing.calls(), at);
      }
    }
  }
}

// The fourth opening is that of the second thread.
TEST(threads, without_a_descriptor_leave_their_work_to_others) {
  if (const auto reason = trap::unavailable()) GTEST_SKIP() << *reason;
  const temporary_file file(runs::text());
  trap::run([&] {
    for (const method used : {method::stdio, method::iostream, method::direct}) {
      const trap::failure failing({.number = SYS_openat, .code = EMFILE, .at = 4, .from_there_on = true});
      EXPECT_EQ(joined(file.path(), {.threads = 3, .split_size = runs::block_size}, {.method = used}),
                runs::text());
      EXPECT_TRUE(failing.met());
    }
  });
}

TEST(calls, are_all_in_the_table) {
  if (const auto reason = trap::unavailable()) GTEST_SKIP() << *reason;
  const runs::inputs from;
  for (const auto& [what, used] : runs::all()) from.file_of(*what);  // makes the large one
  trap::run([&] {
    const trap::count made;
    for (const auto& [what, used] : runs::all()) runs::carry_out(*what, used, from);
    std::vector<long> missing;
    for (long number = 0; number != trap::count::numbers; ++number) {
      const bool known =
          std::ranges::find(failing_calls(), number, &failing_call::number) != failing_calls().end();
      const bool other = std::ranges::find(of_others, number) != of_others.end();
      if (made.of(number) != 0 && !known && !other) missing.push_back(number);
    }
    EXPECT_EQ(missing, std::vector<long>());
    for (const failing_call& call : failing_calls()) {
      const std::string_view name = call.name;
      const bool optional =
          name.starts_with("io_uring") || name == "fstat" || call.number == SYS_sched_getaffinity;
      EXPECT_TRUE(made.of(call.number) != 0 || optional) << call.name << " is never called";
    }
    EXPECT_TRUE(std::ranges::any_of(stat_calls, [&](long number) { return made.of(number) != 0; }));
  });
}

}  // namespace
}  // namespace riffle::test
