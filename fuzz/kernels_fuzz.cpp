/// Any bytes between two guard pages through every kernel give what the scalar one gives.
#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <string>

#include "fuzz/delivery.hpp"
#include "tests/kernel/calls.hpp"

namespace {

using riffle::byte_set;
using riffle::kernel::table;

void compare(const table& kernel, const riffle::test::arguments& given) {
  static const riffle::test::kernel_tables scalar(riffle::kernel::scalar());
  const riffle::test::kernel_tables tested(kernel);
  for (const riffle::test::kernel_call& call : riffle::test::kernel_calls) {
    riffle::fuzz::require(call.make(tested, given) == call.make(scalar, given),
                          std::string(call.name) + " of " + kernel.name + " is that of scalar");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* input, std::size_t size) {
  if (size < 36) return 0;
  byte_set set;
  for (std::size_t i = 2; i < 2 + input[0] % 32U; ++i) set.add(static_cast<char>(input[i]));
  const char byte = static_cast<char>(input[1]);
  const bool in_word = (input[0] & 0x80U) != 0;
  const std::size_t number = input[33] + std::size_t{input[32]} % 4 * 256;
  // A text is repeated, so that short inputs reach the loops over pages too.
  constexpr std::array<std::size_t, 4> repeats{1, 2, 8, 32};
  const std::string_view text(reinterpret_cast<const char*>(input) + 34, size - 34);
  const std::size_t rest = std::min(text.size() * repeats[input[0] / 32U % 4], std::size_t{1} << 16U);
  static riffle::test::guarded memory(1 << 16);
  for (const std::span<char> place : {memory.first(rest), memory.last(rest)}) {
    for (std::size_t i = 0; i < rest; i += text.size()) {
      std::memcpy(place.data() + i, text.data(), std::min(text.size(), rest - i));
    }
    for (const table* const kernel : riffle::kernel::available()) {
      compare(*kernel,
              {.text = {place.data(), rest}, .set = set, .byte = byte, .in_word = in_word, .number = number});
    }
  }
  return 0;
}
