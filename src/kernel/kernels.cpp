/// Chooses the SIMD kernel once. `asked_for` throws for a wrong name; `active` falls back to the best one.
#include "kernel/kernels.hpp"

#include <riffle/error.hpp>

#include <cstdlib>
#include <string>
#include <vector>

#include "kernel/simd.hpp"

namespace riffle::inline v0::kernel {

namespace {

std::vector<const table*> runnable() {
  std::vector<const table*> tables;
  for (const bool fast : {true, false}) {
    for (const simd_table& compiled : simd_tables()) {
      if (compiled.runs_here() && compiled.fast_here() == fast) tables.push_back(compiled.kernels);
    }
  }
  tables.push_back(&scalar());
  return tables;
}

const table& chosen() noexcept {
  try {
    return asked_for();
  } catch (const error&) {
    return *available().front();
  }
}

}  // namespace

std::span<const table* const> available() {
  static const std::vector<const table*> tables = runnable();
  return tables;
}

const table& named(std::string_view name) {
  std::string names;
  for (const table* const table : available()) {
    if (table->name == name) return *table;
    names.append(" ").append(table->name);
  }
  throw error(make_error_code(errc::invalid_argument), "use RIFFLE_KERNEL", name, std::nullopt,
              "this processor can run" + names);
}

const table& asked_for() {
  const char* const name = std::getenv("RIFFLE_KERNEL");
  return name == nullptr || *name == '\0' ? *available().front() : named(name);
}

const table& active() noexcept {
  static const table& instance = chosen();
  return instance;
}

}  // namespace riffle::inline v0::kernel
