/// Declares the parts of the extension module; native/module.cpp registers each.
#pragma once

#include <nanobind/nanobind.h>

namespace riffle::python {

void register_errors(nanobind::module_& module);
void register_lines(nanobind::module_& module);
void register_rows(nanobind::module_& module);
void register_words(nanobind::module_& module);
void register_kernels(nanobind::module_& module);
void register_counts(nanobind::module_& module);
void register_line_index(nanobind::module_& module);
void register_values(nanobind::module_& module);
void register_arrow(nanobind::module_& module);
void register_columns(nanobind::module_& module);
void register_splits(nanobind::module_& module);

}  // namespace riffle::python
