/// Offers the step from a riffle_io.Split to an input.
#ifndef RIFFLE_PYTHON_SPLITS_HPP
#define RIFFLE_PYTHON_SPLITS_HPP

#include <nanobind/nanobind.h>
#include <riffle/splits.hpp>

namespace riffle::python {

/// Returns whether an object is a `riffle_io.Split`.
bool is_split(nanobind::handle object);
/// Returns the records of a `riffle_io.Split`. Raises `TypeError` if one of its fields has another type.
riffle::input input_of_split(nanobind::handle split, const record_options& records);

}  // namespace riffle::python

#endif
