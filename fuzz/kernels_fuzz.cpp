/// Any bytes between two guard pages through every kernel and all of riffle::scan give what plain loops give.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <vector>

#include <riffle/error.hpp>
#include <riffle/scan.hpp>
#include <riffle/sum.hpp>

#include "tests/kernel/calls.hpp"

namespace {

using riffle::byte_set;
using riffle::kernel::table;

void require(bool same, const table& kernel, const char* what) {
  if (same) return;
  std::fprintf(stderr, "%s: %s differs from scalar\n", kernel.name, what);
  std::abort();
}

void compare_calls(const table& kernel, const riffle::test::arguments& given) {
  static const riffle::test::kernel_tables scalar(riffle::kernel::scalar());
  const riffle::test::kernel_tables tested(kernel);
  for (const riffle::test::kernel_call& call : riffle::test::kernel_calls)
    require(call.make(tested, given) == call.make(scalar, given), kernel, call.name.data());
}

void require_scan(bool same, const char* what) {
  require(same, riffle::kernel::active(), what);
}

// The public functions, by the kernel in use, against plain loops.
void check_scan(std::string_view data, const byte_set& set, char byte, bool in_word, std::size_t from) {
  namespace scan = riffle::scan;
  const auto is_byte = [&](char c) { return c == byte; };
  const auto is_member = [&](char c) { return set.contains(c); };
  const auto first = [&](auto matches) {
    const auto found = std::find_if(data.begin() + static_cast<std::ptrdiff_t>(std::min(from, data.size())),
                                    data.end(), matches);
    return found == data.end() ? std::string_view::npos : static_cast<std::size_t>(found - data.begin());
  };
  const auto count = [&](auto matches) {
    return static_cast<std::uint64_t>(std::ranges::count_if(data, matches));
  };
  require_scan(scan::count_byte(data, byte) == count(is_byte), "scan::count_byte");
  require_scan(scan::count_lines(data) == count([](char c) { return c == '\n'; }), "scan::count_lines");
  require_scan(scan::count_any_of(data, set) == count(is_member), "scan::count_any_of");
  require_scan(scan::count_words(data, in_word) ==
                   riffle::kernel::scalar().count_words(data.data(), data.size(), in_word),
               "scan::count_words");
  require_scan(scan::count_utf8(data) == riffle::kernel::scalar().count_utf8(data.data(), data.size()),
               "scan::count_utf8");
  const std::size_t valid = riffle::kernel::scalar().valid_utf8(data.data(), data.size()).size;
  require_scan(scan::find_invalid_utf8(data) == (valid == data.size() ? std::string_view::npos : valid),
               "scan::find_invalid_utf8");
  require_scan(scan::find_byte(data, byte, from) == first(is_byte), "scan::find_byte");
  require_scan(scan::find_any_of(data, set, from) == first(is_member), "scan::find_any_of");
}

// `masks` may be fewer than the bytes need, or more: the words behind keep their values.
void check_scan_masks(std::string_view data, const byte_set& set, char byte, std::size_t words) {
  constexpr std::uint64_t untouched = 0x5A5A5A5A5A5A5A5A;
  const auto check = [&](auto match, auto matches, const char* what) {
    std::vector<std::uint64_t> masks(words, untouched);
    match(std::span(masks));
    std::vector<std::uint64_t> expected(words, untouched);
    std::fill_n(expected.begin(), std::min(words, riffle::scan::mask_words(data.size())), 0);
    for (std::size_t i = 0; i < std::min(data.size(), words * 64); ++i) {
      if (matches(data[i])) expected[i / 64] |= std::uint64_t{1} << i % 64;
    }
    require_scan(masks == expected, what);
  };
  check([&](auto masks) { riffle::scan::match_byte(data, byte, masks); }, [&](char c) { return c == byte; },
        "scan::match_byte");
  check([&](auto masks) { riffle::scan::match_any_of(data, set, masks); },
        [&](char c) { return set.contains(c); }, "scan::match_any_of");
}

// At any alignment, in pieces and at once.
template <class T>
void check_summer(std::string_view data, std::size_t cut) {
  riffle::summer<T> whole;
  riffle::summer<T> pieces;
  const std::string_view values = data.substr(0, data.size() / sizeof(T) * sizeof(T));
  whole.add_bytes(values);
  for (std::size_t place = 0; place < values.size(); place += cut)
    pieces.add_bytes(values.substr(place, cut));
  const auto result = [](const auto& sum) {
    std::array<char, 8> bytes{};
    try {
      const auto value = sum.result();
      std::memcpy(bytes.data(), &value, sizeof value);
    } catch (const riffle::error&) {
      bytes.fill('o');
    }
    return bytes;
  };
  require_scan(result(whole) == result(pieces), "summer");
}

void check_all(std::string_view data, const byte_set& set, char byte, bool in_word, std::size_t number) {
  for (const table* const kernel : riffle::kernel::available())
    compare_calls(*kernel, {.text = data, .set = set, .byte = byte, .in_word = in_word, .number = number});
  check_scan(data, set, byte, in_word, number);
  check_scan_masks(data, set, byte, number % 80);
  check_summer<std::int8_t>(data, number + 1);
  check_summer<std::uint16_t>(data, number + 1);
  check_summer<std::int32_t>(data, number + 1);
  check_summer<std::uint64_t>(data, number + 1);
  check_summer<float>(data, number + 1);
  check_summer<double>(data, number + 1);
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
    check_all({place.data(), rest}, set, byte, in_word, number);
  }
  return 0;
}
