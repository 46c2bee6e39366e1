/// Asks a processor what it has, x86 by CPUID: zig's library answers no to every __builtin_cpu_supports.
#include "kernel/processor.hpp"

#include "base/remembered.hpp"

#if defined(__x86_64__) || defined(__i386__)

#include <cpuid.h>

#include <initializer_list>

namespace riffle::inline v0::kernel {

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

x86_features found() noexcept {
  const registers basic = ask(1);
  const registers extended = ask(7);
  const unsigned kept = has(basic.ecx, {27}) ? kept_registers() : 0;  // OSXSAVE
  x86_features all;
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

x86_features features() noexcept {
  static constinit remembered<x86_features> here;
  return here.get(found);
}

bool reads_ahead_within_a_page() noexcept {
  constexpr unsigned ine_i = 0x49656E69;        // of "GenuineIntel"
  constexpr unsigned skylake_server = 0x50650;  // family 6, model 0x55
  return ask(0).edx == ine_i && (ask(1).eax & 0xFFFF0U) == skylake_server;
}

}  // namespace riffle::inline v0::kernel

#endif
