/// Makes the str of a record by an encoding.
#pragma once

#include <nanobind/nanobind.h>
#include <riffle/detail/byte_order_mark.hpp>
#include <riffle/options.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace riffle::python {

/// Makes the str of a record, or says that the records stay bytes.
class decoder {
 public:
  /// The records stay bytes.
  decoder() = default;
  /// The records become str. Raises `LookupError` for an unknown encoding, and `ValueError` if one of
  /// `delimiters` can be a part of a character in it.
  decoder(const std::string& encoding, std::string errors, std::string_view delimiters);

  /// Returns the source to read: `source`, or a file object that gives its text in UTF-8, in which its
  /// records can be cut. Raises `ValueError` if the second is compressed or a split, and as opening it
  /// raises.
  nanobind::object source_of(nanobind::handle source, const read_options& reading) const;

  /// Returns whether the records become str.
  bool text() const noexcept { return !encoding_.empty(); }

  /// Returns whether the codec drops a byte order mark at the start of a source.
  bool drops_mark() const noexcept { return with_mark_; }

  /// Returns whether the str of a record of ASCII has its bytes.
  bool keeps_ascii() const noexcept { return ascii_ && !drops_mark_; }

  /// Returns whether each str has the bytes of its record, which must be valid UTF-8.
  bool strict_utf8() const noexcept { return utf8_ && errors_ == "strict" && !with_mark_; }

  /// Says that the next record is the first of its source, and whether that starts inside of a file, where a
  /// byte order mark is none.
  void start(bool inside) noexcept { drops_mark_ = with_mark_ && !inside; }

  /// Returns whether the next record is a byte order mark that is dropped.
  bool is_mark(std::string_view record) const noexcept {
    return drops_mark_ && record == detail::byte_order_mark;
  }

  /// Returns the bytes of a text, given in UTF-8, as records have it. Raises as `str.encode`.
  std::string encode(std::string text) const;

  /// Returns a new reference to the str of a record, or nullptr with a Python exception set.
  PyObject* operator()(std::string_view record) noexcept;

 private:
  std::string encoding_;  // as Python's codecs name it; empty: none
  std::string errors_;
  std::string recoded_from_;  // the encoding of a source that becomes UTF-8, with its errors; empty: none
  std::string recoded_errors_;
  bool utf8_ = false;
  bool ascii_ = false;       // whether the codec gives characters of ASCII for their bytes
  bool with_mark_ = false;   // whether the codec drops a byte order mark at the start, as "utf-8-sig" does
  bool drops_mark_ = false;  // whether the next record may start with one
};

/// Returns the decoder of the keywords `encoding` and `errors`, for records that are cut at each of
/// `delimiters`. Raises as `decoder` does, and `ValueError` for `errors` without an encoding.
decoder decoder_of(const std::optional<std::string>& encoding, const std::string& errors,
                   std::string_view delimiters);

}  // namespace riffle::python
