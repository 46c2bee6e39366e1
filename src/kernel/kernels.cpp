/// Asks the processor what it has, and chooses the SIMD kernel once.
#include "kernel/kernels.hpp"

#include <riffle/error.hpp>

#include <cstdlib>
#include <exception>

#include "base/remembered.hpp"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>

#include <initializer_list>
#endif

namespace riffle::inline v0::kernel {

#if defined(__x86_64__) || defined(__i386__)

namespace {

struct registers {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
};

/// Zeros if the processor does not know the leaf.
registers ask(unsigned leaf) noexcept {
  registers values;
  if (__get_cpuid_count(leaf, 0, &values.eax, &values.ebx, &values.ecx, &values.edx) == 0) return {};
  return values;
}

bool has(unsigned reg, std::initializer_list<unsigned> bits) noexcept {
  for (const unsigned bit : bits) {
    if ((reg >> bit & 1U) == 0) return false;
  }
  return true;
}

/// The registers that the system keeps for each thread, a bit each: 1 SSE, 2 AVX, 5 to 7 AVX-512.
unsigned kept_registers() noexcept {
  unsigned low = 0, high = 0;
  asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

/// The vendor that has these letters in the middle of its name.
vendor vendor_of(unsigned letters) noexcept {
  switch (letters) {
    case 0x49656E69:  // of "GenuineIntel"
      return vendor::intel;
    case 0x69746E65:  // of "AuthenticAMD"
      return vendor::amd;
    default:
      return vendor::other;
  }
}

processor found() noexcept {
  const registers basic = ask(1);
  const registers extended = ask(7);
  const unsigned kept = has(basic.ecx, {27}) ? kept_registers() : 0;  // OSXSAVE
  processor all;
  all.made_by = vendor_of(ask(0).edx);
  all.family = (basic.eax >> 8U & 0xFU) + (basic.eax >> 20U & 0xFFU);
  all.model = (basic.eax >> 4U & 0xFU) | (basic.eax >> 12U & 0xF0U);
  all.ssse3 = has(basic.ecx, {9});
  all.sse4 = all.ssse3 && has(basic.ecx, {1, 19, 20, 25});  // PCLMULQDQ, SSE4.1, SSE4.2, AES
  all.avx2 = all.sse4 && has(kept, {1, 2}) && has(basic.ecx, {12, 28, 29}) &&  // FMA, AVX, F16C
             has(extended.ebx, {3, 5, 8});                                     // BMI, AVX2, BMI2
  all.avx512 =
      all.avx2 && has(kept, {5, 6, 7}) && has(extended.ebx, {16, 17, 28, 30, 31});  // F, DQ, CD, BW, VL
  all.vbmi2 = all.avx512 && has(extended.ecx, {6});
  return all;
}

}  // namespace

processor this_processor() noexcept {
  static constinit remembered<processor> here;
  return here.get(found);
}

#else

processor this_processor() noexcept {
  return {};
}

#endif

bool reads_ahead_within_a_page(const processor& on) noexcept {
  return on.made_by == vendor::intel && on.family == 6 && on.model == 0x55;
}

bool is_rapids(const processor& on) noexcept {
  return on.made_by == vendor::intel && on.family == 6 && (on.model == 0x8F || on.model == 0xCF);
}

bool is_zen5(const processor& on) noexcept {
  return on.made_by == vendor::amd && on.family == 0x1A;
}

bool is_other_intel(const processor& on) noexcept {
  return on.made_by == vendor::intel && !reads_ahead_within_a_page(on) && !is_rapids(on);
}

const char* measured_kind(const processor& on) noexcept {
  if (reads_ahead_within_a_page(on)) return "Intel Skylake to Cooper Lake";
  if (is_rapids(on)) return "Intel Sapphire and Emerald Rapids";
  if (is_zen5(on) && on.vbmi2) return "AMD Zen 5";
  if (on.made_by == vendor::amd && on.vbmi2 && on.family == 0x19) return "AMD Zen 4";
  return nullptr;
}

namespace {

// Returns the first of `available()`, without a look at the others.
const table& best() noexcept {
  const processor here = this_processor();
  const table* first = nullptr;  // that runs
  for (const simd_table& compiled : simd_tables()) {
    if (compiled.kernels == nullptr || !compiled.runs(here)) continue;
    if (compiled.fast(here)) return *compiled.kernels;
    if (first == nullptr) first = compiled.kernels;
  }
  return first != nullptr ? *first : scalar();
}

// Called once, and not to weigh on each call of `active`.
[[gnu::noinline]] const table* chosen() noexcept {
  try {
    return &asked_for();
  } catch (const std::exception&) {  // a wrong name, or no memory for the words about it
    return &best();
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
  return name == nullptr || *name == '\0' ? best() : named(name);
}

const table& active() noexcept {
  static constinit remembered<const table*> instance;
  return *instance.get(chosen);
}

}  // namespace riffle::inline v0::kernel
