/// A seccomp filter sends SIGSYS for every system call, and the handler makes the call, or lets it fail.
#include "tests/support/faults.hpp"

#include "tests/support/shell.hpp"

#if defined(__x86_64__)

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/ucontext.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <system_error>
#include <thread>
#include <vector>

// The filter lets the calls of this function pass.
extern "C" long riffle_test_call(long number, const long long* arguments);
extern "C" const char riffle_test_call_end[];
asm(R"(
  .text
  .globl riffle_test_call
  .globl riffle_test_call_end
riffle_test_call:
  movq %rdi, %rax
  movq %rsi, %r11
  movq 0(%r11), %rdi
  movq 8(%r11), %rsi
  movq 16(%r11), %rdx
  movq 24(%r11), %r10
  movq 32(%r11), %r8
  movq 40(%r11), %r9
  syscall
riffle_test_call_end:
  ret
)");

namespace riffle::test::trap {

namespace {

std::atomic<long> failing = -1;
std::atomic<int> failing_code = 0;
std::atomic<std::size_t> failing_at = 0;
std::atomic<bool> failing_on = false;
std::atomic<std::size_t> seen = 0;
std::atomic<bool> counting = false;
std::array<std::atomic<unsigned>, count::numbers> counts{};
std::atomic<std::size_t> bad_closes = 0;

bool fails(long number) {
  if (failing != number) return false;
  const std::size_t place = ++seen;
  return place == failing_at || (failing_on && place > failing_at);
}

long result_of(long number, const long long* arguments) {
  if (counting && number >= 0 && number < count::numbers) ++counts[static_cast<std::size_t>(number)];
  const bool failed = fails(number);
  // close(2) closes even if it reports a failure.
  if (failed && number != SYS_close) return -failing_code;
  const long result = riffle_test_call(number, arguments);
  if (number == SYS_close && result == -EBADF) ++bad_closes;
  return failed ? -failing_code : result;
}

void on_trap(int /*signal*/, siginfo_t* /*info*/, void* context) {
  const int saved = errno;
  auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  const long long arguments[6] = {registers[REG_RDI], registers[REG_RSI], registers[REG_RDX],
                                  registers[REG_R10], registers[REG_R8],  registers[REG_R9]};
  registers[REG_RAX] = result_of(registers[REG_RAX], arguments);
  errno = saved;
}

// Those of a thread at its start and end, when it blocks the signal, and those that would never fail.
constexpr std::array untrapped{SYS_clone, SYS_clone3,       SYS_rseq,           SYS_set_robust_list, SYS_exit,
                               SYS_futex, SYS_rt_sigreturn, SYS_rt_sigprocmask, SYS_exit_group};

void load(std::vector<sock_filter>& program, std::size_t offset) {
  program.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<unsigned>(offset)));
}

// Returns if the value loaded last is, or is not, `value`.
void decide_if(std::vector<sock_filter>& program, bool equal, std::uint32_t value, std::uint32_t decision) {
  const unsigned char past = 1;
  program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, static_cast<unsigned char>(equal ? 0 : past),
                             static_cast<unsigned char>(equal ? past : 0)));
  program.push_back(BPF_STMT(BPF_RET | BPF_K, decision));
}

void trap_calls_of_this_thread() {
  std::vector<sock_filter> program;
  load(program, offsetof(seccomp_data, arch));
  decide_if(program, false, AUDIT_ARCH_X86_64, SECCOMP_RET_ALLOW);
  // The end of a thread gives its stack back while it blocks all signals; so sets glibc 2.41 a handler of
  // SIGABRT.
  for (const auto& [argument, value, number] :
       {std::array<long, 3>{2, MADV_DONTNEED, SYS_madvise}, {0, SIGABRT, SYS_rt_sigaction}}) {
    load(program, offsetof(seccomp_data, args) + static_cast<std::size_t>(argument) * sizeof(std::uint64_t));
    program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(value), 0, 3));
    load(program, offsetof(seccomp_data, nr));
    decide_if(program, true, static_cast<std::uint32_t>(number), SECCOMP_RET_ALLOW);
  }
  load(program, offsetof(seccomp_data, nr));
  for (const long number : untrapped)
    decide_if(program, true, static_cast<std::uint32_t>(number), SECCOMP_RET_ALLOW);
  const auto own = reinterpret_cast<std::uint64_t>(riffle_test_call_end);
  load(program, offsetof(seccomp_data, instruction_pointer));
  decide_if(program, false, static_cast<std::uint32_t>(own), SECCOMP_RET_TRAP);
  load(program, offsetof(seccomp_data, instruction_pointer) + sizeof(std::uint32_t));
  decide_if(program, false, static_cast<std::uint32_t>(own >> 32), SECCOMP_RET_TRAP);
  program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  const sock_fprog filter{static_cast<unsigned short>(program.size()), program.data()};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0)
    throw std::system_error(errno, std::generic_category(), "seccomp");
}

}  // namespace

std::optional<std::string> unavailable() {
  if (build::instrumented) return "a sanitizer makes calls of its own that must not fail";
  if (prctl(PR_GET_SECCOMP) < 0) return "the OS kernel has no seccomp";
  return std::nullopt;
}

void run(const std::function<void()>& work) {
  struct sigaction action{};
  action.sa_sigaction = on_trap;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  sigaction(SIGSYS, &action, nullptr);
  std::thread([&] {
    trap_calls_of_this_thread();
    work();
  }).join();
}

failure::failure(const plan& wanted) {
  seen = 0;
  failing_code = wanted.code;
  failing_at = wanted.at;
  failing_on = wanted.from_there_on;
  failing = wanted.number;
}
failure::~failure() {
  failing = -1;
}
bool failure::met() const {
  return seen >= failing_at;
}

count::count() {
  for (auto& each : counts) each = 0;
  counting = true;
}
count::~count() {
  counting = false;
}
std::size_t count::of(long number) const {
  return counts[static_cast<std::size_t>(number)];
}

std::size_t closed_twice() {
  return bad_closes;
}

}  // namespace riffle::test::trap

#else

namespace riffle::test::trap {

std::optional<std::string> unavailable() {
  return "the test knows the registers of x86-64 only";
}
void run(const std::function<void()>&) {}
failure::failure(const plan&) {}
failure::~failure() = default;
bool failure::met() const {
  return false;
}
count::count() = default;
count::~count() = default;
std::size_t count::of(long) const {
  return 0;
}
std::size_t closed_twice() {
  return 0;
}

}  // namespace riffle::test::trap

#endif
