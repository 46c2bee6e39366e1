/// Declares the parts of the extension module; native/module.cpp registers each.
#pragma once

#include <nanobind/nanobind.h>

namespace riffle::python {

/// Adds functions and classes to the module.
using part = void(nanobind::module_& module);

part register_errors, register_lines, register_rows, register_words, register_sequences, register_counts,
    register_line_index, register_values, register_arrow, register_columns, register_splits,
    register_raw_bytes, register_value_counts;

}  // namespace riffle::python
