/// The vectored exception handler that puts zeros in place of a view that lost a page.
#include "os/fault_guard.hpp"

#include <atomic>
#include <cstdint>
#include <mutex>
#include <utility>

#include "os/slots.hpp"
#include "os/windows/calls.hpp"

namespace riffle::os {

namespace {
using address = std::uintptr_t;
}

// A guarded range, or a free place for one. The handler walks the list at any time, so a slot is never freed.
// It may read one that changes: that is not the one whose page just faulted, as its owner uses it no more.
struct guard_slot {
  std::atomic<address> begin{0};
  std::atomic<address> end{0};
  std::atomic<bool> writable{false};
  std::atomic<bool> faulted{false};
  slot_group<guard_slot>* group = nullptr;

  bool holds(address at) const noexcept { return at >= begin && at < end; }
  void publish(address first, address last, bool may_write) noexcept {
    end = 0;
    begin = first;
    writable = may_write;
    faulted = false;
    end = last;
  }
};

namespace {

constinit slot_list<guard_slot> all_slots{nullptr};
std::atomic_flag replacing = ATOMIC_FLAG_INIT;  // one thread at a time

struct view {
  char* begin;
  std::size_t size;
  bool replaced;  // zeros already
};

view view_around(address at) noexcept {
  MEMORY_BASIC_INFORMATION facts{};
  if (VirtualQuery(reinterpret_cast<void*>(at), &facts, sizeof facts) == 0) return {};
  view found{static_cast<char*>(facts.AllocationBase), 0, facts.Type == MEM_PRIVATE};
  const void* const base = facts.AllocationBase;
  while (base != nullptr && VirtualQuery(found.begin + found.size, &facts, sizeof facts) != 0 &&
         facts.AllocationBase == base) {
    found.size += facts.RegionSize;
  }
  return found;
}

// Windows unmaps a view as a whole only. Between the two calls another thread may take the addresses; then
// the fault is passed on, which ends the program.
bool replace_by_zeros(address at, bool writable) noexcept {
  while (replacing.test_and_set(std::memory_order_acquire)) Sleep(0);
  const view lost = view_around(at);
  bool done = lost.begin != nullptr && lost.replaced;
  if (lost.begin != nullptr && !done && UnmapViewOfFile(lost.begin) != 0) {
    done = VirtualAlloc(lost.begin, lost.size, MEM_RESERVE | MEM_COMMIT,
                        writable ? PAGE_READWRITE : PAGE_READONLY) == lost.begin;
  }
  replacing.clear(std::memory_order_release);
  return done;
}

// Marks every range of the lost view before its zeros can be seen.
bool mend(address at, bool writes) noexcept {
  bool ours = false;
  bool writable = false;
  find_slot(all_slots, [&](const guard_slot& slot) {
    if (!slot.holds(at)) return false;
    writable |= slot.writable;
    ours = true;
    return false;
  });
  if (!ours || (writes && !writable)) return false;
  find_slot(all_slots, [&](guard_slot& slot) {
    if (slot.holds(at)) slot.faulted = true;
    return false;
  });
  return replace_by_zeros(at, writable);
}

// Windows raises EXCEPTION_IN_PAGE_ERROR for a page that cannot be read, Wine an access violation.
LONG CALLBACK on_exception(EXCEPTION_POINTERS* raised) {
  const EXCEPTION_RECORD& record = *raised->ExceptionRecord;
  const bool of_a_page =
      record.ExceptionCode == EXCEPTION_IN_PAGE_ERROR || record.ExceptionCode == EXCEPTION_ACCESS_VIOLATION;
  if (!of_a_page || record.NumberParameters < 2) return EXCEPTION_CONTINUE_SEARCH;
  if (record.ExceptionInformation[0] > 1) return EXCEPTION_CONTINUE_SEARCH;  // no read or write: a jump there
  const DWORD saved = GetLastError();
  const bool mended = mend(record.ExceptionInformation[1], record.ExceptionInformation[0] == 1);
  SetLastError(saved);
  return mended ? EXCEPTION_CONTINUE_EXECUTION : EXCEPTION_CONTINUE_SEARCH;
}

void install() {
  static std::once_flag once;
  std::call_once(once, [] {
    stay_loaded();
    AddVectoredExceptionHandler(1, on_exception);
  });
}

}  // namespace

std::string_view why_unguarded() noexcept {
  return {};
}

guarded_range::guarded_range(std::span<char> range, bool writable) {
  install();
  slot_ = claim_slot(all_slots);
  const auto begin = reinterpret_cast<address>(range.data());
  slot_->publish(begin, begin + range.size(), writable);
}

guarded_range::guarded_range(guarded_range&& other) noexcept : slot_(std::exchange(other.slot_, nullptr)) {}

guarded_range& guarded_range::operator=(guarded_range&& other) noexcept {
  std::swap(slot_, other.slot_);
  return *this;
}

guarded_range::~guarded_range() {
  if (slot_ == nullptr) return;
  slot_->publish(0, 0, false);
  free_slot(slot_);
}

// All of the view is zeros.
std::optional<std::size_t> guarded_range::fault_position() const noexcept {
  if (slot_ == nullptr || !slot_->faulted) return std::nullopt;
  return 0;
}

void guarded_range::clear() noexcept {
  if (slot_ != nullptr) slot_->faulted = false;
}

}  // namespace riffle::os
