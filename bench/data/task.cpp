/// The names of the tasks, in the order of their enumeration.
#include "bench/data/task.hpp"

namespace riffle::bench {

namespace {

struct task_info {
  std::string_view name;
  std::string_view description;
};

constexpr std::array<task_info, all_tasks.size()> tasks{{
    {"gc", "count c, C, g and G"},
    {"lines", "count lines and sum their lengths"},
    {"words", "count words"},
    {"ints", "weigh arrays of 32-bit integers"},
    {"primes", "count and sum 64-bit values"},
}};

}  // namespace

std::string_view name_of(task which) noexcept {
  return tasks[static_cast<std::size_t>(which)].name;
}

std::string_view description_of(task which) noexcept {
  return tasks[static_cast<std::size_t>(which)].description;
}

std::optional<task> task_named(std::string_view name) noexcept {
  for (const task which : all_tasks) {
    if (name_of(which) == name) return which;
  }
  return std::nullopt;
}

}  // namespace riffle::bench
