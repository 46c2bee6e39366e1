/// Lets allocations fail on demand, and counts those that live.
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "tests/support/faults.hpp"
#include "tests/support/linux/replaced.hpp"
#include "tests/support/shell.hpp"

namespace riffle::test::allocations {

constinit thread_local bool active = false;

namespace {

constinit std::atomic<std::size_t> living = 0;
constinit std::atomic<std::size_t> seen = 0;
constinit std::atomic<std::size_t> failing_at = 0;  // 0: none
constinit std::atomic<bool> failing_on = false;

}  // namespace

std::optional<std::string> unavailable() {
  if (build::instrumented) return "a sanitizer has an allocator of its own";
  return std::nullopt;
}

void start_failing(std::size_t at, bool on) noexcept {
  seen = 0;
  failing_on = on;
  failing_at = at;
}

bool stop_failing() noexcept {
  return failing_at.exchange(0) <= seen;
}

std::size_t alive() noexcept {
  return living;
}

}  // namespace riffle::test::allocations

#if !RIFFLE_SANITIZED

namespace {

using namespace riffle::test::allocations;

bool fails() noexcept {
  if (failing_at == 0) return false;
  const std::size_t place = ++seen;
  const bool now = place == failing_at || (failing_on && place > failing_at);
  if (now) errno = ENOMEM;
  return now;
}

template <class Allocate>
void* counted(Allocate allocate) noexcept {
  const bool within = std::exchange(active, true);
  void* const memory = fails() ? nullptr : allocate();
  active = within;
  if (memory != nullptr) ++living;
  return memory;
}

}  // namespace

extern "C" {

void* RIFFLE_ORIGINAL(malloc)(std::size_t size) noexcept;
void* RIFFLE_ORIGINAL(calloc)(std::size_t count, std::size_t size) noexcept;
void* RIFFLE_ORIGINAL(realloc)(void* memory, std::size_t size) noexcept;
void* RIFFLE_ORIGINAL(memalign)(std::size_t alignment, std::size_t size) noexcept;
void RIFFLE_ORIGINAL(free)(void* memory) noexcept;

[[gnu::visibility("default")]] void* RIFFLE_REPLACEMENT(malloc)(std::size_t size) noexcept {
  return counted([&] { return RIFFLE_ORIGINAL(malloc)(size); });
}
[[gnu::visibility("default")]] void* RIFFLE_REPLACEMENT(calloc)(std::size_t count,
                                                                std::size_t size) noexcept {
  return counted([&] { return RIFFLE_ORIGINAL(calloc)(count, size); });
}
[[gnu::visibility("default")]] void* RIFFLE_REPLACEMENT(realloc)(void* memory, std::size_t size) noexcept {
  if (memory == nullptr) return RIFFLE_REPLACEMENT(malloc)(size);
  const bool within = std::exchange(active, true);
  void* const moved = fails() ? nullptr : RIFFLE_ORIGINAL(realloc)(memory, size);
  active = within;
  return moved;
}
[[gnu::visibility("default")]] void* RIFFLE_REPLACEMENT(memalign)(std::size_t alignment,
                                                                  std::size_t size) noexcept {
  return counted([&] { return RIFFLE_ORIGINAL(memalign)(alignment, size); });
}
[[gnu::visibility("default")]] void* RIFFLE_REPLACEMENT(aligned_alloc)(std::size_t alignment,
                                                                       std::size_t size) noexcept {
  return RIFFLE_REPLACEMENT(memalign)(alignment, size);
}
[[gnu::visibility("default")]] int RIFFLE_REPLACEMENT(posix_memalign)(void** result, std::size_t alignment,
                                                                      std::size_t size) noexcept {
  void* const memory = RIFFLE_REPLACEMENT(memalign)(alignment, size);
  if (memory == nullptr) return ENOMEM;
  *result = memory;
  return 0;
}
[[gnu::visibility("default")]] void RIFFLE_REPLACEMENT(free)(void* memory) noexcept {
  if (memory == nullptr) return;
  --living;
  RIFFLE_ORIGINAL(free)(memory);
}
}

#endif
