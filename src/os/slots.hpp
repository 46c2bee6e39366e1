/// The list of slots that a fault handler walks at any time, so that a slot is never freed.
#ifndef RIFFLE_OS_SLOTS_HPP
#define RIFFLE_OS_SLOTS_HPP

#include <atomic>

namespace riffle::os {

/// Returns a slot of the list that nobody has taken, or a new one, which is put before the others. The caller
/// clears its `taken` when it needs it no more. That is a std::atomic_flag, because g++ 12 needs libatomic to
/// exchange a bool on RISC-V.
template <class Slot>
Slot* claim_slot(std::atomic<Slot*>& all) {
  for (Slot* slot = all; slot != nullptr; slot = slot->next) {
    if (!slot->taken.test() && !slot->taken.test_and_set()) return slot;
  }
  auto* const fresh = new Slot;
  fresh->taken.test_and_set();
  fresh->next = all;
  while (!all.compare_exchange_weak(fresh->next, fresh)) {
  }
  return fresh;
}

}  // namespace riffle::os

#endif
