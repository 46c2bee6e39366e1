/// Offers the capsules in which Python hands on the structs of Arrow, and tables that are given to one
/// stream.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <utility>
#include <vector>

#include "bindings/python/native/arrow/table.hpp"
#include "bindings/python/native/errors.hpp"
#include "bindings/python/native/garbage.hpp"
#include "bindings/python/native/gil.hpp"

namespace riffle::python::arrow {

/// Destroys a struct of Arrow, unless a consumer has moved it out, which sets its `release` to null.
template <class Struct>
struct released {
  void operator()(Struct* owned) const noexcept {
    if (owned->release != nullptr) owned->release(owned);
    delete owned;
  }
};

/// Returns a capsule with the struct that `fill` writes. Its name says of which type it is.
template <class Struct, class Fill>
nanobind::capsule capsule_of(const char* name, Fill fill) {
  std::unique_ptr<Struct, released<Struct>> made(new Struct{});
  fill(*made);
  return {made.release(), name, [](void* held) noexcept { released<Struct>()(static_cast<Struct*>(held)); }};
}

/// Returns the capsule with the type of tables.
inline nanobind::capsule schema_capsule(const std::vector<table_column>& columns) {
  return capsule_of<c_schema>("arrow_schema", [&](c_schema& to) { export_schema(columns, to); });
}

/// Holds tables until a stream takes them. `Tables` is a `table_source`, whose `visit` visits the Python
/// objects that it holds, and `gone` says why there are no tables.
template <class Tables>
class given_tables {
 public:
  // The last owner may be a thread without the GIL, or a consumer that outlives the interpreter.
  explicit given_tables(std::unique_ptr<Tables> tables)
      : columns_(tables->columns()), tables_(tables.release(), [](Tables* unused) noexcept {
          static_cast<void>(with_gil([unused] { delete unused; }));
        }) {}

  const std::vector<table_column>& columns() const noexcept { return columns_; }
  nanobind::capsule schema() const { return schema_capsule(columns_); }
  /// Gives away the tables that are left. Raises `ValueError` if they were given away.
  nanobind::capsule stream(nanobind::handle /*requested_schema*/ = {}) {
    return capsule_of<c_stream>("arrow_array_stream", [this](c_stream& to) { export_stream(take(), to); });
  }

  int visit(visitproc visit, void* arg) const { return tables_ ? tables_->visit(visit, arg) : 0; }
  void give_up() { const std::shared_ptr<Tables> unused = std::move(tables_); }

 protected:
  std::shared_ptr<Tables> take() {
    if (!tables_) raise(PyExc_ValueError, Tables::gone);
    return std::exchange(tables_, nullptr);
  }
  void give_back(std::shared_ptr<Tables> taken) noexcept { tables_ = std::move(taken); }

 private:
  std::vector<table_column> columns_;
  std::shared_ptr<Tables> tables_;
};

/// Defines the class of such tables.
template <class Given>
nanobind::class_<Given> define_tables(nanobind::module_& module, const char* name, const char* text) {
  namespace nb = nanobind;
  static PyType_Slot slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverse<Given>)},
                                {Py_tp_clear, reinterpret_cast<void*>(clear<Given>)},
                                {Py_tp_new, reinterpret_cast<void*>(refuse_new)},
                                {0, nullptr}};
  nb::class_<Given> type(module, name, nb::type_slots(slots), text);
  type.def("__arrow_c_schema__", &Given::schema,
           "Returns the type as a capsule of the Arrow C data interface.")
      .def("__arrow_c_stream__", &Given::stream, nb::arg("requested_schema") = nb::none(),
           "Gives what is left to a stream, as a capsule of the Arrow C stream interface.");
  return type;
}

}  // namespace riffle::python::arrow
