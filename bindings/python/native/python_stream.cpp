/// Reads a Python file object block by block.
#include "bindings/python/native/python_input.hpp"

#include <cstring>
#include <string>
#include <utility>

#include "bindings/python/native/errors.hpp"
#include "bindings/python/native/interpreter.hpp"

namespace nb = nanobind;

namespace riffle::python {

namespace {

nb::object module_of_files() {
  return imported("riffle_io._files");
}

// Returns the number of bytes that `readinto` put at `to`.
Py_ssize_t fill(const nb::object& read, char* to, Py_ssize_t size) {
  const nb::object view = nb::steal(PyMemoryView_FromMemory(to, size, PyBUF_WRITE));
  if (!view.is_valid()) throw nb::python_error();
  nb::object count;
  const std::exception_ptr failure = failure_of([&] { count = read(view); });
  view.attr("release")();  // the object may have kept the view, but the memory is riffle's
  if (failure != nullptr) std::rethrow_exception(failure);
  if (count.is_none()) return -1;
  const Py_ssize_t number = PyLong_AsSsize_t(count.ptr());
  if (number == -1 && PyErr_Occurred() != nullptr) throw nb::python_error();
  return number < 0 ? size + 1 : number;  // both are wrong
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

python_stream::python_stream(nb::handle file, const std::string& function, std::string own_name)
    : file_(nb::borrow(file)),
      read_(file.attr(function.c_str())),
      fills_(function != "read"),
      takes_ranges_(function == "take_range"),
      own_name_(std::move(own_name)),
      stream_(this) {}

python_stream::~python_stream() {
  if (range_.obj != nullptr) PyBuffer_Release(&range_);
}

int python_stream::visit(visitproc visit, void* arg) const {
  Py_VISIT(file_.ptr());
  Py_VISIT(read_.ptr());
  return 0;
}

// Returns the number of bytes that now stand at `to`; -1 if the object has none yet.
Py_ssize_t python_stream::get_now(char* to, Py_ssize_t size) {
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
  if (failed_) raise(PyExc_ValueError, "the file object raised an exception before");
  const bool own = !own_name_.empty();
  failed_ = !own;
  Py_ssize_t count = 0;
  const auto read = [&] { count = fills_ ? fill(read_, to, size) : copy(read_, to, size); };
  try {
    own ? as_riffle_error("read", own_name_, read) : read();
    if (count == 0 && !own) module_of_files().attr("require_whole")(file_);
  } catch (const nb::python_error& raised) {
    refuse_stop_iteration(raised, "the file object");
    if (!raised.matches(PyExc_BlockingIOError)) throw;
    count = -1;
  }
  failed_ = false;
  if (count > size) raise(PyExc_ValueError, "the file object returned a wrong number of bytes");
  return count;
}

Py_ssize_t python_stream::get(char* to, Py_ssize_t size) {
  bool again = false;
  while (true) {
    const Py_ssize_t count = get_now(to, size);
    if (count != -1) return count;
    module_of_files().attr("wait_for")(file_, std::exchange(again, true));
  }
}

void python_stream::take_range() {
  if (range_.obj != nullptr) PyBuffer_Release(&range_);
  rest_ = {};
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
  if (failed_) raise(PyExc_ValueError, "the file object raised an exception before");
  failed_ = true;
  const nb::object bytes = read_();
  if (PyObject_GetBuffer(bytes.ptr(), &range_, PyBUF_SIMPLE) != 0) throw nb::python_error();
  failed_ = false;
  rest_ = {static_cast<const char*>(range_.buf), static_cast<std::size_t>(range_.len)};
}

// Takes the GIL once a range: what receives the next ranges needs it too.
std::streamsize python_stream::copy_of_range(char* to, std::streamsize size) {
  if (rest_.empty()) {
    const std::exception_ptr failure = with_gil([this] { take_range(); });
    if (failure != nullptr) throw python_failure(failure);
  }
  const std::size_t count = rest_.copy(to, static_cast<std::size_t>(size));
  rest_.remove_prefix(count);
  return static_cast<std::streamsize>(count);
}

std::streamsize python_stream::xsgetn(char* to, std::streamsize size) {
  if (takes_ranges_) return copy_of_range(to, size);
  Py_ssize_t count = 0;
  const std::exception_ptr failure = with_gil([&] { count = get(to, size); });
  if (failure != nullptr) throw python_failure(failure);
  return count;
}

}  // namespace riffle::python
