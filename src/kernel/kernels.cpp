/// Chooses the SIMD kernel once. `asked_for` throws for a wrong name; `active` falls back to the best one.
#include "kernel/kernels.hpp"

#include <riffle/error.hpp>

#include <cstdlib>
#include <exception>
#include <string>

#include "base/remembered.hpp"
#include "kernel/simd.hpp"

namespace riffle::inline v0::kernel {

namespace {

// Called once, and not to weigh on each call of `active`.
[[gnu::noinline]] const table& chosen() noexcept {
  try {
    return asked_for();
  } catch (const std::exception&) {  // a wrong name, or no memory for the words about it
    return *available().front();
  }
}

}  // namespace

table_list::table_list() noexcept {
  const processor here = this_processor();
  for (const bool fast : {true, false}) {
    for (const simd_table& compiled : simd_tables()) {
      if (compiled.kernels == nullptr) continue;  // AVX2 in 32 bits
      if (compiled.runs(here) && compiled.fast(here) == fast) tables_.at(size_++) = compiled.kernels;
    }
  }
  tables_.at(size_++) = &scalar();
}

std::string description(const table& of) {
  std::string text = std::string(of.instructions) + " kernels";
  if (of.by.places.in_order != 0)
    text += ", prefetching " + std::to_string(of.by.places.in_order / 1024) + " KiB ahead";
  if (of.by.counts.pages) text += ", four pages side by side";
  return text;
}

table_list available() noexcept {
  return {};
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
  static constinit remembered<const table*> instance;
  return *instance.get([] { return &chosen(); });
}

}  // namespace riffle::inline v0::kernel
