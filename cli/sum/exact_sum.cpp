/// The exact sum of doubles, and the rows of sums: one list of columns for TSV and JSON.
#include "cli/sum/sum.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>

#include "cli/output.hpp"
#include "text/shown.hpp"

namespace riffle::cli {

namespace {

constexpr unsigned digit_bits = 32;
constexpr std::uint64_t digit_mask = 0xFFFF'FFFF;
constexpr std::uint32_t most_uncarried = std::uint32_t{1} << 29U;

std::string text_of(const number& value) {
  return std::visit(
      []<class T>(T known) -> std::string {
        if constexpr (std::is_same_v<T, std::monostate>)
          return "-";
        else
          return fmt::format("{}", known);
      },
      value);
}

}  // namespace

void exact_sum::add(double value) noexcept {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const auto exponent = static_cast<unsigned>(bits >> 52U & 0x7FFU);
  if (exponent == 0x7FF) {
    special_ += value;
    return;
  }
  if (++uncarried_ >= most_uncarried) carry();
  // A subnormal number counts the same 2^-1074 as the least normal one, without the leading bit.
  const std::uint64_t leading = exponent == 0 ? 0 : std::uint64_t{1} << 52U;
  const std::uint64_t significand = (bits & 0xF'FFFF'FFFF'FFFF) | leading;
  const unsigned place = exponent == 0 ? 0 : exponent - 1;
  const unsigned shift = place % digit_bits;
  const std::uint64_t low = (significand & digit_mask) << shift;
  const std::uint64_t high = (significand >> digit_bits) << shift;
  const std::int64_t sign = value < 0 ? -1 : 1;
  std::int64_t* const digit = digits_.data() + place / digit_bits;
  digit[0] += sign * static_cast<std::int64_t>(low & digit_mask);
  digit[1] += sign * static_cast<std::int64_t>((low >> digit_bits) + (high & digit_mask));
  digit[2] += sign * static_cast<std::int64_t>(high >> digit_bits);
}

void exact_sum::add(std::span<const double> values) noexcept {
  for (const double value : values) add(value);
}

void exact_sum::add(std::span<const float> values) noexcept {
  for (const float value : values) add(double{value});
}

void exact_sum::add(const exact_sum& other) noexcept {
  carry();
  exact_sum carried = other;
  carried.carry();
  std::ranges::transform(digits_, carried.digits_, digits_.begin(), std::plus<>());
  uncarried_ = 2;  // no digit is larger than after so many additions
  special_ += other.special_;
}

// Leaves 32 bits in each digit, but for the last, which has the sign.
void exact_sum::carry() noexcept {
  std::int64_t carried = 0;
  for (std::int64_t& digit : digits_) {
    const std::int64_t whole = digit + carried;
    carried = whole >> digit_bits;
    digit = whole & static_cast<std::int64_t>(digit_mask);
  }
  digits_.back() |= carried * (std::int64_t{1} << digit_bits);
  uncarried_ = 1;
}

double exact_sum::result() const noexcept {
  // Which of two NaNs an addition returns depends on the order of operands that the compiler chose.
  if (std::isnan(special_)) return std::numeric_limits<double>::quiet_NaN();
  if (special_ != 0) return special_;
  exact_sum sum = *this;
  sum.carry();
  const bool negative = sum.digits_.back() < 0;
  if (negative) {
    for (std::int64_t& digit : sum.digits_) digit = -digit;
    sum.carry();
  }
  const auto digit = [&](std::size_t index) { return static_cast<std::uint64_t>(sum.digits_[index]); };
  std::size_t top = sum.digits_.size() - 1;
  while (top > 1 && digit(top) == 0) --top;
  std::uint64_t first = digit(top) << digit_bits | digit(top - 1);
  int unit = static_cast<int>(digit_bits * (top - 1)) - 1074;
  if (top > 1) {
    // 64 bits, of which the last says too whether others follow: the conversion to double is the only
    // rounding.
    const int zeros = std::countl_zero(first);
    first = first << zeros | digit(top - 2) >> (static_cast<int>(digit_bits) - zeros);
    unit -= zeros;
    const bool more =
        (digit(top - 2) << zeros & digit_mask) != 0 ||
        std::any_of(sum.digits_.begin(), sum.digits_.begin() + static_cast<std::ptrdiff_t>(top - 2),
                    [](std::int64_t each) { return each != 0; });
    if (more) first |= 1U;
  }
  const double result = std::ldexp(static_cast<double>(first), unit);
  return negative ? -result : result;
}

std::span<const sum_table::column> sum_table::columns_of(bool stats, bool nulls) {
  static constexpr std::array all{column{"count", &sum_row::count}, column{"min", &sum_row::min},
                                  column{"max", &sum_row::max},     column{"sum", &sum_row::sum},
                                  column{"mean", &sum_row::mean},   column{"null", &sum_row::nulls}};
  if (!stats) return std::span(all).subspan(3, 1);
  return std::span(all).first(nulls ? 6 : 5);
}

std::string sum_table::json_of(const json_row& start, std::span<const sum_row> rows) const {
  std::string lines;
  for (std::size_t i = 0; i != rows.size(); ++i) {
    json_row row = start;
    if (!columns_.empty()) row.add("column", columns_[i]);
    for (const column& each : shown_) {
      std::visit(
          [&]<class T>(T known) {
            if constexpr (std::is_same_v<T, std::monostate>)
              row.add_null(each.name);
            else
              row.add(each.name, known);
          },
          rows[i].*each.value);
    }
    lines += row.line();
  }
  return lines;
}

std::string sum_table::text_of(const sum_row& row) const {
  std::string line;
  for (const column& each : shown_)
    line.append(line.empty() ? "" : "\t").append(cli::text_of(row.*each.value));
  return line;
}

void sum_table::add(std::string_view name, std::span<const sum_row> rows) {
  ++rows_;
  if (only_total_) return;
  if (json_) {
    write(json_of(json_row::of_file(name), rows));
  } else {
    print(text::quoted_for_row(name), rows);
  }
  flush_output();  // as the next file may take long
}

void sum_table::add_total(std::span<const sum_row> rows) {
  if (json_) return write(json_of(json_row::of_total(rows_), rows));
  print("total", rows);
}

// Tabs between the columns of --stats; the space of the other commands between a sum alone and its name.
void sum_table::print(std::string_view name, std::span<const sum_row> rows) {
  std::string lines;
  if (stats_ && !begun_) {
    for (const column& each : shown_) lines.append(lines.empty() ? "" : "\t").append(each.name);
    lines.append(columns_.empty() ? "" : "\tcolumn").append(several_ ? "\tfile\n" : "\n");
  }
  begun_ = true;
  const char* const between = stats_ ? "\t" : " ";
  for (std::size_t i = 0; i != rows.size(); ++i) {
    lines += text_of(rows[i]);
    if (!columns_.empty()) lines.append(between).append(columns_[i]);
    if (several_) lines.append(between).append(name);
    lines += '\n';
  }
  write(lines);
}

}  // namespace riffle::cli
