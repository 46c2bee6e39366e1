/// Offers the columns of rows as tables, and what makes a column of each type.
#pragma once

#include <riffle/rows.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/python/native/arrow/table.hpp"
#include "text/row_values.hpp"

namespace riffle::python::arrow {

/// Makes the values of a column, one for each row.
class column_builder {
 public:
  column_builder() = default;
  column_builder(const column_builder&) = delete;
  column_builder& operator=(const column_builder&) = delete;
  virtual ~column_builder() = default;

  /// Adds a field of a row. Throws `riffle::error` with the offset of the field if it is no such value.
  virtual void add(const row& from, std::size_t field) = 0;
  /// Drops what was added of rows after the first `rows`.
  virtual void take_back(std::size_t rows) = 0;
  /// Returns the values.
  virtual column_values finish() = 0;
};

/// A type as Python code names it.
struct builder_type {
  std::string_view name;
  std::string_view long_name;   // as NumPy has it
  std::string_view other_name;  // as Arrow or polars has it
  const char* format;           // of Arrow
  /// `column` is the name of the column in messages.
  std::unique_ptr<column_builder> (*make)(const std::string& column, const std::string& input);
};

/// Returns the type of that name; null if there is none.
const builder_type* builder_type_named(std::string_view name) noexcept;
/// Returns the names of all types, for messages.
std::string builder_type_names();

/// A column that was asked for.
struct wanted_column {
  std::string name;
  std::size_t field;
  const builder_type* type;
};

/// Returns the tables of a range from which no row was taken: each of the rows in about 4 MiB of the input,
/// in its order. With several threads, they make some tables ahead, and use no Python object. A thread that
/// waits for them calls `while_waiting` now and then, which may throw. The columns stay as long as the range.
/// `bad` says whether bad rows are skipped, and knows them after the last table; it outlives the tables.
std::unique_ptr<table_source> tables_of(row_range rows, std::vector<wanted_column> columns,
                                        text::bad_rows& bad, unsigned threads,
                                        std::function<void()> while_waiting);

}  // namespace riffle::python::arrow
