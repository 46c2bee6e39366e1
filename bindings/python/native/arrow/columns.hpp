/// Offers the columns of rows as tables, and what makes a column of each type.
#pragma once

#include <riffle/rows.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
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

/// The type of a column.
struct column_type {
  using maker = std::unique_ptr<column_builder> (*)(const column_type& type);

  std::string name;    // as Python code writes it
  std::string format;  // of the Arrow C data interface
  maker make;
  int precision = 0;  // of a decimal
  int scale = 0;
};

/// Returns the type that NumPy, Arrow, polars or riffle calls so; none if there is none.
std::optional<column_type> column_type_named(std::string_view name);
/// Returns the names of all types, for messages.
std::string column_type_names();

/// A column that was asked for.
struct wanted_column {
  std::string name;
  std::size_t field;
  column_type type;
};

/// Returns the tables of a range from which no row was taken: each of the rows in about 4 MiB of the input,
/// in its order. With several threads, they make some tables ahead, and use no Python object. A thread that
/// waits for them calls `while_waiting` now and then, which may throw. The columns stay as long as the range.
/// `bad` says whether bad rows are skipped, and knows them after the last table; it outlives the tables.
std::unique_ptr<table_source> tables_of(row_range rows, std::vector<wanted_column> columns,
                                        text::bad_rows& bad, unsigned threads,
                                        std::function<void()> while_waiting);

}  // namespace riffle::python::arrow
