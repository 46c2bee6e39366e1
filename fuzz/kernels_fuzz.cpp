/// Any bytes through every kernel must give what the scalar kernel gives, without a read outside them.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "kernel/kernels.hpp"

namespace {

using riffle::byte_set;
using riffle::kernel::table;

void require(bool same, const table& kernel, const char* what) {
  if (same) return;
  std::fprintf(stderr, "%s: %s differs from scalar\n", kernel.name, what);
  std::abort();
}

void compare_counts(const table& kernel, std::string_view data, const byte_set& set, char byte,
                    bool in_word) {
  const table& oracle = riffle::kernel::scalar();
  const char* const bytes = data.data();
  const std::size_t size = data.size();
  require(kernel.count_byte(bytes, size, byte) == oracle.count_byte(bytes, size, byte), kernel, "count_byte");
  require(kernel.count_set(bytes, size, set) == oracle.count_set(bytes, size, set), kernel, "count_set");
  require(kernel.count_words(bytes, size, in_word) == oracle.count_words(bytes, size, in_word), kernel,
          "count_words");
  require(kernel.count_utf8(bytes, size) == oracle.count_utf8(bytes, size), kernel, "count_utf8");
}

void compare_masks(const table& kernel, std::string_view data, const byte_set& set, char byte) {
  const table& oracle = riffle::kernel::scalar();
  std::vector<std::uint64_t> masks(riffle::scan::mask_words(data.size()));
  std::vector<std::uint64_t> expected(masks.size());
  kernel.match_byte(data.data(), data.size(), byte, masks.data());
  oracle.match_byte(data.data(), data.size(), byte, expected.data());
  require(masks == expected, kernel, "match_byte");
  kernel.match_set(data.data(), data.size(), set, masks.data());
  oracle.match_set(data.data(), data.size(), set, expected.data());
  require(masks == expected, kernel, "match_set");
}

void compare_batches(const table& kernel, std::string_view data, char byte, bool in_word) {
  const table& oracle = riffle::kernel::scalar();
  const std::string_view batch = data.substr(0, 4096);
  std::array<std::uint64_t, 64> masks{};
  std::array<std::uint64_t, 64> expected{};
  require(kernel.match_delimiter(batch.data(), batch.size(), byte, masks.data()) ==
                  oracle.match_delimiter(batch.data(), batch.size(), byte, expected.data()) &&
              masks == expected,
          kernel, "match_delimiter");
  bool after = in_word;
  bool after_expected = in_word;
  require(kernel.match_word_edges(batch.data(), batch.size(), after, masks.data()) ==
                  oracle.match_word_edges(batch.data(), batch.size(), after_expected, expected.data()) &&
              masks == expected,
          kernel, "match_word_edges");
  require(after == after_expected, kernel, "match_word_edges: in_word");
}

void compare_sums(const table& kernel, std::string_view data) {
  const table& oracle = riffle::kernel::scalar();
  const char* const bytes = data.data();
  const std::size_t size = data.size();
  require(kernel.sum_i8(bytes, size) == oracle.sum_i8(bytes, size), kernel, "sum_i8");
  require(kernel.sum_u8(bytes, size) == oracle.sum_u8(bytes, size), kernel, "sum_u8");
  require(kernel.sum_i16(bytes, size / 2) == oracle.sum_i16(bytes, size / 2), kernel, "sum_i16");
  require(kernel.sum_u16(bytes, size / 2) == oracle.sum_u16(bytes, size / 2), kernel, "sum_u16");
  require(kernel.sum_i32(bytes, size / 4) == oracle.sum_i32(bytes, size / 4), kernel, "sum_i32");
  require(kernel.sum_u32(bytes, size / 4) == oracle.sum_u32(bytes, size / 4), kernel, "sum_u32");
  require(kernel.sum_i64(bytes, size / 8) == oracle.sum_i64(bytes, size / 8), kernel, "sum_i64");
  require(kernel.sum_u64(bytes, size / 8) == oracle.sum_u64(bytes, size / 8), kernel, "sum_u64");
}

void compare_floats(void (*add)(const char*, std::size_t, double*), const table& kernel,
                    void (*expected_add)(const char*, std::size_t, double*), const char* data,
                    std::size_t count) {
  std::array<double, riffle::kernel::float_lanes> lanes{};
  std::array<double, riffle::kernel::float_lanes> expected{};
  add(data, count, lanes.data());
  expected_add(data, count, expected.data());
  // A NaN equals nothing, and which NaN it is is left open.
  require(
      std::ranges::equal(lanes, expected, [](double a, double b) { return a == b || (a != a && b != b); }),
      kernel, "float lanes");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* input, std::size_t size) {
  if (size < 36) return 0;
  byte_set set;
  for (std::size_t i = 2; i < 2 + input[0] % 32U; ++i) set.add(static_cast<char>(input[i]));
  const char byte = static_cast<char>(input[1]);
  const bool in_word = (input[0] & 0x80U) != 0;
  // A block of its own, so that AddressSanitizer sees a read one byte outside.
  const std::size_t rest = size - 34;
  const auto copy = std::make_unique<char[]>(rest);
  std::memcpy(copy.get(), input + 34, rest);
  const std::string_view data(copy.get(), rest);
  for (const table* const kernel : riffle::kernel::available()) {
    compare_counts(*kernel, data, set, byte, in_word);
    compare_masks(*kernel, data, set, byte);
    compare_batches(*kernel, data, byte, in_word);
    compare_sums(*kernel, data);
    compare_floats(kernel->add_f32, *kernel, riffle::kernel::scalar().add_f32, data.data(), rest / 4);
    compare_floats(kernel->add_f64, *kernel, riffle::kernel::scalar().add_f64, data.data(), rest / 8);
  }
  return 0;
}
