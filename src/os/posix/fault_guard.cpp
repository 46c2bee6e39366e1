/// The SIGBUS handler and the list of guarded ranges that it searches.
#include "os/fault_guard.hpp"

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <limits>
#include <utility>

#include "os/mapping.hpp"
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
  std::atomic<unsigned> generation{0};  // odd while the range is being changed
  std::atomic<address> begin{};
  std::atomic<address> end{};
  std::atomic<int> protection{};
  std::atomic<address> lowest_fault{nowhere};
  std::atomic<unsigned> faults{0};  // replaced since the range was published or cleared
  slot_group<guard_slot>* group = nullptr;

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

static_assert(std::atomic<address>::is_always_lock_free &&
                  std::atomic<slot_group<guard_slot>*>::is_always_lock_free,
              "the signal handler must not take a lock");

constinit slot_list<guard_slot> all_slots{nullptr};

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
  slot_range range{};
  guard_slot* const slot = find_slot(all_slots, [&](const guard_slot& each) {
    range = read_range(each);
    return fault >= range.begin && fault < range.end;
  });
  if (slot == nullptr || (range.protection == PROT_READ && is_write(context))) return false;
  const address size = std::max<address>(bytes_lost(info), page_size());
  const address start = fault & ~(size - 1);
  const address first = std::max(start, range.begin);
  const bool many = slot->faults.fetch_add(1) >= most_faults;
  const bool many_of_all = all_faults.fetch_add(1) >= most_faults_of_all;
  const bool enough = many || many_of_all;
  const address last = enough || range.end - start <= size ? range.end : start + size;
  lower_to(slot->lowest_fault, first);  // before the zeros can be seen
  if (replace_by_zeros(reinterpret_cast<void*>(first), last - first, range.protection)) return true;
  slot->lowest_fault = range.begin;
  return replace_all_by_zeros(reinterpret_cast<void*>(range.begin), range.end - range.begin,
                              range.protection);
}

// An action that the guard was put before.
struct former_action {
  std::atomic<address> function{unused};  // SIG_DFL, SIG_IGN or a handler
  std::atomic<int> flags{};
  std::atomic_flag spent = ATOMIC_FLAG_INIT;  // with SA_RESETHAND it runs once

  static constexpr address unused = nowhere;
  bool has(int flag) const noexcept { return (flags & flag) != 0; }
};

// Each has a handler of the guard of its own. So the OS kernel remembers which action the guard stands for: a
// handler that the program puts back calls what it called before, and one that the guard was put before may
// call the handler that it replaced.
constinit std::array<former_action, 16> former_actions;

// In the last of them a handler may replace another one, and so meet itself. Two copies of riffle in one
// process may be put before each other for ever. So si_errno counts how often this signal was passed on: the
// OS kernel sets it to 0 for every signal. Unlike a thread-local counter it stays right if a handler leaves
// by siglongjmp.
constexpr int passed_mark = 0x52460000;
constexpr int passed_mask = 0x0000ffff;
constexpr int most_passed = 4 * former_actions.size();

int times_passed(const siginfo_t& info) noexcept {
  return (info.si_errno & ~passed_mask) == passed_mark ? info.si_errno & passed_mask : 0;
}

void die_by_default(int signal, bool sent) noexcept {
  struct sigaction action{};
  action.sa_handler = SIG_DFL;
  sigaction(signal, &action, nullptr);
  if (sent) raise(signal);  // a fault comes again by itself when the handler returns
}

bool is_handler(address function) noexcept {
  return function != reinterpret_cast<address>(SIG_DFL) && function != reinterpret_cast<address>(SIG_IGN);
}

void pass_on(former_action& former, int signal, siginfo_t* info, void* context) {
  const address function = former.function;
  const bool sent = !comes_again(*info);
  if (sent && function == reinterpret_cast<address>(SIG_IGN)) return;
  const int passed = times_passed(*info);
  const bool once = former.has(static_cast<int>(SA_RESETHAND));
  // Linux ends the program for a fault even if SIGBUS is ignored; returning would fault again and again.
  if (!is_handler(function) || passed == most_passed || (once && former.spent.test_and_set()))
    return die_by_default(signal, sent);
  const int error_number = std::exchange(info->si_errno, passed_mark | (passed + 1));
  if (former.has(SA_SIGINFO)) {
    reinterpret_cast<void (*)(int, siginfo_t*, void*)>(function)(signal, info, context);
  } else {
    reinterpret_cast<void (*)(int)>(function)(signal);
  }
  info->si_errno = error_number;
}

