/// Offers a Python file object as a stream, for the objects that only Python can read.
#pragma once

#include <nanobind/nanobind.h>

#include <istream>
#include <streambuf>
#include <string>
#include <string_view>

namespace riffle::python {

/// Reads a Python file object by the function that riffle_io._files names: `readinto1`, `readinto` or `read`,
/// or `take_range` of riffle_io._ranges. Any thread may read, without the GIL. It waits for a file that has
/// no bytes now, as a non-blocking one, until Python's handler of a signal raises.
///
/// Throws `python_failure` if the object raises an exception.
class python_stream final : private std::streambuf {
 public:
  /// `own_name` is the name of the input in messages if riffle made `file` itself. Then an OSError of it
  /// becomes a RiffleError, and reading may continue after an exception, as `file` loses no bytes by it. It
  /// is empty for the user's file. Make and destroy it with the GIL held.
  python_stream(nanobind::handle file, const std::string& function, std::string own_name);
  ~python_stream() override;
  python_stream(const python_stream&) = delete;
  python_stream& operator=(const python_stream&) = delete;

  std::istream& stream() noexcept { return stream_; }
  int visit(visitproc visit, void* arg) const;

 private:
  std::streamsize xsgetn(char* to, std::streamsize size) override;
  Py_ssize_t get(char* to, Py_ssize_t size);
  Py_ssize_t get_now(char* to, Py_ssize_t size);
  std::streamsize copy_of_range(char* to, std::streamsize size);
  void take_range();

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
