/// Defines riffle_io.line_index and the class LineIndex, on riffle::line_index.
#include <nanobind/nanobind.h>
#include <riffle/line_index.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "bindings/python/native/errors.hpp"
#include "bindings/python/native/interpreter.hpp"
#include "bindings/python/native/records/makers.hpp"
#include "bindings/python/native/records/record_iterator.hpp"
#include "bindings/python/native/records/row_arguments.hpp"
#include "bindings/python/native/whole/read_whole.hpp"

namespace nb = nanobind;

namespace riffle::python {

namespace {

// The class `riffle_io.LineIndex`.
struct indexed_source {
  indexed_source(python_input from, riffle::line_index lines)
      : input(std::move(from)),
        index(std::move(lines)),
        shape{"L", sizeof(std::uint64_t), static_cast<Py_ssize_t>(index.size()) + 1} {
    static_assert(sizeof(long) == sizeof(std::uint64_t));  // what "L" says
    if (!index.in_memory()) const python_input unused = std::move(input);
  }
  int visit(visitproc visit, void* arg) const { return input.visit(visit, arg); }
  Py_ssize_t size() const noexcept { return shape.count - 1; }

  python_input input;  // holds the memory, if the lines are there
  riffle::line_index index;
  array_shape shape;
};

// Some of the lines, in order.
class indexed_range {
 public:
  struct cursor {
    std::string_view record = {};
  };

  indexed_range(const riffle::line_index& index, Py_ssize_t first, Py_ssize_t count)
      : next_(index.begin() + first), last_(next_ + count) {}

  [[gnu::always_inline]] bool advance_in_block(cursor& at) {
    return next_ != last_ && next_.ready() && advance(at);
  }
  // Throws as `view` does; the next call tries again.
  bool advance(cursor& at) {
    if (next_ == last_) return false;
    at.record = next_.view();
    ++next_;
    return true;
  }

 private:
  riffle::line_index::iterator next_;
  riffle::line_index::iterator last_;
};

indexed_source& index_of(nb::handle self) {
  return *nb::inst_ptr<indexed_source>(self);
}

// Holds an index while its lines are read.
struct opened_index {
  static constexpr const char* what = "lines";

  explicit opened_index(nb::handle self) : held(nb::borrow(self)) {
    range.emplace(index_of(held).index, 0, index_of(held).size());
  }

  std::string name() const { return std::string(index_of(held).index.name()); }
  signal_checks& checks() const noexcept { return *signals; }
  bool in_memory() const { return index_of(held).index.in_memory(); }
  static bool starts_inside() noexcept { return false; }
  static bool is_record(std::string_view) noexcept { return true; }
  static indexed_range::cursor begin() noexcept { return {}; }
  static bool open_next() noexcept { return false; }
  int visit(visitproc visit, void* arg) const {
    Py_VISIT(held.ptr());
    return 0;
  }

