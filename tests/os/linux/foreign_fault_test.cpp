/// A SIGBUS that is not riffle's goes to the handler of the program as the OS kernel would call it.
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <riffle/mapped_file.hpp>

#include "os/mapping.hpp"
#include "tests/support/faults.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle {
namespace {

using test::temporary_file;
using test::thrown_by;

const std::size_t page = os::page_size();

char touch(const char& byte) {
  return *static_cast<const volatile char*>(&byte);
}

// Each test runs in a child, because it changes the process for good.

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

// Lets riffle put its guard before whatever handles SIGBUS.
void map_a_file() {
  const mapped_file file("/proc/self/exe", {.length = 1});
}

// Makes the guard stand before `action`: in the child the guard may be installed already, by another test.
void put_guard_before(void (*action)(int)) {
  signal(SIGBUS, action);
  map_a_file();
}

void put_guard_before(const struct sigaction& wanted) {
  sigaction(SIGBUS, &wanted, nullptr);
  map_a_file();
}

struct sigaction informed(void (*action)(int, siginfo_t*, void*)) {
  struct sigaction wanted{};
  wanted.sa_sigaction = action;
  wanted.sa_flags = SA_SIGINFO;
  return wanted;
}

// Whether a fault of ours is still mended.
bool guard_works() {
  const temporary_file on_disk("x");
  const mapped_file file(on_disk.path());
  on_disk.resize(0);
  return touch(file[0]) == 0 && test::code_of([&] { file.check(); }) == errc::truncated;
}

// Expects that SIGBUS kills a child that runs `f`, and what that writes to standard error.
template <class F>
void expect_killed(F f, const testing::Matcher<const std::string&>& said = testing::_) {
  EXPECT_EXIT(
      {
        f();
        std::_Exit(2);
      },
      testing::KilledBySignal(SIGBUS), said);
}

TEST(foreign_fault, still_kills) {
  for (const auto former : {SIG_DFL, SIG_IGN}) {
    expect_killed([&] {
      put_guard_before(former);
      if (!guard_works()) std::_Exit(1);
      touch(*foreign_bad_page());
    });
  }
}

TEST(foreign_fault, a_signal_sent_by_a_process_does_what_it_did_before) {
  expect_killed([&] {
    put_guard_before(SIG_DFL);
    raise(SIGBUS);
  });
  test::expect_in_child([&] {
    put_guard_before(SIG_IGN);
    raise(SIGBUS);
    return guard_works();
  });
}

const char* expected_fault = nullptr;
void exit_when_expected(int number, siginfo_t* info, void* context) {
  std::_Exit(number == SIGBUS && info->si_addr == expected_fault && context != nullptr ? 7 : 8);
}
void exit_by_number(int number) {
  std::_Exit(number == SIGBUS ? 9 : 8);
}

TEST(foreign_fault, goes_to_the_former_handler_as_it_came) {
  test::expect_exit(7, [&] {
    put_guard_before(informed(exit_when_expected));
    if (!guard_works()) std::_Exit(1);
    expected_fault = foreign_bad_page();
    touch(*expected_fault);
  });
  test::expect_exit(9, [&] {
    put_guard_before(exit_by_number);
    touch(*foreign_bad_page());
  });
}

struct sigaction chained;
int calls = 0;
void count_and_chain(int number, siginfo_t* info, void* context) {
  if (++calls > 1) std::_Exit(6);  // handed round in a circle
  chained.sa_sigaction(number, info, context);
}

// Installs a handler later than the guard, which calls the guard for what it does not know.
void chain_to_guard() {
  const struct sigaction wanted = informed(count_and_chain);
  sigaction(SIGBUS, &wanted, &chained);
}

TEST(foreign_fault, a_handler_installed_later_may_call_the_guard) {
  test::expect_in_child([&] {
    put_guard_before(SIG_DFL);
    const temporary_file on_disk("x");
    const mapped_file file(on_disk.path());
    chain_to_guard();
    on_disk.resize(0);
    return touch(file[0]) == 0 && calls == 1;
  });
}

// A handler that is put in place in the middle of a loop ends the program, if the guard does not stand before
// it with the next window.
TEST(foreign_fault, the_guard_stands_before_a_handler_installed_in_a_loop) {
  for (const bool chains : {false, true}) {
    test::expect_in_child([&] {
      const std::size_t window = 4 * page;  // with the largest pages it is what a block may hold
      const temporary_file on_disk(std::string(4 * window, 'x'));
      source file(on_disk.path(), {.method = method::mmap, .block_size = window});
      file.next();
      if (chains) {
        chain_to_guard();
      } else {
        signal(SIGBUS, exit_by_number);
      }
      const block second = file.next();
      on_disk.resize(window);
      return touch(*second.data()) == 0 && test::code_of([&] { file.check(); }) == errc::truncated;
    });
  }
}

TEST(foreign_fault, is_not_handed_round_in_a_circle) {
  test::expect_exit(9, [&] {
    put_guard_before(exit_by_number);
    chain_to_guard();
    if (!guard_works() || calls != 0) std::_Exit(1);  // the guard stands before the later one again
    touch(*foreign_bad_page());                       // guard, later handler, guard, first handler
  });
}

TEST(foreign_fault, a_signal_sent_by_a_process_is_no_fault_whatever_it_says) {
  test::expect_exit(9, [&] {
    put_guard_before(exit_by_number);
    const temporary_file on_disk("x");
    const mapped_file file(on_disk.path());
    siginfo_t info{};
    info.si_signo = SIGBUS;
    info.si_code = SI_QUEUE;
    info.si_addr = const_cast<char*>(file.data());
    syscall(SYS_rt_sigqueueinfo, getpid(), SIGBUS, &info);
    std::_Exit(1);
  });
}

// Logs and returns, as a crash logger does.
void log_crash(int) {
  static_cast<void>(!::write(STDERR_FILENO, "logged;", 7));
}

TEST(foreign_fault, a_former_handler_that_is_to_run_once_does) {
  using ::testing::HasSubstr;
  using ::testing::Not;
  struct sigaction once{};
  once.sa_handler = log_crash;
  once.sa_flags = static_cast<int>(SA_RESETHAND);
  expect_killed(
      [&] {
        put_guard_before(once);
        if (!guard_works()) std::_Exit(1);
        touch(*foreign_bad_page());
      },
      AllOf(HasSubstr("logged;"), Not(HasSubstr("logged;logged;"))));
  expect_killed(
      [&] {
        for (int installed = 0; installed != 3; ++installed) {
          put_guard_before(once);
          raise(SIGBUS);
        }
        touch(*foreign_bad_page());
      },
      AllOf(HasSubstr("logged;logged;logged;"), Not(HasSubstr("logged;logged;logged;logged;"))));
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
  test::expect_exit(5, [&] {
    signal(SIGUSR1, note_delivery);
    struct sigaction alone{};
    alone.sa_handler = exit_if_nothing_interrupts;
    put_guard_before(alone);
    sigaddset(&alone.sa_mask, SIGUSR1);
    put_guard_before(alone);  // the same handler with another mask
    touch(*foreign_bad_page());
  });
}

// Ends with 0 if a read that SIGBUS interrupts gets its byte, with 4 if it fails with EINTR.
void read_while_interrupted(int flags, bool guarded) {
  struct sigaction gentle{};
  gentle.sa_handler = note_delivery;
  gentle.sa_flags = flags;
  sigaction(SIGBUS, &gentle, nullptr);
  if (guarded) map_a_file();
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
  const ssize_t got = ::read(ends[0], &byte, 1);
  const int code = got < 0 ? errno : 0;
  other.join();
  std::_Exit(got == 1 ? 0 : code == EINTR ? 4 : 2);
}

TEST(foreign_fault, a_signal_sent_by_a_process_interrupts_what_it_did_before) {
  for (const int flags : {0, SA_RESTART}) {
    int without = -1;  // what qemu's user mode does is not what Linux does
    const auto note = [&](int status) {
      without = status;
      return WIFEXITED(status);
    };
    EXPECT_EXIT(read_while_interrupted(flags, false), note, "");
    EXPECT_EXIT(read_while_interrupted(flags, true), [=](int status) { return status == without; }, "");
  }
}

// Where a handler runs.
char* alternative = nullptr;
constexpr std::size_t alternative_size = 256 << 10;
void exit_by_stack(int) {
  const char here = 0;
  const auto from = reinterpret_cast<std::uintptr_t>(&here) - reinterpret_cast<std::uintptr_t>(alternative);
  std::_Exit(from < alternative_size ? 6 : 7);
}

TEST(foreign_fault, a_former_handler_runs_on_the_stack_that_it_asks_for) {
  if (test::build::instrumented) GTEST_SKIP() << "AddressSanitizer has stacks of its own";
  for (const int flags : {SA_ONSTACK, 0}) {
    test::expect_exit(flags == SA_ONSTACK ? 6 : 7, [&] {
      alternative = new char[alternative_size];
      stack_t other{};
      other.ss_sp = alternative;
      other.ss_size = alternative_size;
      sigaltstack(&other, nullptr);
      struct sigaction wanted{};
      wanted.sa_handler = exit_by_stack;
      wanted.sa_flags = flags;
      put_guard_before(wanted);
      touch(*foreign_bad_page());
    });
  }
}

void exit_as_unloaded(int) {
  std::_Exit(3);
}

// As a plugin does that saves what was there, and restores it when it is closed.
TEST(foreign_fault, goes_to_the_handler_that_was_restored) {
  for (const bool mapped_before : {true, false}) {
    test::expect_exit(9, [&] {
      signal(SIGBUS, exit_by_number);
      if (mapped_before) map_a_file();
      struct sigaction plugin{};
      plugin.sa_handler = exit_as_unloaded;
      struct sigaction before{};
      for (int loaded = 0; loaded != 100; ++loaded) {
        sigaction(SIGBUS, &plugin, &before);
        map_a_file();
        sigaction(SIGBUS, &before, nullptr);
        if (loaded % 2 == 0) map_a_file();
      }
      if (!guard_works()) std::_Exit(1);
      touch(*foreign_bad_page());
    });
  }
}

// More handlers than the guard knows, each of which calls the one that it replaced.
constexpr std::size_t many = 40;
std::array<struct sigaction, many> replaced;
template <std::size_t Number>
void call_the_replaced(int signal, siginfo_t* info, void* context) {
  const struct sigaction& next = replaced[Number];
  if ((next.sa_flags & SA_SIGINFO) != 0) return next.sa_sigaction(signal, info, context);
  std::_Exit(next.sa_handler == SIG_DFL ? 10 : 11);
}
template <std::size_t... Numbers>
void install_all(std::index_sequence<Numbers...>) {
  const auto install = [&](auto* handler, std::size_t number) {
    const struct sigaction wanted = informed(handler);
    sigaction(SIGBUS, &wanted, &replaced[number]);
    map_a_file();
  };
  (install(&call_the_replaced<Numbers>, Numbers), ...);
}

TEST(foreign_fault, goes_through_handlers_that_call_each_other) {
  test::expect_exit(10, [&] {
    signal(SIGBUS, SIG_DFL);
    install_all(std::make_index_sequence<12>());
    if (!guard_works()) std::_Exit(1);
    touch(*foreign_bad_page());
  });
  expect_killed([&] {
    install_all(std::make_index_sequence<many>());
    if (!guard_works()) std::_Exit(1);
    touch(*foreign_bad_page());
  });
}

TEST(foreign_fault, handlers_that_alternate_take_no_more_memory) {
  if (const auto reason = test::allocations::unavailable()) GTEST_SKIP() << *reason;
  test::expect_in_child([&] {
    const auto alternate = [](int times) {
      for (int i = 0; i != times; ++i) put_guard_before(i % 2 == 0 ? exit_by_number : exit_as_unloaded);
    };
    alternate(100);
    const std::size_t before = test::allocations::alive();
    alternate(1'000);
    return test::allocations::alive() == before;
  });
}

sigjmp_buf escape;
void leave(int) {
  siglongjmp(escape, 1);
}

TEST(foreign_fault, a_former_handler_may_leave_by_longjmp) {
  test::expect_in_child([&] {
    put_guard_before(leave);
    const char* const bad = foreign_bad_page();
    volatile int times = 0;
    if (sigsetjmp(escape, 1) != 0) times = times + 1;
    if (times < 3) touch(*bad);
    return guard_works();
  });
}

TEST(foreign_fault, without_the_guard_nothing_is_installed) {
  test::expect_exit(9, [&] {
    signal(SIGBUS, exit_by_number);
    const temporary_file on_disk("x");
    const mapped_file file(on_disk.path(), {.fault_guard = false});
    on_disk.resize(0);
    touch(file[0]);
  });
}

}  // namespace
}  // namespace riffle
