/// Offers a Python file object as a stream, for the objects that only Python can read.
#ifndef RIFFLE_PYTHON_PYTHON_STREAM_HPP
#define RIFFLE_PYTHON_PYTHON_STREAM_HPP

#include <nanobind/nanobind.h>

#include <istream>
#include <streambuf>

namespace riffle::python {

/// Reads a Python file object by its `readinto1`, `readinto` or `read`. Any thread may read, without the GIL.
///
/// Throws `python_failure` if the object raises an exception.
class python_stream final : private std::streambuf {
 public:
  /// Raises `TypeError` if `file` has none of the three functions. Make and destroy it with the GIL held.
  explicit python_stream(nanobind::handle file);

  std::istream& stream() noexcept { return stream_; }

 private:
  std::streamsize xsgetn(char* to, std::streamsize size) override;

  nanobind::object read_;  // the bound function
  bool fills_ = false;     // whether `read_` fills a buffer, instead of returning bytes
  std::istream stream_;
};

}  // namespace riffle::python

#endif