  nb::object held;
  std::unique_ptr<signal_checks> signals = std::make_unique<signal_checks>();
  std::optional<indexed_range> range;
};

using index_iterator = record_iterator<opened_index, text_maker>;

Py_ssize_t length(PyObject* self) {
  return index_of(self).size();
}

// Python has added the length to a negative index.
PyObject* item(PyObject* self, Py_ssize_t line) {
  return guarded([&] {
    const indexed_source& source = index_of(self);
    if (line < 0 || line >= source.size()) raise(PyExc_IndexError, "line number out of range");
    std::string text;
    without_gil([&] { text = source.index[static_cast<std::uint64_t>(line)]; });
    return nb::bytes(text.data(), text.size()).release().ptr();
  });
}

// The lines of a slice, as a list. Neighbours are read together.
PyObject* items(PyObject* self, PyObject* slice) {
  const indexed_source& source = index_of(self);
  Py_ssize_t start = 0;
  Py_ssize_t stop = 0;
  Py_ssize_t step = 0;
  if (PySlice_Unpack(slice, &start, &stop, &step) != 0) throw nb::python_error();
  const Py_ssize_t count = PySlice_AdjustIndices(source.size(), &start, &stop, step);
  nb::list lines;
  riffle::line_index::iterator at = source.index.begin() + start;
  for (Py_ssize_t i = 0; i != count; ++i, at += step) {
    if (!at.ready()) {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      without_gil([&] { static_cast<void>(at.view()); });
    }
    const std::string_view line = at.view();
    lines.append(nb::bytes(line.data(), line.size()));
  }
  return lines.release().ptr();
}

PyObject* subscript(PyObject* self, PyObject* key) {
  return guarded([&]() -> PyObject* {
    if (PySlice_Check(key)) return items(self, key);
    const Py_ssize_t line = PyNumber_AsSsize_t(key, PyExc_IndexError);
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
  indexed_source& source = index_of(self);
  return source.shape.fill(view, self, const_cast<std::uint64_t*>(source.index.offsets().data()), true,
                           flags);
}

// There is no tp_clear: an index of memory that is no more would read it.
PyType_Slot slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverse<indexed_source>)},
                       {Py_tp_new, reinterpret_cast<void*>(refuse_new)},
                       {Py_tp_iter, reinterpret_cast<void*>(iterate)},
                       {Py_sq_length, reinterpret_cast<void*>(length)},
                       {Py_mp_length, reinterpret_cast<void*>(length)},
                       {Py_sq_item, reinterpret_cast<void*>(item)},
                       {Py_mp_subscript, reinterpret_cast<void*>(subscript)},
                       {Py_bf_getbuffer, reinterpret_cast<void*>(get_buffer)},
                       {0, nullptr}};

nb::str description(const indexed_source& source) {
  return nb::str(nb::str("<riffle_io.LineIndex of {!r}: {} lines>")
                     .format(name_text(source.index.name()), source.size()));
}

indexed_source* index_lines(const reading_options& reading, const source_object& source,
                            const byte_object& delimiter, bool keep_delimiter, int threads) {
  const line_options how{.delimiter = byte_of(delimiter, "delimiter"), .keep_delimiter = keep_delimiter};
  python_input input(source, reading.method, {.delimiter = how.delimiter});
  auto lines = read_whole(input, threads, reading,
                          [&](const riffle::input& from, unsigned count, const read_options& with) {
                            return riffle::line_index(from, how, {.threads = count, .every = 1}, with);
                          });
  return new indexed_source(std::move(input), std::move(lines));
}

}  // namespace

void register_line_index(nb::module_& module) {
  define_iterator<index_iterator>(module, "_LineIndexIterator", "class _LineIndexIterator(object)",
                                  "Iterates over the lines of a LineIndex.");
  nb::class_<indexed_source>(module, "LineIndex", nb::type_slots(slots),
                             R"(The lines of a source by their numbers, made by riffle_io.line_index.

index[n] is line n as bytes, index[-1] the last one, index[a:b] a list of lines, len(index) their number.
A line is read from the file when you ask for it. Raises IndexError for a line that does not exist, and
RiffleError if the file changed since it was indexed, or if the source was a pipe, a file object that
Python reads, or compressed, unless it is the path of a small file, of BGZF, or of xz or Zstandard of
several parts.

By the buffer protocol it is a read-only array of len(index) + 1 offsets, uint64: where each line starts,
and where the last one ends. numpy.asarray(index) makes no copy.

The index has a descriptor of its own, which it closes when it goes. Threads may share an index.)")
      .def("__repr__", description);
  define_whole(module, "line_index", for_records, index_lines,
               "Reads a source once and returns a LineIndex, which knows where each line starts.\n\n"
               "delimiter is the byte that ends a line. keep_delimiter: lines keep their delimiter.",
               nb::arg("delimiter") = nb::bytes("\n", 1), nb::arg("keep_delimiter") = false, nb::kw_only());
}

}  // namespace riffle::python