// What the handler may take of the stack beside the frame of the OS kernel. By g++ 12 on x86-64 it takes 240
// bytes (-fstack-usage).
constexpr std::size_t handler_stack = 1024;

template <std::size_t number>
void on_bus_error(int signal, siginfo_t* info, void* context) {
  const int saved = errno;
  if (sent_by_process(*info) || !mend(*info, context)) {
    pass_on(former_actions[number], signal, info, context);
  }
  errno = saved;
}

template <std::size_t... numbers>
constexpr auto handlers_for(std::index_sequence<numbers...>) {
  return std::array{&on_bus_error<numbers>...};
}
constexpr auto handlers = handlers_for(std::make_index_sequence<former_actions.size()>());

bool is_guard(const struct sigaction& action) noexcept {
  return (action.sa_flags & SA_SIGINFO) != 0 && std::ranges::count(handlers, action.sa_sigaction) != 0;
}

address function_of(const struct sigaction& action) noexcept {
  return (action.sa_flags & SA_SIGINFO) != 0 ? reinterpret_cast<address>(action.sa_sigaction)
                                             : reinterpret_cast<address>(action.sa_handler);
}

// Returns the action of the guard that is put before `current`. It keeps the mask and flags, so that the OS
// kernel does for the handler what it did before.
struct sigaction guard_before(const struct sigaction& current) noexcept {
  const address function = function_of(current);
  std::size_t number = 0;
  for (; number + 1 != former_actions.size(); ++number) {
    address known = former_action::unused;
    if (former_actions[number].function.compare_exchange_strong(known, function) || known == function) break;
  }
  former_action& former = former_actions[number];
  former.function = function;
  former.flags = current.sa_flags;
  former.spent.clear();

  struct sigaction guard = current;
  guard.sa_sigaction = handlers[number];
  guard.sa_flags = (current.sa_flags & ~static_cast<int>(SA_RESETHAND)) | SA_SIGINFO;
  if (!is_handler(function)) guard.sa_flags |= SA_ONSTACK | SA_RESTART;
  return guard;
}

// Puts the guard before whatever handles SIGBUS now, unless it is there already. A lock would be one that the
// child of a fork may wait for in vain.
void install() noexcept {
  struct sigaction current{};
  sigaction(SIGBUS, nullptr, &current);
  while (!is_guard(current)) {
    stay_loaded();
    const struct sigaction guard = guard_before(current);
    struct sigaction replaced{};
    sigaction(SIGBUS, &guard, &replaced);
    if (function_of(replaced) == function_of(current)) return;
    current = replaced;  // by another thread meanwhile
  }
}

}  // namespace

std::string_view why_unguarded() noexcept {
  sigset_t blocked;
  if (pthread_sigmask(SIG_BLOCK, nullptr, &blocked) == 0 && sigismember(&blocked, SIGBUS) == 1)
    return "this thread blocks SIGBUS, so a bad page would end the program; unblock it";
  stack_t alternate{};
  if (sigaltstack(nullptr, &alternate) == 0 && (alternate.ss_flags & SS_DISABLE) == 0 &&
      alternate.ss_size < least_signal_stack() + handler_stack)
    return "the alternate signal stack of this thread is too small for the fault guard; make it larger";
  return {};
}

guarded_range::guarded_range(std::span<char> range, bool writable) {
  install();
  keep_mappings_in_reserve();
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
  free_slot(slot_);
}

std::optional<std::size_t> guarded_range::fault_position() const noexcept {
  if (slot_ == nullptr) return std::nullopt;
  const address lowest = slot_->lowest_fault;
  if (lowest == nowhere) return std::nullopt;
  return lowest - slot_->begin;
}

void guarded_range::clear() noexcept {
  if (slot_ == nullptr) return;
  install();
  slot_->clear();
}

}  // namespace riffle::os
