/// Memory that a process shares with its children.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>
#include <riffle/anonymous_memory.hpp>

namespace riffle {
namespace {

TEST(anonymous_memory, is_common_to_a_child_when_shared) {
  for (const bool shared : {false, true}) {
    anonymous_memory memory(anonymous_options{.shared = shared});
    auto* const value = static_cast<volatile int*>(memory.allocate(sizeof(int)));
    const pid_t child = fork();
    if (child == 0) {
      *value = 7;
      _exit(0);
    }
    ASSERT_EQ(waitpid(child, nullptr, 0), child);
    EXPECT_EQ(*value, shared ? 7 : 0);
    memory.deallocate(const_cast<int*>(value), sizeof(int));
  }
}

}  // namespace
}  // namespace riffle
