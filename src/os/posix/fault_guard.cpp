/// The SIGBUS handler and the list of guarded ranges that it searches.
#include "os/fault_guard.hpp"

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <limits>
#include <mutex>
#include <utility>

#include "os/posix/calls.hpp"
#include "os/slots.hpp"

namespace riffle::os {

namespace {

using address = std::uintptr_t;
constexpr address nowhere = std::numeric_limits<address>::max();

struct slot_range {
  address begin;
  address end;
  int protection;
};

}  // namespace

// Mended since their ranges were published or cleared, of all ranges.
static std::atomic<unsigned> all_faults{0};

// One guarded range, or a free place for one. The handler reads it while
// another thread may be changing it, so the range is published like a seqlock;
// a slot that changes meanwhile cannot be the one whose page just faulted.
struct guard_slot {
  std::atomic_flag taken = ATOMIC_FLAG_INIT;
  std::atomic<unsigned> generation{0};  // odd while the range is being changed
  std::atomic<address> begin{};
  std::atomic<address> end{};
  std::atomic<int> protection{};
  std::atomic<address> lowest_fault{nowhere};
  std::atomic<unsigned> faults{0};  // replaced since the range was published or cleared
  guard_slot* next = nullptr;       // fixed before the slot is published

  void clear() noexcept {
    lowest_fault = nowhere;
    all_faults -= faults.exchange(0);
  }

