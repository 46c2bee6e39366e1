/// Reads a Python file object block by block.
#include "bindings/python/native/python_stream.hpp"

#include <cstring>

#include "bindings/python/native/errors.hpp"

namespace nb = nanobind;

namespace riffle::python {

namespace {

// Returns the number of bytes that `readinto` put at `to`.
Py_ssize_t fill(const nb::object& read, char* to, Py_ssize_t size) {
  const nb::object view = nb::steal(PyMemoryView_FromMemory(to, size, PyBUF_WRITE));
  if (!view.is_valid()) throw nb::python_error();
  const nb::object count = read(view);
  view.attr("release")();  // the object may have kept the view, but the memory is riffle's
  if (count.is_none()) return -1;
  return nb::cast<Py_ssize_t>(count);
}

// Returns the number of bytes that `read` returned and that now stand at `to`.
Py_ssize_t copy(const nb::object& read, char* to, Py_ssize_t size) {
  const nb::object bytes = read(size);
  if (bytes.is_none()) return -1;
  if (PyUnicode_Check(bytes.ptr())) {
    raise(PyExc_TypeError, "the file object returned str: open it in binary mode ('rb')");
  }
  Py_buffer buffer;
  if (PyObject_GetBuffer(bytes.ptr(), &buffer, PyBUF_SIMPLE) != 0) throw nb::python_error();
  const Py_ssize_t count = buffer.len;
  if (count <= size && count > 0) std::memcpy(to, buffer.buf, static_cast<std::size_t>(count));
  PyBuffer_Release(&buffer);
  return count;
}

}  // namespace

python_stream::python_stream(nb::handle file) : stream_(this) {
  for (const char* name : {"readinto1", "readinto", "read"}) {
    if (!nb::hasattr(file, name)) continue;
    read_ = file.attr(name);
    fills_ = std::strcmp(name, "read") != 0;
    return;
  }
  raise(PyExc_TypeError, "the file object has no function read");
}

std::streamsize python_stream::xsgetn(char* to, std::streamsize size) {
  const nb::gil_scoped_acquire gil;
  try {
    const Py_ssize_t count = fills_ ? fill(read_, to, size) : copy(read_, to, size);
    if (count < 0) {
      raise(PyExc_BlockingIOError, "the file object is non-blocking, and has no bytes now");
    }
    if (count > size) raise(PyExc_ValueError, "the file object returned more bytes than it was asked for");
    return count;
  } catch (...) {
    throw python_failure(std::current_exception());
  }
}

}  // namespace riffle::python
