/// Offers the columns of rows as tables, which several threads may make ahead.
#pragma once

#include <riffle/rows.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bindings/python/native/arrow/column_builder.hpp"
#include "bindings/python/native/arrow/table.hpp"
#include "text/bad_rows.hpp"

namespace riffle::python::arrow {

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
