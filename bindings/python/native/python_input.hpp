/// Offers the step from any Python object that holds or names bytes to an input of riffle.
#pragma once

#include <nanobind/nanobind.h>
#include <riffle/input.hpp>
#include <riffle/options.hpp>
#include <riffle/source.hpp>
#include <riffle/splits.hpp>

#include <memory>
#include <string>

namespace riffle::python {

/// Any Python object; the stubs say which `python_input` takes.
class source_object : public nanobind::object {
  static bool accepts(PyObject*) { return true; }
  NB_OBJECT(source_object, nanobind::object,
            "_typeshed.FileDescriptorOrPath | _typeshed.ReadableBuffer | _typeshed.SupportsRead[bytes] | "
            "riffle_io.Split",
            accepts)
};

/// The same, or several of them.
class sources_object : public source_object {
  static bool accepts(PyObject*) { return true; }
  NB_OBJECT(sources_object, source_object, "_Sources", accepts)
};

/// Returns the sources that such an object names: one, those of an iterable, or the files that a pattern
/// matches; of none, one without bytes.
nanobind::list sources_of(nanobind::handle sources);

/// Holds an input made of a Python object, and keeps alive what it borrows: the buffer, the file object, a
/// descriptor of its own.
///
/// Takes a `str` or `os.PathLike` (a path), an `int` (a descriptor), an object with the buffer protocol (its
/// bytes), a file object open in binary mode, or a `riffle_io.Split` (the records that start in it). Raises
/// `TypeError` for another object. Make and destroy it with the GIL held. It may be read without the GIL.
class python_input {
 public:
  /// `method` is the method to read with. With `automatic`, Python itself reads pipes, terminals and sockets,
  /// so that a signal such as Ctrl-C ends the wait. `records` says what the records of a split are.
  python_input(nanobind::handle source, riffle::method method, const record_options& records = {});
  python_input(python_input&&) noexcept;
  python_input& operator=(python_input&&) noexcept;
  ~python_input();

  /// Returns the input. Valid as long as this object, also after it was moved.
  const riffle::input& get() const noexcept;
  /// Returns whether this is a split of a URL, but not the first.
  bool starts_inside() const noexcept;
  /// Returns whether other bytes of the text stand before those of `opened`, the source of this input.
  bool starts_inside(const source& opened) const noexcept;

  /// Returns the descriptor that riffle itself reads and that may have no bytes yet, such as a pipe; -1 if
  /// there is none.
  int waited() const noexcept;

  /// Visits the Python objects that it holds, for Python's garbage collector.
  int visit(visitproc visit, void* arg) const;

 private:
  class resources;
  std::unique_ptr<resources> held_;
};

/// Returns whether an object is a `riffle_io.Split`.
bool is_split(nanobind::handle object);
/// Returns the records of a `riffle_io.Split`. Raises `TypeError` if one of its fields has another type.
riffle::input input_of_split(nanobind::handle split, const record_options& records);

/// Returns the bytes of a path as the system takes them. Raises `TypeError` if it is none.
std::string bytes_of_path(nanobind::handle path);

}  // namespace riffle::python
