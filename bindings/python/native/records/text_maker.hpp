/// Makes the Python objects of records that are views: bytes or str.
#ifndef RIFFLE_PYTHON_TEXT_MAKER_HPP
#define RIFFLE_PYTHON_TEXT_MAKER_HPP

#include <nanobind/nanobind.h>

#include <memory>
#include <string_view>
#include <utility>

#include "bindings/python/native/decoder.hpp"
#include "bindings/python/native/recycled.hpp"

namespace riffle::python {

/// Makes str if there is an encoding, else bytes.
class text_maker {
 public:
  explicit text_maker(decoder decode = {}) : decode_(std::move(decode)), text_(decode_.text()) {}

  /// A byte order mark is one at the start of the file only.
  template <class Range>
  void start(const Range& records) {
    if constexpr (requires { records.from(); }) decode_.start(records.from().start() != 0);
  }
  bool runs_code() const noexcept { return text_; }
  [[gnu::always_inline]] PyObject* operator()(std::string_view record) {
    return text_ ? decode_(record) : (*bytes_)(record);
  }

 private:
  decoder decode_;
  bool text_;
  std::unique_ptr<recycled_bytes> bytes_ = std::make_unique<recycled_bytes>();
};

}  // namespace riffle::python

#endif