  void publish(const slot_range& range) noexcept {
    generation.fetch_add(1);
    begin = range.begin;
    end = range.end;
    protection = range.protection;
    clear();
    generation.fetch_add(1);
  }
};

namespace {

static_assert(std::atomic<address>::is_always_lock_free && std::atomic<guard_slot*>::is_always_lock_free,
              "the signal handler must not take a lock");

// The handlers of SIGBUS that the guard was put before, newest first. They are not freed, because the
// handler walks the list.
struct former_action {
  struct sigaction action;
  const former_action* older;
  mutable std::atomic_flag spent = ATOMIC_FLAG_INIT;  // with SA_RESETHAND it runs once
};

std::atomic<guard_slot*> all_slots{nullptr};
std::atomic<const former_action*> former_actions{nullptr};
std::atomic<address> page{4096};  // set before the handler is installed

// Each replaced page splits the mapping, and the number of mappings of a process is limited
// (vm.max_map_count, 65530 by default): at the limit the OS kernel refuses to map zeros too. After this many
// faults, the handler replaces the rest of the range at once.
constexpr unsigned most_faults = 256;
// The same for all ranges of the process: an eighth of the default limit, at two pieces a page.
constexpr unsigned most_faults_of_all = 4096;

// Returns the range of `slot`; empty if the slot is free or being changed.
slot_range read_range(const guard_slot& slot) noexcept {
  const unsigned generation = slot.generation;
  const slot_range range{slot.begin, slot.end, slot.protection};
  const bool stable = generation % 2 == 0 && slot.generation == generation;
  return stable ? range : slot_range{};
}

void lower_to(std::atomic<address>& lowest, address fault) noexcept {
  address known = lowest;
  while (fault < known && !lowest.compare_exchange_weak(known, fault)) {
  }
}

// Replaces the page of a fault by zeros. Returns false if the fault is in no guarded range, or if that fails.
bool mend(const siginfo_t& info, const void* context) noexcept {
  const auto fault = reinterpret_cast<address>(info.si_addr);
  for (guard_slot* slot = all_slots; slot != nullptr; slot = slot->next) {
    const slot_range range = read_range(*slot);
    if (fault < range.begin || fault >= range.end) continue;
    if (range.protection == PROT_READ && is_write(context)) return false;
    const address size = std::max(bytes_lost(info), page.load());
    const address start = fault & ~(size - 1);
    const address first = std::max(start, range.begin);
    const bool many = slot->faults.fetch_add(1) >= most_faults;
    const bool many_of_all = all_faults.fetch_add(1) >= most_faults_of_all;
    const bool enough = many || many_of_all;
    const address last = enough || range.end - start <= size ? range.end : start + size;
    lower_to(slot->lowest_fault, first);  // before the zeros can be seen
    if (replace_by_zeros(reinterpret_cast<void*>(first), last - first, range.protection)) return true;
    // No more pieces: all of the range at once takes none.
    slot->lowest_fault = range.begin;
    return replace_by_zeros(reinterpret_cast<void*>(range.begin), range.end - range.begin, range.protection);
  }
  return false;
}

// A handler that the guard was put before may call the guard, as the handler that it replaced. So si_errno
// counts how often this signal was passed on: the OS kernel sets it to 0 for every signal. Unlike a
// thread-local counter it stays right if a handler leaves by siglongjmp.
constexpr int passed_mark = 0x52460000;
constexpr int passed_mask = 0x0000ffff;

int times_passed(const siginfo_t& info) noexcept {
  return (info.si_errno & ~passed_mask) == passed_mark ? info.si_errno & passed_mask : 0;
}

void die_by_default(int signal, bool sent) noexcept {
  struct sigaction action{};
  action.sa_handler = SIG_DFL;
  sigaction(signal, &action, nullptr);
  if (sent) raise(signal);  // a fault comes again by itself when the handler returns
}

// Calls a handler as the OS kernel would, with the signals blocked that it wants to have blocked.
void call(const struct sigaction& action, int signal, siginfo_t* info, void* context) {
  sigset_t blocked = action.sa_mask;
  if ((action.sa_flags & SA_NODEFER) == 0) sigaddset(&blocked, signal);
  sigset_t before;
  pthread_sigmask(SIG_BLOCK, &blocked, &before);
  if ((action.sa_flags & SA_SIGINFO) != 0) {
    action.sa_sigaction(signal, info, context);
  } else {
    action.sa_handler(signal);
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void pass_on(int signal, siginfo_t* info, void* context) {
  const int passed = times_passed(*info);
  const former_action* former = former_actions;
  for (int i = 0; i < passed && former != nullptr; ++i) former = former->older;

  const bool sent = !comes_again(*info);
  if (former == nullptr) return die_by_default(signal, sent);
  const struct sigaction& action = former->action;
  const bool with_information = (action.sa_flags & SA_SIGINFO) != 0;
  if (!with_information && action.sa_handler == SIG_DFL) return die_by_default(signal, sent);
  if (!with_information && action.sa_handler == SIG_IGN) {
    // Linux ends the program for a fault even if SIGBUS is ignored; returning would fault again and again.
    return sent ? void() : die_by_default(signal, sent);
  }
  if ((action.sa_flags & static_cast<int>(SA_RESETHAND)) != 0 && former->spent.test_and_set())
    return die_by_default(signal, sent);
  const int error_number = std::exchange(info->si_errno, passed_mark | (passed + 1));
  call(action, signal, info, context);
  info->si_errno = error_number;
}

void on_bus_error(int signal, siginfo_t* info, void* context) {
  const int saved = errno;
  if (sent_by_process(*info) || !mend(*info, context)) pass_on(signal, info, context);
  errno = saved;
}

bool same_action(const struct sigaction& one, const struct sigaction& other) noexcept {
  if ((one.sa_flags & SA_SIGINFO) != (other.sa_flags & SA_SIGINFO)) return false;
  return (one.sa_flags & SA_SIGINFO) != 0 ? one.sa_sigaction == other.sa_sigaction
                                          : one.sa_handler == other.sa_handler;
}

// Puts the guard before whatever handles SIGBUS now, unless it is there already.
void install() {
  struct sigaction guard{};
  guard.sa_sigaction = on_bus_error;
  guard.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK | SA_RESTART;
  sigemptyset(&guard.sa_mask);

  static std::mutex installing;
  const std::lock_guard lock(installing);
  struct sigaction current{};
  sigaction(SIGBUS, nullptr, &current);
  if (same_action(current, guard)) return;
  stay_loaded();
  page = static_cast<address>(sysconf(_SC_PAGESIZE));
  const former_action* newest = former_actions;
  if (newest == nullptr || !same_action(newest->action, current)) {
    former_actions = new former_action{.action = current, .older = newest};
  }
  sigaction(SIGBUS, &guard, nullptr);
}

}  // namespace

bool blocks_bus_errors() noexcept {
  sigset_t blocked;
  return pthread_sigmask(SIG_BLOCK, nullptr, &blocked) == 0 && sigismember(&blocked, SIGBUS) == 1;
}

guarded_range::guarded_range(std::span<char> range, bool writable) {
  install();
  slot_ = claim_slot(all_slots);
  const auto begin = reinterpret_cast<address>(range.data());
  slot_->publish({begin, begin + range.size(), writable ? PROT_READ | PROT_WRITE : PROT_READ});
}

guarded_range::guarded_range(guarded_range&& other) noexcept : slot_(std::exchange(other.slot_, nullptr)) {}

guarded_range& guarded_range::operator=(guarded_range&& other) noexcept {
  std::swap(slot_, other.slot_);
  return *this;
}

guarded_range::~guarded_range() {
  if (slot_ == nullptr) return;
  slot_->publish({});
  slot_->taken.clear();
}

std::optional<std::size_t> guarded_range::fault_position() const noexcept {
  if (slot_ == nullptr) return std::nullopt;
  const address lowest = slot_->lowest_fault;
  if (lowest == nowhere) return std::nullopt;
  return lowest - slot_->begin;
}

void guarded_range::clear() noexcept {
  if (slot_ != nullptr) slot_->clear();
}

}  // namespace riffle::os
