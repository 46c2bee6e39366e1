/// Slots are claimed and freed in any order, and a free one is taken before new memory is.
#include "os/slots.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <set>
#include <thread>
#include <vector>

namespace riffle::os {
namespace {

struct slot {
  slot_group<slot>* group = nullptr;
  std::atomic<int> owners{0};
};

std::size_t groups_of(const slot_list<slot>& all) {
  std::size_t count = 0;
  for (const slot_group<slot>* group = all; group != nullptr; group = group->next) ++count;
  return count;
}

TEST(slots, that_are_free_are_claimed_first) {
  static constinit slot_list<slot> all{nullptr};  // its groups are never freed
  std::vector<slot*> claimed;
  for (int i = 0; i != 1024; ++i) claimed.push_back(claim_slot(all));
  EXPECT_EQ(std::set<slot*>(claimed.begin(), claimed.end()).size(), 1024U);
  const std::size_t groups = groups_of(all);
  for (const std::size_t at : {1023U, 0U, 500U, 63U, 64U}) {
    slot* const freed = claimed[at];
    free_slot(freed);
    EXPECT_EQ(claim_slot(all), freed);
  }
  for (slot* const each : claimed) free_slot(each);
  std::set<slot*> again;
  for (int i = 0; i != 1024; ++i) again.insert(claim_slot(all));
  EXPECT_EQ(again.size(), 1024U);
  EXPECT_EQ(groups_of(all), groups);
  std::size_t seen = 0;
  const auto look = [&](slot& each) {
    seen += again.contains(&each) ? 1U : 0U;
    return false;
  };
  EXPECT_EQ(find_slot(all, look), nullptr);
  EXPECT_EQ(seen, 1024U);
}

TEST(slots, belong_to_one_thread_each) {
  static constinit slot_list<slot> all{nullptr};  // its groups are never freed
  std::vector<std::thread> threads;
  std::atomic<int> doubled{0};
  for (int i = 0; i != 4; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round != 10'000; ++round) {
        slot* const mine = claim_slot(all);
        if (mine->owners++ != 0) ++doubled;
        --mine->owners;
        free_slot(mine);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(doubled, 0);
}

}  // namespace
}  // namespace riffle::os
