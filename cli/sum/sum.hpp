/// What `riffle sum` is asked for, what it finds out of numbers of one type, and the rows that it prints.
#pragma once

#include <riffle/parallel.hpp>
#include <riffle/sum.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "cli/kernel/kernels.hpp"
#include "cli/output.hpp"
#include "cli/rows.hpp"
#include "text/row_values.hpp"
#include "text/shown.hpp"

namespace riffle::cli {

/// Holds a sum as an integer of 2,176 bits that counts 2^-1074, the least double: the "small
/// superaccumulator" of R. M. Neal, "Fast exact summation using small and large superaccumulators" (2015).
class exact_sum {
 public:
  void add(double value) noexcept;
  void add(std::span<const double> values) noexcept;
  void add(std::span<const float> values) noexcept;
  void add(const exact_sum& other) noexcept;
  /// Returns the sum, rounded once to the nearest double, or to the even one of two. Infinities and NaNs give
  /// what they give if they are added as doubles, and always the same NaN.
  double result() const noexcept;

 private:
  void carry() noexcept;

  // Digit i counts 2^(32 i - 1074). An addition changes a digit by less than 2^33, so that 2^29 of them have
  // room.
  std::array<std::int64_t, 68> digits_{};
  std::uint32_t uncarried_ = 0;  // additions since `carry`
  double special_ = 0;           // the sum of the infinities and NaNs
};

/// A number of any type; std::monostate: there is none, as the smallest of no numbers.
using number = std::variant<std::monostate, std::uint64_t, std::int64_t, float, double>;

/// What is printed of some numbers. Without --stats only `sum` is set.
struct sum_row {
  number count = {};
  number min = {};
  number max = {};
  number sum = {};
  number mean = {};
  number nulls = {};  // fields without a number
};

/// The quotient, rounded once to the nearest double, as two conversions to double would not be. `divisor` is
/// below 2^63 and not 0.
inline double quotient(std::uint64_t dividend, std::uint64_t divisor) {
  constexpr std::uint64_t enough = std::uint64_t{1}
                                   << 62U;  // more bits than a double has, with some to round by
  std::uint64_t whole = dividend / divisor;
  std::uint64_t rest = dividend % divisor;
  int exponent = 0;
  for (; dividend != 0 && whole < enough; --exponent) {
    rest *= 2;
    whole = 2 * whole + (rest >= divisor ? 1 : 0);
    if (rest >= divisor) rest -= divisor;
  }
  if (rest != 0) whole |= 1U;  // so that what is left breaks a tie
  return std::ldexp(static_cast<double>(whole), exponent);
}

/// What is known of some numbers.
template <summable T>
struct numbers {
  std::uint64_t count = 0;
  std::uint64_t nulls = 0;  // fields without a number
  kernel::min_max<T> range = {};
  sum_t<T> sum{};
};

/// Takes numbers as they come; `Sum` adds them up. Without `stats` it only sums.
template <summable T, class Sum>
class collector {
 public:
  explicit collector(bool stats) : stats_(stats) {}

  void add(std::span<const T> some) {
    constexpr std::size_t piece_size = 16 * 1024 / sizeof(T);  // stays in the cache for the second look
    while (!some.empty()) {
      const std::span<const T> piece = some.first(std::min(some.size(), piece_size));
      sum_.add(piece);
      if (stats_) range_.add(extremes_(reinterpret_cast<const char*>(piece.data()), piece.size()));
      count_ += piece.size();
      some = some.subspan(piece.size());
    }
  }
  void add_nulls(std::uint64_t found) { nulls_ += found; }
  /// Adds what is known of others.
  template <class OtherSum>
  void add(const collector<T, OtherSum>& other) {
    if constexpr (std::same_as<Sum, OtherSum>) {
      sum_.add(other.sum_);
    } else {
      sum_.add(other.sum_.result());
    }
    range_.add(other.range_);
    count_ += other.count_;
    nulls_ += other.nulls_;
  }
  /// Throws as `summer::result`.
  numbers<T> result() const { return {count_, nulls_, range_, sum_.result()}; }

 private:
  template <summable, class>
  friend class collector;

