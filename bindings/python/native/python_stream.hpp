/// Reads a Python file object block by block.
#pragma once

#include <nanobind/nanobind.h>

#include <cstring>
#include <exception>
#include <istream>
#include <streambuf>
#include <string>
#include <string_view>
#include <utility>

#include "bindings/python/native/errors.hpp"
#include "bindings/python/native/interpreter.hpp"

namespace riffle::python {

/// Reads a Python file object by the function that riffle_io._files names: `readinto1`, `readinto` or `read`,
/// or `take_range` of riffle_io._ranges. Any thread may read, without the GIL. A read waits for a
/// file that has no bytes now, as a non-blocking one, until Python's handler of a signal raises.
///
/// Throws `python_failure` if the object raises an exception.
class python_stream final : private std::streambuf {
 public:
  /// `own_name` is the name of the input in messages if riffle made `file` itself. Then an OSError of it
  /// becomes a RiffleError, and reading may continue after an exception, as `file` loses no bytes by it. It
  /// is empty for the user's file. Make and destroy it with the GIL held.
  python_stream(nanobind::handle file, const std::string& function, std::string own_name)
      : file_(nanobind::borrow(file)),
        read_(file.attr(function.c_str())),
        fills_(function != "read"),
        takes_ranges_(function == "take_range"),
        own_name_(std::move(own_name)),
        stream_(this) {}

  ~python_stream() override {
    if (range_.obj != nullptr) PyBuffer_Release(&range_);
  }
  python_stream(const python_stream&) = delete;
  python_stream& operator=(const python_stream&) = delete;

  std::istream& stream() noexcept { return stream_; }
  int visit(visitproc visit, void* arg) const {
    Py_VISIT(file_.ptr());
    Py_VISIT(read_.ptr());
    return 0;
  }

 private:
  static nanobind::object module_of_files() { return imported("riffle_io._files"); }

  // Returns the number of bytes that `readinto` put at `to`.
  static Py_ssize_t fill(const nanobind::object& read, char* to, Py_ssize_t size) {
    const nanobind::object view = nanobind::steal(PyMemoryView_FromMemory(to, size, PyBUF_WRITE));
    if (!view.is_valid()) throw nanobind::python_error();
    nanobind::object count;
    const std::exception_ptr failure = failure_of([&] { count = read(view); });
    view.attr("release")();  // the object may have kept the view, but the memory is riffle's
    if (failure != nullptr) std::rethrow_exception(failure);
    if (count.is_none()) return -1;
    const Py_ssize_t number = PyLong_AsSsize_t(count.ptr());
    if (number == -1 && PyErr_Occurred() != nullptr) throw nanobind::python_error();
    return number < 0 ? size + 1 : number;  // both are wrong
  }

  // Returns the number of bytes that `read` returned and that now stand at `to`.
  static Py_ssize_t copy(const nanobind::object& read, char* to, Py_ssize_t size) {
    const nanobind::object bytes = read(size);
    if (bytes.is_none()) return -1;
    if (PyUnicode_Check(bytes.ptr())) {
      raise(PyExc_TypeError, "the file object returned str: open it in binary mode ('rb')");
    }
    Py_buffer buffer;
    if (PyObject_GetBuffer(bytes.ptr(), &buffer, PyBUF_SIMPLE) != 0) throw nanobind::python_error();
    const Py_ssize_t count = buffer.len;
    if (count <= size && count > 0) std::memcpy(to, buffer.buf, static_cast<std::size_t>(count));
    PyBuffer_Release(&buffer);
    return count;
  }

  // Returns the number of bytes that now stand at `to`; -1 if the object has none yet.
  Py_ssize_t get_now(char* to, Py_ssize_t size) {
    if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
    if (failed_) raise(PyExc_ValueError, "the file object raised an exception before");
    const bool own = !own_name_.empty();
    failed_ = !own;
    Py_ssize_t count = 0;
    const auto read = [&] { count = fills_ ? fill(read_, to, size) : copy(read_, to, size); };
    try {
      own ? as_riffle_error("read", own_name_, read) : read();
      if (count == 0 && !own) module_of_files().attr("require_whole")(file_);
    } catch (const nanobind::python_error& raised) {
      refuse_stop_iteration(raised, "the file object");
      if (!raised.matches(PyExc_BlockingIOError)) throw;
      count = -1;
    }
    failed_ = false;
    if (count > size) raise(PyExc_ValueError, "the file object returned a wrong number of bytes");
    return count;
  }

  Py_ssize_t get(char* to, Py_ssize_t size) {
    bool again = false;
    while (true) {
      const Py_ssize_t count = get_now(to, size);
      if (count != -1) return count;
      module_of_files().attr("wait_for")(file_, std::exchange(again, true));
    }
  }

  void take_range() {
    if (range_.obj != nullptr) PyBuffer_Release(&range_);
    rest_ = {};
    if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
    if (failed_) raise(PyExc_ValueError, "the file object raised an exception before");
    failed_ = true;
    const nanobind::object bytes = read_();
    if (PyObject_GetBuffer(bytes.ptr(), &range_, PyBUF_SIMPLE) != 0) throw nanobind::python_error();
    failed_ = false;
    rest_ = {static_cast<const char*>(range_.buf), static_cast<std::size_t>(range_.len)};
  }

  // Takes the GIL once a range: what receives the next ranges needs it too.
  std::streamsize copy_of_range(char* to, std::streamsize size) {
    if (rest_.empty()) {
      const std::exception_ptr failure = with_gil([this] { take_range(); });
      if (failure != nullptr) throw python_failure(failure);
    }
    const std::size_t count = rest_.copy(to, static_cast<std::size_t>(size));
    rest_.remove_prefix(count);
    return static_cast<std::streamsize>(count);
  }

  std::streamsize xsgetn(char* to, std::streamsize size) override {
    if (takes_ranges_) return copy_of_range(to, size);
    Py_ssize_t count = 0;
    const std::exception_ptr failure = with_gil([&] { count = get(to, size); });
    if (failure != nullptr) throw python_failure(failure);
    return count;
  }

  nanobind::object file_;
  nanobind::object read_;  // the bound function
  bool fills_;             // whether `read_` fills a buffer, instead of returning bytes
  bool takes_ranges_;
  Py_buffer range_ = {};
  std::string_view rest_;  // of the range
  std::string own_name_;
  bool failed_ = false;  // whether bytes may be lost
  std::istream stream_;
};

}  // namespace riffle::python
