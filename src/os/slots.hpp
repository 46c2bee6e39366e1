/// The slots that a fault handler walks at any time, so that none is ever freed.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace riffle::os {

/// Holds as many slots as a word has bits, which say which of them are taken: among thousands a free one is
/// found in microseconds. A slot has a member `group`.
template <class Slot>
struct slot_group {
  using bits = std::uintptr_t;

  std::atomic<bits> taken{1};  // the first, by the caller that makes the group
  slot_group* next = nullptr;  // fixed before the group is published
  std::array<Slot, std::numeric_limits<bits>::digits> slots{};

  slot_group() {
    for (Slot& slot : slots) slot.group = this;
  }
};

template <class Slot>
using slot_list = std::atomic<slot_group<Slot>*>;

/// Returns a slot that nobody has taken, or one of a new group, which is put before the others. Throws
/// std::bad_alloc.
template <class Slot>
Slot* claim_slot(slot_list<Slot>& all) {
  using bits = typename slot_group<Slot>::bits;
  for (slot_group<Slot>* group = all; group != nullptr; group = group->next) {
    bits taken = group->taken;
    while (taken != ~bits{0}) {
      const auto place = static_cast<std::size_t>(std::countr_one(taken));
      if (group->taken.compare_exchange_weak(taken, taken | bits{1} << place)) return &group->slots[place];
    }
  }
  auto* const fresh = new slot_group<Slot>;
  fresh->next = all;
  while (!all.compare_exchange_weak(fresh->next, fresh)) {
  }
  return fresh->slots.data();
}

/// Gives a slot back, for others to claim.
template <class Slot>
void free_slot(const Slot* slot) noexcept {
  using bits = typename slot_group<Slot>::bits;
  slot->group->taken &= ~(bits{1} << (slot - slot->group->slots.data()));
}

/// Returns the first slot, taken or not, for which `wanted` returns true; null if there is none.
template <class Slot, class F>
Slot* find_slot(const slot_list<Slot>& all, F wanted) {
  for (slot_group<Slot>* group = all; group != nullptr; group = group->next) {
    for (Slot& slot : group->slots) {
      if (wanted(slot)) return &slot;
    }
  }
  return nullptr;
}

}  // namespace riffle::os
