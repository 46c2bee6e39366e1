/// Makes the str of a record by an encoding.
#ifndef RIFFLE_PYTHON_DECODER_HPP
#define RIFFLE_PYTHON_DECODER_HPP

#include <nanobind/nanobind.h>

#include <optional>
#include <string>
#include <string_view>

namespace riffle::python {

/// Makes the str of a record, or says that the records stay bytes.
class decoder {
 public:
  /// The records stay bytes.
  decoder() = default;
  /// The records become str. Raises `LookupError` for an unknown encoding, and `ValueError` if `delimiter`
  /// can be a part of a character in it.
  decoder(const std::string& encoding, std::string errors, char delimiter);

  /// Returns whether the records become str.
  bool text() const noexcept { return !encoding_.empty(); }

  /// Returns whether each str has the bytes of its record, which must be valid UTF-8.
  bool strict_utf8() const noexcept { return encoding_ == "utf-8" && errors_ == "strict" && !drops_mark_; }

  /// Says that the next record is not the first of its file, where a byte order mark is one.
  void start_inside() noexcept { drops_mark_ = false; }

  /// Returns a new reference to the str of a record, or nullptr with a Python exception set.
  PyObject* operator()(std::string_view record) noexcept;

 private:
  std::string encoding_;  // as Python's codecs name it; empty: none
  std::string errors_;
  // Whether the next record may start with a byte order mark, which "utf-8-sig" drops.
  bool drops_mark_ = false;
};

}  // namespace riffle::python

#endif
