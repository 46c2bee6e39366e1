/// Defines riffle_io.line_index and the class LineIndex.
#include "bindings/python/native/whole/line_index.hpp"

#include <string>
#include <string_view>
#include <utility>

#include "bindings/python/native/errors.hpp"
#include "bindings/python/native/garbage.hpp"
#include "bindings/python/native/parts.hpp"
#include "bindings/python/native/records/row_arguments.hpp"
#include "bindings/python/native/whole/index_iterator.hpp"
#include "bindings/python/native/whole/read_whole.hpp"

namespace nb = nanobind;

namespace riffle::python {

PyObject* line_index::line(Py_ssize_t line) const {
  const auto index = static_cast<std::size_t>(line);
  nb::object bytes =
      nb::steal(PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(offsets_.size(index))));
  if (!bytes.is_valid()) throw nb::python_error();
  char* const to = PyBytes_AsString(bytes.ptr());
  const gil_released released;
  offsets_.read(offsets_.offset_of(index), {to, offsets_.size(index)});
  return bytes.release().ptr();
}

nb::list line_index::lines(Py_ssize_t first, Py_ssize_t count, Py_ssize_t step) const {
  nb::list result;
  if (step == 1) {
    append(result, static_cast<std::size_t>(first), static_cast<std::size_t>(first + count));
  } else {
    for (Py_ssize_t i = 0; i != count; ++i) {
      if (i % 1024 == 0 && PyErr_CheckSignals() != 0) throw nb::python_error();
      result.append(nb::steal(line(first + i * step)));
    }
  }
  return result;
}

// Neighbours are read together, as a call of the system takes longer than a line.
void line_index::append(nb::list& lines, std::size_t first, std::size_t last) const {
  indexed_lines range(offsets_, first, last);
  indexed_lines::cursor at;
  while (true) {
    while (range.advance_in_block(at)) lines.append(nb::bytes(at.record.data(), at.record.size()));
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    bool more = false;
    without_gil([&] { more = range.advance(at); });
    if (!more) return;
    lines.append(nb::bytes(at.record.data(), at.record.size()));
  }
}

int line_index::get_buffer(PyObject* self, Py_buffer* view, int flags) noexcept {
  return shape_.fill(view, self, offsets_.offsets().data(), true, flags);
}

namespace {

line_index& index_of(PyObject* self) {
  return *nb::inst_ptr<line_index>(self);
}

Py_ssize_t length(PyObject* self) {
  return index_of(self).size();
}

// Python has added the length to a negative index.
PyObject* item(PyObject* self, Py_ssize_t line) {
  return guarded([&] {
    const line_index& index = index_of(self);
    if (line < 0 || line >= index.size()) raise(PyExc_IndexError, "line number out of range");
    return index.line(line);
  });
}

// The lines of a slice, as a list.
PyObject* items(const line_index& index, PyObject* slice) {
  Py_ssize_t start = 0;
  Py_ssize_t stop = 0;
  Py_ssize_t step = 0;
  if (PySlice_Unpack(slice, &start, &stop, &step) != 0) throw nb::python_error();
  const Py_ssize_t count = PySlice_AdjustIndices(index.size(), &start, &stop, step);
  return index.lines(start, count, step).release().ptr();
}

PyObject* subscript(PyObject* self, PyObject* key) {
  return guarded([&]() -> PyObject* {
    if (PySlice_Check(key)) return items(index_of(self), key);
    Py_ssize_t line = PyNumber_AsSsize_t(key, PyExc_IndexError);
    if (line == -1 && PyErr_Occurred() != nullptr) throw nb::python_error();
    return item(self, line < 0 ? line + length(self) : line);
  });
}

PyObject* iterate(PyObject* self) {
  return guarded([self] {
    auto* const made = new index_iterator(opened_index(self), text_maker());
    return nb::cast(made, nb::rv_policy::take_ownership).release().ptr();
  });
}

int get_buffer(PyObject* self, Py_buffer* view, int flags) {
  return index_of(self).get_buffer(self, view, flags);
}

// There is no tp_clear: an index of memory that is no more would read it.
PyType_Slot slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverse<line_index>)},
                       {Py_tp_new, reinterpret_cast<void*>(refuse_new)},
                       {Py_tp_iter, reinterpret_cast<void*>(iterate)},
                       {Py_sq_length, reinterpret_cast<void*>(length)},
                       {Py_mp_length, reinterpret_cast<void*>(length)},
                       {Py_sq_item, reinterpret_cast<void*>(item)},
                       {Py_mp_subscript, reinterpret_cast<void*>(subscript)},
                       {Py_bf_getbuffer, reinterpret_cast<void*>(get_buffer)},
                       {0, nullptr}};

nb::str description(const line_index& index) {
  return nb::str(nb::str("<LineIndex of {!r}: {} lines>").format(name_text(index.name()), index.size()));
}

line_index* index_lines(const read_options& reading, const source_object& source,
                        const byte_object& delimiter, bool keep_delimiter, int threads) {
  const line_options options{.delimiter = byte_of(delimiter, "delimiter"), .keep_delimiter = keep_delimiter};
  python_input input(source, reading.method, {.delimiter = options.delimiter});
  line_offsets offsets = read_whole(input, threads, reading,
                                    [&](const riffle::input& from, unsigned count, const read_options& with) {
                                      return line_offsets(from, options, count, with);
                                    });
  return new line_index(std::move(input), std::move(offsets));
}

}  // namespace

void register_line_index(nb::module_& module) {
  define_iterator<index_iterator>(module, "_LineIndexIterator", "class _LineIndexIterator(object)",
                                  "Iterates over the lines of a LineIndex.");
  nb::class_<line_index>(module, "LineIndex", nb::type_slots(slots),
                         R"(The lines of a source by their numbers, made by riffle_io.line_index.

index[n] is line n as bytes, index[-1] the last one, index[a:b] a list of lines, len(index) their number.
A line is read from the file when you ask for it. Raises IndexError for a line that does not exist, and
RiffleError if the file changed since it was indexed, or if the source was compressed, a pipe or a file
object that Python reads.

By the buffer protocol it is a read-only array of len(index) + 1 offsets, uint64: where each line starts,
and where the last one ends. numpy.asarray(index) makes no copy.

The index has a descriptor of its own, which it closes when it goes. Threads may share an index.)")
      .def("__repr__", description);
  define_whole(module, "line_index", index_lines,
               "Reads a source once and returns a LineIndex, which knows where each line starts.\n\n"
               "delimiter is the byte that ends a line. keep_delimiter: lines keep their delimiter.",
               nb::arg("delimiter") = nb::bytes("\n", 1), nb::arg("keep_delimiter") = false, nb::kw_only());
}

}  // namespace riffle::python
