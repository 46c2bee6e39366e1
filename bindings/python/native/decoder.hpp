/// Makes the str of a record by an encoding.
#ifndef RIFFLE_PYTHON_DECODER_HPP
#define RIFFLE_PYTHON_DECODER_HPP

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace riffle::python {

/// Returns whether all bytes are ASCII, faster than a call for a line.
[[gnu::always_inline]] inline bool is_ascii(std::string_view bytes) noexcept {
  const auto word = [&](std::size_t at) {
    std::uint64_t found = 0;
    std::memcpy(&found, bytes.data() + at, sizeof found);
    return found;
  };
  std::uint64_t all = 0;
  if (bytes.size() < sizeof all) {
    for (const char byte : bytes) all |= static_cast<unsigned char>(byte);
  } else {
    const std::size_t last = bytes.size() - sizeof all;
    for (std::size_t at = 0; at < last; at += sizeof all) all |= word(at);
    all |= word(last);  // which may overlap the one before
  }
  return (all & 0x8080808080808080U) == 0;
}

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

  /// Returns whether the str of a record of ASCII has its bytes.
  bool keeps_ascii() const noexcept { return utf8_ && !drops_mark_; }

  /// Returns whether each str has the bytes of its record, which must be valid UTF-8.
  bool strict_utf8() const noexcept { return utf8_ && errors_ == "strict" && !with_mark_; }

  /// Says that the next record is the first of its source, and whether that starts inside of a file, where a
  /// byte order mark is none.
  void start(bool inside) noexcept { drops_mark_ = with_mark_ && !inside; }

  /// Returns whether the next record is a byte order mark that is dropped.
  bool is_mark(std::string_view record) const noexcept { return drops_mark_ && record == mark; }

  /// Returns a new reference to the str of a record, or nullptr with a Python exception set.
  PyObject* operator()(std::string_view record) noexcept;

 private:
  static constexpr std::string_view mark = "\xEF\xBB\xBF";

  std::string encoding_;  // as Python's codecs name it; empty: none
  std::string errors_;
  bool utf8_ = false;
  bool with_mark_ = false;   // whether the codec drops a byte order mark at the start, as "utf-8-sig" does
  bool drops_mark_ = false;  // whether the next record may start with one
};

}  // namespace riffle::python

#endif
