/// Plain loops of the tool's kernels: tests compare every SIMD kernel with them, and a processor without a
/// SIMD kernel runs them.
#include <algorithm>
#include <cstring>
#include <string_view>

#include "cli/kernel/kernels.hpp"

namespace riffle::cli::kernel {

namespace {

std::size_t count_between(const std::uint64_t* bits, const std::uint64_t* ends, std::size_t words,
                          std::uint32_t* counts) {
  std::size_t found = 0;
  counts[0] = 0;
  for (std::size_t i = 0; i < words * 64; ++i) {
    counts[found] += static_cast<std::uint32_t>(bits[i / 64] >> (i % 64) & 1U);
    if ((ends[i / 64] >> (i % 64) & 1U) != 0) counts[++found] = 0;
  }
  return found;
}

std::uint64_t count_words_of_set(const char* data, std::size_t size, const byte_set& white, bool& in_word) {
  std::uint64_t words = 0;
  for (const char c : std::string_view(data, size)) {
    const bool was_in_word = in_word;
    in_word = !white.contains(c);
    if (in_word && !was_in_word) ++words;
  }
  return words;
}

std::uint64_t count_words_utf8(const char* data, std::size_t size, const utf8_white_space& white,
                               bool& in_word) {
  std::uint64_t words = 0;
  for (std::string_view left(data, size); !left.empty();) {
    const std::size_t long_white = white.size_at(left);
    const bool is_word = long_white == 0 && !white_space.contains(left.front());
    if (is_word && !in_word) ++words;
    in_word = is_word;
    left.remove_prefix(std::max<std::size_t>(long_white, 1));
  }
  return words;
}

std::size_t find_wide_line(const char* data, std::size_t size, const column_bounds& bounds,
                           std::uint64_t columns) {
  std::uint64_t bound = 0;
  unsigned before = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const unsigned byte = static_cast<unsigned char>(data[i]);
    const bool second_of_four = bounds.utf8 && before >= 0xF0 && byte >> 6U == 2;
    before = byte;
    if (data[i] == '\n') {
      if (bound > columns) return i;
      bound = 0;
    } else if (data[i] == '\t') {
      bound += 8;
    } else if (bounds.ones.rows_contain(data[i]) && !second_of_four) {
      ++bound;
    }
  }
  return size;
}

template <class T>
min_max<T> find_min_max(const char* data, std::size_t count) {
  min_max<T> all;
  for (std::size_t i = 0; i < count; ++i) {
    T value;
    std::memcpy(&value, data + i * sizeof value, sizeof value);
    all.add({value, value});
  }
  return all;
}

constexpr table scalar_table{
    .name = "scalar",
    .count_between = count_between,
    .count_words_of_set = count_words_of_set,
    .count_words_utf8 = count_words_utf8,
    .find_wide_line = find_wide_line,
    .min_max = {find_min_max<std::int8_t>, find_min_max<std::uint8_t>, find_min_max<std::int16_t>,
                find_min_max<std::uint16_t>, find_min_max<std::int32_t>, find_min_max<std::uint32_t>,
                find_min_max<std::int64_t>, find_min_max<std::uint64_t>, find_min_max<float>,
                find_min_max<double>},
};

}  // namespace

const table& scalar() noexcept {
  return scalar_table;
}

}  // namespace riffle::cli::kernel
