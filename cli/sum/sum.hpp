/// What `riffle sum` is asked for, what it finds out of numbers of one type, and the rows that it prints.
#pragma once

#include <riffle/parallel.hpp>
#include <riffle/sum.hpp>
#include <riffle/sums_by.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>
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
#include <variant>
#include <vector>

#include "cli/choice.hpp"
#include "cli/kernel/kernels.hpp"
#include "cli/output.hpp"
#include "text/row_values.hpp"
#include "text/shown.hpp"

namespace riffle::cli {

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

/// Takes binary numbers as they come; `Sum` adds them up. Without `stats` it only sums.
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
  }
  /// Throws as `summer::result`.
  key_sum<T> result() const {
    const bool none = range_.min > range_.max;  // but NaN, perhaps
    const T without = count_ == 0 ? T{} : std::numeric_limits<T>::quiet_NaN();
    return {count_, 0, none ? without : range_.min, none ? without : range_.max, sum_.result()};
  }

 private:
  template <summable, class>
  friend class collector;

  bool stats_;
  kernel::min_max_kernel<T> extremes_ = std::get<kernel::min_max_kernel<T>>(kernel::active().min_max);
  std::uint64_t count_ = 0;
  kernel::min_max<T> range_;
  Sum sum_;
};

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

template <summable T>
sum_row row_of(const key_sum<T>& known) {
  sum_row row{.count = known.count, .sum = as_number(known.sum), .nulls = known.nulls};
  if (known.count == 0) return row;
  row.min = as_number(known.min);
  row.max = as_number(known.max);
  row.mean = known.mean();
  return row;
}

struct sum_arguments;

/// What is known of a file.
struct file_sum {
  std::vector<sum_row> rows = {};  // one for each column, without --by
  std::vector<std::string> header = {};
  text::bad_rows skipped = text::bad_rows();
  std::function<void()> add_to_total = {};  // empty until the file was read to its end
};

/// Sums files of numbers of one type.
class summing {
 public:
  virtual ~summing() = default;
  /// Fills what is known of the file, the header before the rows are read; `searches` as in `chosen_rows`.
  /// Throws `riffle::error`. Several threads may call it at once.
  virtual void sum(source from, bool searches, const riffle::thread_options& splitting, file_sum& found) = 0;
  /// The rows of all files that were added to the total. Throws as `summer::result`.
  virtual std::vector<sum_row> total() const = 0;
  /// Calls `use` with each key of these files and its rows: none if a sum of integers does not fit. With
  /// `top`, only so many, the largest first.
  virtual void for_each_key(
      std::optional<std::uint64_t> top,
      const std::function<void(std::string_view key, std::span<const sum_row> rows)>& use) const = 0;
};

/// A type of numbers, by its name in --type.
struct number_type {
  std::string_view name;
  std::unique_ptr<summing> (*start)(const sum_arguments&);  // which must outlive it
};
/// All types; the last one is that of text unless another one is named.
std::span<const number_type> number_types();

/// What `riffle sum` was given.
struct sum_arguments : choosing_arguments {
  const number_type* type = nullptr;
  std::optional<std::endian> order;
  std::vector<field_range> columns;  // of text; none: the numbers are binary
  bool several = false;              // by --columns: rows say which column
  std::vector<field_range> by;       // whose values are keys
  std::optional<std::uint64_t> top;  // of these, only so many
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
    if (given.several) columns_ = names_of(given.columns);
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

  /// The rows of a key: their numbers, and the key.
  void add_key(std::string_view key, std::span<const sum_row> rows) {
    const bool several = given_.by.size() > 1;
    if (given_.json) return write(json_of_key(key, rows, several));
    std::string line;
    for (const sum_row& each : rows) line.append(text_of(each)).append("\t");
    if (several) {
      line += key;
    } else {
      detail::append_field(line, key, true);
    }
    write(line += '\n');
  }
  /// The names of the columns before the rows of keys, with --stats.
  void add_names_of_keys() {
    if (!given_.stats || given_.json) return;
    std::string line;
    for (std::size_t i = 0; i != given_.columns.size(); ++i) {
      for (const column& each : shown_)
        line.append(columns_.empty() ? "" : columns_[i] + ".").append(each.name).append("\t");
    }
    for (const std::string& each : names_of(given_.by)) line.append(each).append("\t");
    line.back() = '\n';
    write(line);
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

  static std::vector<std::string> names_of(std::span<const field_range> fields) {
    std::vector<std::string> names;
    for (const field_range& each : fields) names.push_back(each.name.value_or(std::to_string(each.first)));
    return names;
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
  std::string json_of_key(std::string_view key, std::span<const sum_row> rows, bool several) const {
    json_row row;
    int place = 0;
    if (!several) row.add_bytes("value", key);
    if (several)
      text::for_each_field(
          key, [&](std::string_view field) { row.add_bytes(fmt::format("value{}", ++place), field); });
    if (columns_.empty()) return json_of(row, rows);
    std::string columns = json_of({}, rows);
    columns.pop_back();
    std::ranges::replace(columns, '\n', ',');
    return row.add_raw("columns", "[" + columns + "]").line();
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
