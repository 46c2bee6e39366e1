/// A page that cannot be read becomes an error of its mapping, and nobody else's business changes.
#include "os/fault_guard.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <riffle/count.hpp>
#include <riffle/error.hpp>
#include <riffle/mapped_file.hpp>

#include <atomic>
#include <barrier>
#include <fstream>
#include <functional>
#include <thread>
#include <vector>

#include "os/mapping.hpp"
#include "tests/support/build.hpp"
#include "tests/support/in_child.hpp"
#include "tests/support/support.hpp"

namespace riffle {
namespace {

using test::patterned_bytes;
using test::temporary_file;

const std::size_t page = os::page_size();

template <class Act>
std::pair<std::error_code, std::optional<std::uint64_t>> failure_of(Act act) {
  try {
    act();
  } catch (const error& thrown) {
    return {thrown.code(), thrown.offset()};
  }
  return {};
}

char touch(const char& byte) {
  return *static_cast<const volatile char*>(&byte);
}

TEST(fault_guard, truncation_becomes_zeros_and_an_error) {
  const std::string bytes = patterned_bytes(8 * page);
  for (const mapping_mode mode :
       {mapping_mode::read_only, mapping_mode::copy_on_write, mapping_mode::shared}) {
    const temporary_file on_disk(bytes);
    const mapped_file file(on_disk.path(), {.mode = mode, .offset = 100});
    on_disk.resize(3 * page + 5);
    EXPECT_EQ(touch(file[6 * page]), '\0');
    EXPECT_EQ(touch(file[5 * page]), '\0');
    EXPECT_EQ(file.view(0, 3 * page - 100), std::string_view(bytes).substr(100, 3 * page - 100));
    const auto [code, offset] = failure_of([&] { file.check(); });
    EXPECT_EQ(code, errc::truncated);
    EXPECT_EQ(offset, 3 * page + 5);
  }
}

TEST(fault_guard, truncation_without_a_fault_is_seen_too) {
  const temporary_file on_disk(patterned_bytes(page));
  const mapped_file file(on_disk.path());
  on_disk.resize(7);  // the rest of the page reads as zeros, without a signal
  EXPECT_EQ(touch(file[8]), '\0');
  EXPECT_EQ(failure_of([&] { file.check(); }).second, 7U);
  EXPECT_EQ(failure_of([&] { (void)count_words(file); }).first, errc::truncated);
  EXPECT_EQ(failure_of([&] { (void)count_byte(file, 'a'); }).second, 0U)
      << "nothing was checked after its use";
  const mapped_file byte(on_disk.path(), {.offset = 6});
  on_disk.resize(6);
  EXPECT_EQ(failure_of([&] { byte.check(); }).first, errc::truncated);
}

TEST(fault_guard, a_regrown_file_does_not_hide_the_fault) {
  const temporary_file on_disk(patterned_bytes(4 * page));
  const mapped_file file(on_disk.path());
  on_disk.resize(0);
  EXPECT_EQ(touch(file[2 * page + 1]), '\0');
  on_disk.resize(4 * page);
  const auto [code, offset] = failure_of([&] { file.check(); });
  EXPECT_EQ(code, std::errc::io_error);
  EXPECT_EQ(offset, 2 * page);
}

TEST(fault_guard, zeros_of_a_writable_mapping_can_be_written) {
  const temporary_file on_disk(patterned_bytes(2 * page));
  mapped_file file(on_disk.path(), {.mode = mapping_mode::shared});
  on_disk.resize(0);
  file.writable()[page] = 'x';
  EXPECT_EQ(file[page], 'x');
  EXPECT_EQ(failure_of([&] { file.check(); }).first, errc::truncated);
}

TEST(fault_guard, marks_only_the_mapping_that_faulted) {
  const temporary_file good(patterned_bytes(page));
  const temporary_file bad(patterned_bytes(page));
  const mapped_file before(good.path());
  const mapped_file between(bad.path());
  const mapped_file after(good.path());
  bad.resize(0);
  EXPECT_EQ(touch(between[0]), '\0');
  EXPECT_NO_THROW(before.check());
  EXPECT_NO_THROW(after.check());
  EXPECT_THROW(between.check(), error);
}

TEST(fault_guard, follows_a_moved_mapping_and_forgets_a_destroyed_one) {
  const temporary_file on_disk(patterned_bytes(2 * page));
  const os::file opened = os::file::open(on_disk.path());
  os::mapping outer;
  {
    os::mapping inner(opened, 0, 2 * page, os::protection::read, {.populate = false}, true);
    outer = std::move(inner);
  }
  on_disk.resize(page);
  EXPECT_FALSE(outer.faulted());
  EXPECT_EQ(touch(outer.bytes()[page + 9]), '\0');
  EXPECT_EQ(outer.fault_offset(), page);
  // The slot is free again, and starts without a fault.
  outer = os::mapping();
  const os::mapping next(opened, 0, page, os::protection::read, {}, true);
  EXPECT_FALSE(next.faulted());
}

TEST(fault_guard, follows_the_input_of_a_mapped_file_that_was_moved) {
  const temporary_file on_disk(patterned_bytes(8 * page));
  mapped_file file(on_disk.path());
  const input from = file;
  const mapped_file moved = std::move(file);
  on_disk.resize(page);
  EXPECT_EQ(failure_of([&] { (void)count_byte(from, 'a'); }).first, errc::truncated);
}

TEST(fault_guard, takes_no_disk_for_a_file_that_was_cut) {
  const temporary_file on_disk(patterned_bytes(2 * page));
  const mapped_file file(on_disk.path(), {.mode = mapping_mode::shared});
  on_disk.resize(0);
  EXPECT_EQ(touch(file[page]), 0);
  EXPECT_EQ(failure_of([&] { file.check(); }).first, errc::truncated);
  struct stat status{};
  ASSERT_EQ(::stat(on_disk.path().c_str(), &status), 0);
  EXPECT_EQ(status.st_blocks, 0);
}

TEST(mapped_file, that_cannot_be_read_leaves_the_file_as_it_was) {
  const temporary_file on_disk("abc");
  const test::owned_descriptor written(open(on_disk.path().c_str(), O_WRONLY | O_CLOEXEC));
  const mapping_options options{.mode = mapping_mode::shared, .minimum_size = 20'000};
  EXPECT_EQ(failure_of([&] { mapped_file(written.get(), options); }).first, std::errc::permission_denied);
  EXPECT_EQ(on_disk.contents(), "abc");
}

TEST(fault_guard, populating_finds_the_first_bad_page_without_a_fault) {
  if (const auto reason = test::refusal_of_populate()) GTEST_SKIP() << *reason;
  const temporary_file on_disk(patterned_bytes(9 * page));
  const os::file opened = os::file::open(on_disk.path());
  for (const std::size_t good : {0U, 1U, 4U, 8U}) {
    on_disk.resize(good * page);
    const auto [code, offset] =
        failure_of([&] { os::mapping(opened, 0, 9 * page, os::protection::read, {.populate = true}, true); });
    EXPECT_EQ(code, errc::truncated);
    EXPECT_EQ(offset, good * page);
  }
}

TEST(fault_guard, threads_may_fault_at_once) {
  const temporary_file on_disk(patterned_bytes(64 * page));
  for (int round = 0; round < 20; ++round) {
    on_disk.resize(64 * page);
    const mapped_file common(on_disk.path());
    on_disk.resize(page);
    constexpr int count = 4;
    std::barrier start(count);
    std::atomic<int> not_zero{0};
    const auto work = [&](bool upwards) {
      start.arrive_and_wait();
      for (std::size_t i = 1; i < 64; ++i) not_zero += touch(common[(upwards ? i : 64 - i) * page]) != 0;
      const mapped_file own(on_disk.path());  // slots come and go while others fault
      not_zero += own.size() != page;
    };
    std::vector<std::thread> threads;
    for (int i = 0; i < count; ++i) threads.emplace_back(work, i % 2 == 0);
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(not_zero, 0);
    EXPECT_EQ(failure_of([&] { common.check(); }).second, page);
  }
}

TEST(fault_guard, survives_more_faults_than_there_may_be_mappings) {
  // A mapping for every second page would be more than vm.max_map_count (65530 by default).
  constexpr std::size_t pages = 150000;
  const temporary_file on_disk("");
  on_disk.resize(pages * page);
  const mapped_file file(on_disk.path());
  on_disk.resize(page);
  for (std::size_t i = 1; i < pages; i += 2) ASSERT_EQ(touch(file[i * page]), '\0');
  EXPECT_EQ(failure_of([&] { file.check(); }).second, page);
}

// Every second page of a large range gets a protection of its own, which takes a mapping, until none is left.
class no_more_mappings {
 public:
  no_more_mappings() {
    std::size_t limit = 0;
    std::ifstream("/proc/sys/vm/max_map_count") >> limit;
    size_ = 2 * (limit + 1) * page;
    begin_ = mmap(nullptr, size_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (begin_ == MAP_FAILED) return;
    std::size_t at = page;
    while (at < size_ && mprotect(static_cast<char*>(begin_) + at, page, PROT_READ) == 0) at += 2 * page;
    left_ = at >= size_;
  }
  ~no_more_mappings() { munmap(begin_, size_); }
  no_more_mappings(const no_more_mappings&) = delete;
  no_more_mappings& operator=(const no_more_mappings&) = delete;
  bool left() const { return left_; }

 private:
  std::size_t size_ = 0;
  void* begin_ = nullptr;
  bool left_ = true;
};

TEST(fault_guard, replaces_the_whole_mapping_where_the_OS_grants_no_more) {
  if (test::build::instrumented) GTEST_SKIP() << "a sanitizer needs mappings of its own meanwhile";
  EXPECT_EXIT(
      {
        const temporary_file on_disk(patterned_bytes(9 * page));
        const mapped_file file(on_disk.path());
        on_disk.resize(2 * page);
        bool mended = false;
        {
          const no_more_mappings taken;
          if (taken.left()) std::_Exit(3);
          mended = touch(file[5 * page]) == '\0' && touch(file[0]) == '\0';
        }
        std::_Exit(mended && failure_of([&] { file.check(); }).second == 0U ? 0 : 1);
      },
      ::testing::ExitedWithCode(0), "");
}

// --- What is not ours. Each in a child, because it changes the process for good.

// A mapping that the guard does not know, with its only page gone.
const char* foreign_bad_page() {
  std::string name = "/tmp/riffle-foreign-XXXXXX";
  const int descriptor = mkstemp(name.data());
  unlink(name.c_str());
  if (ftruncate(descriptor, 1) != 0) std::_Exit(98);
  void* const at = mmap(nullptr, page, PROT_READ, MAP_SHARED, descriptor, 0);
  if (at == MAP_FAILED || ftruncate(descriptor, 0) != 0) std::_Exit(99);
  return static_cast<const char*>(at);
}

// Makes the guard stand before `action`: in the child the guard may be installed already, by another test.
void put_guard_before(void (*action)(int)) {
  signal(SIGBUS, action);
  const temporary_file on_disk("x");
  const mapped_file file(on_disk.path());
}

void put_guard_before(const struct sigaction& wanted) {
  sigaction(SIGBUS, &wanted, nullptr);
  const temporary_file on_disk("x");
  const mapped_file file(on_disk.path());
}

void put_guard_before(void (*action)(int, siginfo_t*, void*)) {
  struct sigaction wanted{};
  wanted.sa_sigaction = action;
  wanted.sa_flags = SA_SIGINFO;
  put_guard_before(wanted);
}

// Whether a fault of ours is still mended.
bool guard_works() {
  const temporary_file on_disk("x");
  const mapped_file file(on_disk.path());
  on_disk.resize(0);
  return touch(file[0]) == 0 && failure_of([&] { file.check(); }).first == errc::truncated;
}

TEST(foreign_fault, still_kills) {
  for (const auto former : {SIG_DFL, SIG_IGN}) {
    EXPECT_EXIT(
        {
          put_guard_before(former);
          if (!guard_works()) std::_Exit(1);
          touch(*foreign_bad_page());
          std::_Exit(2);
        },
        ::testing::KilledBySignal(SIGBUS), "");
  }
}

TEST(foreign_fault, a_signal_sent_by_a_process_does_what_it_did_before) {
  EXPECT_EXIT(
      {
        put_guard_before(SIG_DFL);
        raise(SIGBUS);
        std::_Exit(2);
      },
      ::testing::KilledBySignal(SIGBUS), "");
  EXPECT_EXIT(
      {
        put_guard_before(SIG_IGN);
        raise(SIGBUS);
        std::_Exit(guard_works() ? 0 : 1);
      },
      ::testing::ExitedWithCode(0), "");
}

const char* expected_fault = nullptr;
void exit_when_expected(int number, siginfo_t* info, void* context) {
  std::_Exit(number == SIGBUS && info->si_addr == expected_fault && context != nullptr ? 7 : 8);
}
void exit_by_number(int number) {
  std::_Exit(number == SIGBUS ? 9 : 8);
}

TEST(foreign_fault, goes_to_the_former_handler_as_it_came) {
  EXPECT_EXIT(
      {
        put_guard_before(exit_when_expected);
        if (!guard_works()) std::_Exit(1);
        expected_fault = foreign_bad_page();
        touch(*expected_fault);
      },
      ::testing::ExitedWithCode(7), "");
  EXPECT_EXIT(
      {
        put_guard_before(exit_by_number);
        touch(*foreign_bad_page());
      },
      ::testing::ExitedWithCode(9), "");
}

struct sigaction chained;
int calls = 0;
void count_and_chain(int number, siginfo_t* info, void* context) {
  if (++calls > 1) std::_Exit(6);  // handed round in a circle
  chained.sa_sigaction(number, info, context);
}

// Installs a handler later than the guard, which calls the guard for what it does not know.
void chain_to_guard() {
  struct sigaction wanted{};
  wanted.sa_sigaction = count_and_chain;
  wanted.sa_flags = SA_SIGINFO;
  sigaction(SIGBUS, &wanted, &chained);
}

TEST(foreign_fault, a_handler_installed_later_may_call_the_guard) {
  EXPECT_EXIT(
      {
        put_guard_before(SIG_DFL);
        const temporary_file on_disk("x");
        const mapped_file file(on_disk.path());
        chain_to_guard();
        on_disk.resize(0);
        std::_Exit(touch(file[0]) == 0 && calls == 1 ? 0 : 1);
      },
      ::testing::ExitedWithCode(0), "");
}

TEST(foreign_fault, is_not_handed_round_in_a_circle) {
  EXPECT_EXIT(
      {
        put_guard_before(exit_by_number);
        chain_to_guard();
        if (!guard_works() || calls != 0) std::_Exit(1);  // the guard stands before the later one again
        touch(*foreign_bad_page());                       // guard, later handler, guard, first handler
      },
      ::testing::ExitedWithCode(9), "");
}

TEST(foreign_fault, a_signal_sent_by_a_process_is_no_fault_whatever_it_says) {
  EXPECT_EXIT(
      {
        put_guard_before(exit_by_number);
        const temporary_file on_disk("x");
        const mapped_file file(on_disk.path());
        siginfo_t info{};
        info.si_signo = SIGBUS;
        info.si_code = SI_QUEUE;
        info.si_addr = const_cast<char*>(file.data());
        syscall(SYS_rt_sigqueueinfo, getpid(), SIGBUS, &info);
        std::_Exit(1);
      },
      ::testing::ExitedWithCode(9), "");
}

// Logs and returns, as a crash logger does.
void log_crash(int) {
  static_cast<void>(!::write(STDERR_FILENO, "logged;", 7));
}

TEST(foreign_fault, a_former_handler_that_is_to_run_once_does) {
  EXPECT_EXIT(
      {
        struct sigaction once{};
        once.sa_handler = log_crash;
        once.sa_flags = static_cast<int>(SA_RESETHAND);
        put_guard_before(once);
        if (!guard_works()) std::_Exit(1);
        touch(*foreign_bad_page());
      },
      ::testing::KilledBySignal(SIGBUS), "^logged;$");
}

std::atomic<bool> delivered = false;
void note_delivery(int) {
  delivered = true;
}
void exit_if_nothing_interrupts(int) {
  raise(SIGUSR1);
  raise(SIGBUS);  // this handler again, if it were not blocked
  std::_Exit(delivered ? 1 : 5);
}

TEST(foreign_fault, a_former_handler_runs_with_the_signals_blocked_that_it_names) {
  EXPECT_EXIT(
      {
        signal(SIGUSR1, note_delivery);
        struct sigaction alone{};
        alone.sa_handler = exit_if_nothing_interrupts;
        sigaddset(&alone.sa_mask, SIGUSR1);
        put_guard_before(alone);
        touch(*foreign_bad_page());
      },
      ::testing::ExitedWithCode(5), "");
}

TEST(foreign_fault, a_signal_sent_by_a_process_lets_system_calls_go_on) {
  EXPECT_EXIT(
      {
        struct sigaction gentle{};
        gentle.sa_handler = note_delivery;
        gentle.sa_flags = SA_RESTART;
        put_guard_before(gentle);
        int ends[2];
        if (pipe(ends) != 0) std::_Exit(1);
        std::thread other([reader = pthread_self(), end = ends[1]] {
          usleep(20'000);
          pthread_kill(reader, SIGBUS);
          while (!delivered) usleep(1000);
          usleep(20'000);
          static_cast<void>(!::write(end, "x", 1));
        });
        char byte = 0;
        const bool got = ::read(ends[0], &byte, 1) == 1;
        other.join();
        std::_Exit(got ? 0 : 2);
      },
      ::testing::ExitedWithCode(0), "");
}

sigjmp_buf escape;
void leave(int) {
  siglongjmp(escape, 1);
}

TEST(foreign_fault, a_former_handler_may_leave_by_longjmp) {
  EXPECT_EXIT(
      {
        put_guard_before(leave);
        const char* const bad = foreign_bad_page();
        volatile int times = 0;
        if (sigsetjmp(escape, 1) != 0) times = times + 1;
        if (times < 3) touch(*bad);
        std::_Exit(guard_works() ? 0 : 1);
      },
      ::testing::ExitedWithCode(0), "");
}

TEST(foreign_fault, without_the_guard_nothing_is_installed) {
  EXPECT_EXIT(
      {
        signal(SIGBUS, exit_by_number);
        const temporary_file on_disk("x");
        const mapped_file file(on_disk.path(), {.fault_guard = false});
        on_disk.resize(0);
        touch(file[0]);
      },
      ::testing::ExitedWithCode(9), "");
}

}  // namespace
}  // namespace riffle
