/// `riffle sum` finds what a plain loop finds, by every method.
#include <fmt/core.h>

#include <bit>
#include <cmath>

#include "cli/sum/sum.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

using cli::number;
using cli::sum_row;

// To the last bit; all NaNs are alike.
std::string shown(const sum_row& row) {
  std::string text;
  for (const number& each : {row.count, row.min, row.max, row.sum, row.mean}) {
    text += fmt::format(" {}:", each.index());
    std::visit(
        [&]<class T>(T known) {
          if constexpr (std::is_arithmetic_v<T>) text += known == known ? fmt::format("{}", known) : "nan";
        },
        each);
  }
  return text;
}

// By the documented order: 32 partial sums, halved until one is left.
template <class T>
double float_sum(const std::vector<T>& values) {
  std::array<double, 32> lanes{};
  for (std::size_t i = 0; i < values.size(); ++i) lanes[i % 32] += static_cast<double>(values[i]);
  for (std::size_t half = 16; half != 0; half /= 2) {
    for (std::size_t i = 0; i < half; ++i) lanes[i] += lanes[i + half];
  }
  return lanes[0];
}

template <class T>
sum_row naive_row(const std::vector<T>& values) {
  std::vector<T> numbers;
  for (const T value : values) {
    if (value == value) numbers.push_back(value);
  }
  std::ranges::sort(numbers);
  sum_row row{.count = std::uint64_t{values.size()}};
  if (std::is_floating_point_v<T> && !values.empty()) {
    row.min = row.max = number(std::in_place_type<std::conditional_t<sizeof(T) == 4, float, double>>, NAN);
  }
  if (!numbers.empty()) {
    row.min = cli::as_number(numbers.front());
    row.max = cli::as_number(numbers.back());
  }
  if constexpr (std::is_floating_point_v<T>) {
    const double sum = float_sum(values);
    row.sum = sum;
    if (!values.empty()) row.mean = sum / static_cast<double>(values.size());
  } else {
    sum_t<T> sum = 0;
    for (const T value : values) sum += value;
    row.sum = cli::as_number(sum);
    const auto size = static_cast<std::uint64_t>(sum < 0 ? -sum : sum);
    if (!values.empty()) row.mean = detail::quotient(size, values.size()) * (sum < 0 ? -1 : 1);
  }
  return row;
}

// Few enough bits that no sum of 64-bit integers overflows; of floats any bits.
template <class T>
std::vector<T> drawn(std::size_t count, std::mt19937_64& random) {
  std::vector<T> values(count);
  for (T& value : values) {
    const std::uint64_t bits = random();
    if constexpr (std::is_floating_point_v<T>) {
      const std::array<T, 4> special{T{0}, -T{0}, std::numeric_limits<T>::infinity(),
                                     std::numeric_limits<T>::quiet_NaN()};
      value = bits % 50 == 0 ? special[bits / 50 % 4]
                             : static_cast<T>(std::ldexp(static_cast<double>(bits >> 12U) - 0x1p51,
                                                         static_cast<int>(bits % 40)));
    } else if constexpr (std::is_signed_v<T>) {
      value = static_cast<T>(static_cast<std::int64_t>(bits) >> 12U);
    } else {
      value = static_cast<T>(bits >> 12U);
    }
  }
  return values;
}

template <class T>
std::string bytes_of(const std::vector<T>& values, std::endian order) {
  const std::string_view bytes(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  return naive_values(bytes, sizeof(T), order != std::endian::native);
}

cli::sum_arguments stats_of(std::string_view type, std::endian order, const read_options& reading) {
  cli::sum_arguments given;
  given.type = &*std::ranges::find(cli::number_types(), type, &cli::number_type::name);
  given.order = order;
  given.stats = true;
  given.options = reading;
  return given;
}

template <class T>
void expect_stats(std::string_view type) {
  std::mt19937_64 random(2026);
  for (const std::size_t count : {0U, 1U, 2U, 31U, 33U, 100U, 3000U}) {
    const std::vector<T> values = drawn<T>(count, random);
    const sum_row expected = naive_row(values);
    for (const std::endian order : {std::endian::little, std::endian::big}) {
      const temporary_file file(bytes_of(values, order));
      for (const method each : usable_methods()) {
        for (const std::size_t size : {0U, 1U, 3U, 5U, 7U, 8U, 63U, 64U, 4096U}) {
          if (size * 100 < values.size() * sizeof(T) && size != 0) continue;  // thousands of system calls
          const cli::sum_arguments given = stats_of(type, order, {.method = each, .block_size = size});
          cli::file_sum found;
          given.type->start(given)->sum(source(file.path(), given.options), false, {}, found);
          ASSERT_EQ(shown(found.rows.front()), shown(expected))
              << type << ", " << count << " numbers, " << name_of(each) << ", blocks of " << size;
        }
      }
    }
  }
}

TEST(sum_stats, of_each_type_by_every_way_of_reading) {
  expect_stats<std::uint8_t>("u8");
  expect_stats<std::int8_t>("i8");
  expect_stats<std::uint16_t>("u16");
  expect_stats<std::int16_t>("i16");
  expect_stats<std::uint32_t>("u32");
  expect_stats<std::int32_t>("i32");
  expect_stats<std::uint64_t>("u64");
  expect_stats<std::int64_t>("i64");
  expect_stats<float>("f32");
  expect_stats<double>("f64");
}

// Python's fractions are exact, and float() rounds once.
TEST(sum_stats, rounds_the_mean_once) {
  if (shell("command -v python3").status != 0) GTEST_SKIP() << "python3 is not here";
  const temporary_file file;
  std::ofstream out(file.path());
  std::mt19937_64 random(9);
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t dividend = random() >> random() % 64;
    const std::uint64_t divisor = (random() >> (1 + random() % 63)) | 1U;
    out << dividend << ' ' << divisor << ' ' << std::hexfloat << detail::quotient(dividend, divisor)
        << std::dec << '\n';
  }
  out.close();
  const shell_result result = shell(
      "python3 -c 'import sys; from fractions import Fraction\n"
      "for a, b, c in map(str.split, open(sys.argv[1])):\n"
      "    assert float(Fraction(int(a), int(b))) == float.fromhex(c), (a, b, c)' " +
      file.path().string());
  EXPECT_EQ(result.status, 0) << result.err;
}

}  // namespace
}  // namespace riffle::test
