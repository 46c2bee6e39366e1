/// Offers tables of several columns as structs of the Arrow C data and C stream interfaces.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bindings/python/native/arrow/abi.hpp"

namespace riffle::python::arrow {

/// Holds the memory of a buffer. Its last owner frees it, in whichever thread.
using buffer = std::shared_ptr<const void>;

/// The name and the type of a column.
struct table_column {
  std::string name;
  const char* format;  // of the Arrow C data interface
};

/// The values of a column: the bits that say which are valid, none if all are, and the buffers of its type.
struct column_values {
  std::int64_t nulls = 0;
  std::vector<buffer> buffers;
};

/// Some rows, by columns.
struct table {
  std::int64_t rows = 0;
  std::vector<column_values> columns;
};

/// Hands out tables of the same columns.
class table_source {
 public:
  table_source() = default;
  table_source(const table_source&) = delete;
  table_source& operator=(const table_source&) = delete;
  virtual ~table_source() = default;

  virtual const std::vector<table_column>& columns() const noexcept = 0;
  /// Returns the next table; one without rows at the end. Throws what failed, then and at each later call.
  virtual table next() = 0;
};

/// Writes the type of the tables: a struct with a field for each column. The caller calls `release` of what
/// was written. Throws `std::bad_alloc`.
void export_schema(const std::vector<table_column>& columns, c_schema& to);

/// Writes a table, which shares its memory. Any thread may call `release` of what was written, once. Throws
/// `std::bad_alloc`.
void export_table(table from, c_array& to);

/// Writes a stream of the tables of `from`. A failure is the errno of its code and its message. Any thread
/// may call its functions, one at a time. Throws `std::bad_alloc`.
void export_stream(std::shared_ptr<table_source> from, c_stream& to);

}  // namespace riffle::python::arrow