  bool stats_;
  kernel::min_max_kernel<T> extremes_ = std::get<kernel::min_max_kernel<T>>(kernel::active().min_max);
  std::uint64_t count_ = 0;
  std::uint64_t nulls_ = 0;
  kernel::min_max<T> range_;
  Sum sum_;
};

/// Adds up exactly, for numbers that are found slowly or are few.
template <summable T>
using exact = collector<T, std::conditional_t<std::floating_point<T>, exact_sum, summer<T>>>;

template <summable T>
number as_number(T value) {
  if constexpr (std::floating_point<T>) {
    return value + T{0};  // which makes 0 of -0, as the two are equal
  } else if constexpr (std::is_signed_v<T>) {
    return std::int64_t{value};
  } else {
    return std::uint64_t{value};
  }
}

/// The smallest or the largest: none of no numbers, and a NaN if all numbers are.
template <summable T>
number extreme(const numbers<T>& known, T value) {
  if (known.count == 0) return {};
  if (known.range.min > known.range.max) return as_number(std::numeric_limits<T>::quiet_NaN());
  return as_number(value);
}

template <summable T>
number mean_of(const numbers<T>& known) {
  if (known.count == 0) return {};
  if constexpr (std::floating_point<T>) {
    return known.sum / static_cast<double>(known.count);
  } else {
    const bool negative = std::cmp_less(known.sum, 0);
    const auto sum = static_cast<std::uint64_t>(known.sum);
    const double mean = quotient(negative ? 0 - sum : sum, known.count);
    return negative ? -mean : mean;
  }
}

template <summable T>
sum_row row_of(const numbers<T>& known) {
  return {.count = known.count,
          .min = extreme(known, known.range.min),
          .max = extreme(known, known.range.max),
          .sum = as_number(known.sum),
          .mean = mean_of(known),
          .nulls = known.nulls};
}

struct sum_arguments;

/// What is known of a file.
struct file_sum {
  std::vector<sum_row> rows;             // one for each column
  std::vector<std::string> header = {};  // unless all columns are named
  text::bad_rows skipped = text::bad_rows();
  std::function<void()> add_to_total;
};

/// Sums files of numbers of one type.
class summing {
 public:
  virtual ~summing() = default;
  /// The sum of the file. Throws `riffle::error`. Several threads may call it at once.
  virtual file_sum sum(source from, const riffle::thread_options& splitting) = 0;
  /// The rows of all files that were added to the total. Throws as `summer::result`.
  virtual std::vector<sum_row> total() const = 0;
};

/// A type of numbers, by its name in --type.
struct number_type {
  std::string_view name;
  std::unique_ptr<summing> (*start)(const sum_arguments&);  // which must outlive it
};
/// All types; the last one is that of text unless another one is named.
std::span<const number_type> number_types();

/// What `riffle sum` was given.
struct sum_arguments : field_arguments {
  const number_type* type = nullptr;
  std::optional<std::endian> order;
  std::vector<field_range> columns;  // of text; none: the numbers are binary
  bool several = false;              // by --columns: rows say which column
  bool stats = false;
  total_row total = total_row::automatic;
};

/// Prints a row as soon as it is there. Every function throws `output_lost`.
class sum_table {
 public:
  /// `given` must outlive the table. With --null, fields without a number are shown beside the rest of
  /// --stats.
  explicit sum_table(const sum_arguments& given)
      : given_(given),
        shown_(columns_of(given.stats, !given.rows.null.empty())),
        named_(names_rows(given.total, given.files.size())) {
    if (!given.several) return;
    for (const field_range& each : given.columns)
      columns_.push_back(each.name.value_or(std::to_string(each.first)));
  }

  void add(std::string_view name, std::span<const sum_row> rows) {
    ++rows_;
    if (given_.total == total_row::only) return;
    if (given_.json) {
      write(json_of(json_row::of_file(name), rows));
    } else {
      print(text::quoted_for_row(name), rows);
    }
    flush_output();  // as the next file may take long
  }

  /// The rows of all that were `add`ed.
  void add_total(std::span<const sum_row> rows) {
    if (given_.json) return write(json_of(json_row::of_total(rows_), rows));
    print("total", rows);
  }

 private:
  struct column {
    const char* name;
    number sum_row::* value;
  };
  static std::string text_of(const number& value) {
    return std::visit(
        []<class T>(T known) -> std::string {
          if constexpr (std::is_same_v<T, std::monostate>)
            return "-";
          else
            return fmt::format("{}", known);
        },
        value);
  }

  static std::span<const column> columns_of(bool stats, bool nulls) {
    static constexpr std::array all{column{"count", &sum_row::count}, column{"min", &sum_row::min},
                                    column{"max", &sum_row::max},     column{"sum", &sum_row::sum},
                                    column{"mean", &sum_row::mean},   column{"null", &sum_row::nulls}};
    if (!stats) return std::span(all).subspan(3, 1);
    return std::span(all).first(nulls ? 6 : 5);
  }

  std::string json_of(const json_row& start, std::span<const sum_row> rows) const {
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

  std::string text_of(const sum_row& row) const {
    std::string line;
    for (const column& each : shown_) line.append(line.empty() ? "" : "\t").append(text_of(row.*each.value));
    return line;
  }

  // Tabs between the columns of --stats; the space of the other commands between a sum alone and its name.
  void print(std::string_view name, std::span<const sum_row> rows) {
    std::string lines;
    if (given_.stats && !begun_) {
      for (const column& each : shown_) lines.append(lines.empty() ? "" : "\t").append(each.name);
      lines.append(columns_.empty() ? "" : "\tcolumn").append(named_ ? "\tfile\n" : "\n");
    }
    begun_ = true;
    const char* const between = given_.stats ? "\t" : " ";
    for (std::size_t i = 0; i != rows.size(); ++i) {
      lines += text_of(rows[i]);
      if (!columns_.empty()) lines.append(between).append(columns_[i]);
      if (named_) lines.append(between).append(name);
      lines += '\n';
    }
    write(lines);
  }

  const sum_arguments& given_;
  std::span<const column> shown_;
  bool named_;                             // rows have the names of their files
  std::vector<std::string> columns_ = {};  // what each row of a file is of; none: it has one row
  bool begun_ = false;
  std::uint64_t rows_ = 0;  // of files
};

}  // namespace riffle::cli
