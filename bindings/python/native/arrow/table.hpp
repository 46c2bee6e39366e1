/// Offers tables of columns as structs of the Arrow C data and C stream interfaces, their memory, and their
/// capsules.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bindings/python/native/errors.hpp"
#include "bindings/python/native/interpreter.hpp"

namespace riffle::python::arrow {

/// Says in `c_schema::flags` that a column may hold nulls. Every field of other readers does.
inline constexpr std::int64_t flag_nullable = 2;

/// Describes a type: `struct ArrowSchema`.
struct c_schema {
  const char* format;
  const char* name;
  const char* metadata;
  std::int64_t flags;
  std::int64_t n_children;
  c_schema** children;
  c_schema* dictionary;
  void (*release)(c_schema*);
  void* private_data;
};

/// Holds a column or a batch: `struct ArrowArray`.
struct c_array {
  std::int64_t length;
  std::int64_t null_count;
  std::int64_t offset;
  std::int64_t n_buffers;
  std::int64_t n_children;
  const void** buffers;
  c_array** children;
  c_array* dictionary;
  void (*release)(c_array*);
  void* private_data;
};

/// Hands out batches: `struct ArrowArrayStream`.
struct c_stream {
  int (*get_schema)(c_stream*, c_schema* out);
  int (*get_next)(c_stream*, c_array* out);
  const char* (*get_last_error)(c_stream*);
  void (*release)(c_stream*);
  void* private_data;
};

/// Memory that all batches with bytes in it share. The last of them gives it back, in whichever thread.
using chunk = std::shared_ptr<char>;

/// The size of the chunks that are used again, in bytes: a huge page of x86-64.
inline constexpr std::size_t chunk_size = std::size_t{2} << 20U;

/// Returns memory of `size` bytes, aligned to 64 bytes as Arrow recommends. Fresh memory is of huge pages if
/// asked for: they save most of the faults of a large column, and waste memory for a small one. Throws
/// `std::bad_alloc`. Thread safety: any number of threads may call it, and so may the child of a fork.
chunk take_chunk(std::size_t size, bool huge_pages);

/// Holds the memory of a buffer. Its last owner frees it, in whichever thread.
using buffer = std::shared_ptr<const void>;

/// The name and the type of a column.
struct table_column {
  std::string name;
  std::string format;  // of the Arrow C data interface
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
  given_tables(std::unique_ptr<Tables> tables, std::string name)
      : columns_(tables->columns()),
        tables_(tables.release(),
                [](Tables* unused) noexcept { static_cast<void>(with_gil([unused] { delete unused; })); }),
        name_(std::move(name)) {}

  const std::vector<table_column>& columns() const noexcept { return columns_; }
  /// Returns what `repr` says of tables of that class, with what is known of them.
  nanobind::str description(const char* type, const std::string& known) const {
    return nanobind::str(
        nanobind::str("<riffle_io.{} of {!r}{}{}>")
            .format(type, name_text(name_), name_text(known), tables_ ? "" : ", given away or closed"));
  }
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
  std::string name_;  // of the input
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
