/// Plain loops of the tool's kernels: tests compare every SIMD kernel with them, and a processor without a
/// SIMD kernel runs them.
#include <algorithm>
#include <cstring>

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

line_starts count_line_starts(const char* data, std::size_t size, char delimiter, std::string_view text) {
  const std::string_view bytes(data, size);
  line_starts found;
  for (std::size_t at = bytes.find(delimiter); at != std::string_view::npos;
       at = bytes.find(delimiter, at + 1)) {
    ++found.ends;
    if (bytes.substr(at + 1).starts_with(text)) ++found.starts;
  }
  return found;
}

std::size_t find_any_case(const char* data, std::size_t size, const riffle::kernel::text_plan& text) {
  const std::string_view bytes(data, size);
  const auto same = [](char byte, char wanted) { return lower(byte) == wanted; };
  const auto found = std::search(bytes.begin(), bytes.end(), text.bytes.begin(), text.bytes.end(), same);
  return static_cast<std::size_t>(found - bytes.begin());
}

constexpr table scalar_table{
    .name = "scalar",
    .count_between = count_between,
    .min_max = {find_min_max<std::int8_t>, find_min_max<std::uint8_t>, find_min_max<std::int16_t>,
                find_min_max<std::uint16_t>, find_min_max<std::int32_t>, find_min_max<std::uint32_t>,
                find_min_max<std::int64_t>, find_min_max<std::uint64_t>, find_min_max<float>,
                find_min_max<double>},
    .count_line_starts = count_line_starts,
    .find_any_case = find_any_case,
};

}  // namespace

const table& scalar() noexcept {
  return scalar_table;
}

}  // namespace riffle::cli::kernel
