/// Makes the Python objects of records that are views: bytes or str.
#pragma once

#include <nanobind/nanobind.h>

#include <string_view>
#include <utility>

#include "bindings/python/native/decoder.hpp"
#include "bindings/python/native/recycled.hpp"

namespace riffle::python {

/// Makes str if there is an encoding, else bytes.
class text_maker {
 public:
  explicit text_maker(decoder decode = {}) : decode_(std::move(decode)) {}

  /// Is called before the first record of an input is made. Returns whether that is a byte order mark alone,
  /// and is to be dropped.
  template <class Opened>
  bool start(Opened& opened, std::string_view first) {
    decode_.start(opened.starts_inside());
    if (!decode_.is_mark(first) || opened.is_record(first)) return false;
    decode_.start(true);
    return true;
  }
  /// A codec may run code, but gets a copy of the record.
  static constexpr bool runs_code() noexcept { return false; }
  const decoder& decode() const noexcept { return decode_; }

  [[gnu::always_inline]] PyObject* operator()(std::string_view record) noexcept {
    if (!decode_.text()) {
      if (bytes_.takes(record.size())) [[likely]]
        return bytes_(record);
      return PyBytes_FromStringAndSize(record.data(), static_cast<Py_ssize_t>(record.size()));
    }
    if (decode_.keeps_ascii() && ascii_.takes(record.size())) {
      PyObject* const ascii = ascii_(record);
      if (ascii != nullptr) [[likely]]
        return ascii;
      PyErr_Clear();  // of no memory: the next try says so again
    }
    return decode_(record);
  }

 private:
  decoder decode_;
  recycled<bytes_layout> bytes_;  // one of the two is used
  recycled<ascii_layout> ascii_;
};

}  // namespace riffle::python
