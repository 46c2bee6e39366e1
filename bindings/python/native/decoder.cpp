/// Decodes records as `open` decodes lines.
#include "bindings/python/native/decoder.hpp"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "bindings/python/native/errors.hpp"
#include "bindings/python/native/imported.hpp"

namespace nb = nanobind;

namespace riffle::python {

namespace {

// The name of the usual codec is known: to ask Python takes a tenth of a call that reads few bytes.
std::string codec_name(const std::string& encoding, std::string_view delimiters) {
  const auto is_ascii = [](char byte) { return static_cast<unsigned char>(byte) < 0x80; };
  if (encoding == "utf-8" && std::ranges::all_of(delimiters, is_ascii)) return encoding;
  return nb::cast<std::string>(imported("riffle_io._text")
                                   .attr("codec_name")(nb::str(encoding.data(), encoding.size()),
                                                       nb::bytes(delimiters.data(), delimiters.size())));
}

}  // namespace

decoder::decoder(const std::string& encoding, std::string errors, std::string_view delimiters)
    : encoding_(codec_name(encoding, delimiters)), errors_(std::move(errors)) {
  if (encoding_.starts_with("utf-16") || encoding_.starts_with("utf-32")) {
    recoded_from_ = std::exchange(encoding_, "utf-8");
    recoded_errors_ = std::exchange(errors_, errors_.starts_with("surrogate") ? "surrogatepass" : "strict");
  }
  with_mark_ = encoding_ == "utf-8-sig";
  utf8_ = with_mark_ || encoding_ == "utf-8";
  ascii_ = utf8_ || encoding_ == "ascii" || encoding_ == "iso8859-1";
}

nb::object decoder::source_of(nb::handle source, const read_options& reading) const {
  if (recoded_from_.empty()) return nb::borrow(source);
  if (reading.decode != decoding::none && reading.decode != decoding::automatic) {
    raise(PyExc_ValueError,
          "compressed text in " + recoded_from_ + " is not decoded: pass gzip.open(path) or the like");
  }
  return imported("riffle_io._text").attr("Recoded")(source, recoded_from_, recoded_errors_);
}

std::string decoder::encode(std::string text) const {
  if (encoding_.empty() || utf8_) return text;
  const nb::str decoded(text.data(), text.size());
  const auto encoded = nb::cast<nb::bytes>(decoded.attr("encode")(encoding_, errors_));
  return {encoded.c_str(), encoded.size()};
}

PyObject* decoder::operator()(std::string_view record) noexcept {
  if (std::exchange(drops_mark_, false) && record.starts_with(detail::byte_order_mark))
    record.remove_prefix(detail::byte_order_mark.size());
  const auto size = static_cast<Py_ssize_t>(record.size());
  if (utf8_) return PyUnicode_DecodeUTF8(record.data(), size, errors_.c_str());
  // A codec written in Python may let another thread read on meanwhile, over these bytes: it gets a copy.
  const nb::object copy = nb::steal(PyBytes_FromStringAndSize(record.data(), size));
  if (!copy.is_valid()) return nullptr;
  return PyUnicode_FromEncodedObject(copy.ptr(), encoding_.c_str(), errors_.c_str());
}

decoder decoder_of(const std::optional<std::string>& encoding, const std::string& errors,
                   std::string_view delimiters) {
  if (!encoding && errors != "strict") {
    raise(PyExc_ValueError, "errors needs an encoding: without one, the records are bytes");
  }
  return encoding ? decoder(*encoding, errors, delimiters) : decoder();
}

}  // namespace riffle::python
