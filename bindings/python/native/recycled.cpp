/// Asks the interpreter how its objects lie in memory, and decodes records as `open` decodes lines.
#include "bindings/python/native/recycled.hpp"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "base/remembered.hpp"
#include "bindings/python/native/errors.hpp"
#include "bindings/python/native/interpreter.hpp"

namespace nb = nanobind;

namespace riffle::python {

namespace {

// Whether the tests ran on this interpreter. Free-threaded builds have other objects.
bool is_tested() {
  const nb::object sys = imported("sys");
  const bool cpython = nb::cast<std::string>(sys.attr("implementation").attr("name")) == "cpython";
  const bool free_threaded = nb::cast<std::string>(sys.attr("abiflags")).find('t') != std::string::npos;
  return cpython && !free_threaded && Py_Version >= 0x030B0000 && Py_Version < 0x030E0000;
}

constexpr std::string_view text = "a probe of riffle_io";

const object_start& start_of(const nb::object& probe) noexcept {
  return *reinterpret_cast<const object_start*>(probe.ptr());
}

// Whether a new object with `text` looks as expected.
bool is_as_expected(const nb::object& probe, std::size_t header) {
  const Py_hash_t hash = PyObject_Hash(probe.ptr());
  const object_start& seen = start_of(probe);
  return seen.hash == hash && seen.head.ob_size == static_cast<Py_ssize_t>(text.size()) &&
         Py_REFCNT(probe.ptr()) == 1 &&
         std::equal(text.begin(), text.end(), reinterpret_cast<const char*>(probe.ptr()) + header);
}

// Calls `probe` once. An exception means no.
template <class Answer, class Probe>
Answer answered(remembered<Answer>& answer, Probe probe) noexcept {
  return answer.get([&] {
    Answer found{};
    static_cast<void>(failure_of([&] {
      if (is_tested()) found = probe();
    }));
    return found;
  });
}

// Returns what tells a str that is not interned from one that is, plus 1; 0 if nothing does.
unsigned probed_state(std::size_t header) {
  const auto probe = nb::steal(PyUnicode_FromStringAndSize(text.data(), text.size()));
  if (!is_as_expected(probe, header)) return 0;
  const auto state = static_cast<std::uint8_t>(start_of(probe).state);
  PyObject* same = nb::object(probe).release().ptr();
  PyUnicode_InternInPlace(&same);
  const nb::object interned = nb::steal(same);
  return static_cast<std::uint8_t>(start_of(interned).state) == state ? 0 : state + 1U;
}

// The name of the usual codec is known: to ask Python takes a tenth of a call that reads few bytes.
std::string codec_name(const std::string& encoding, std::string_view delimiters) {
  const auto is_ascii = [](char byte) { return static_cast<unsigned char>(byte) < 0x80; };
  if (encoding == "utf-8" && std::ranges::all_of(delimiters, is_ascii)) return encoding;
  return nb::cast<std::string>(imported("riffle_io._text")
                                   .attr("codec_name")(nb::str(encoding.data(), encoding.size()),
                                                       nb::bytes(delimiters.data(), delimiters.size())));
}

}  // namespace

bytes_layout::bytes_layout() noexcept {
  static constinit remembered<bool> answer;
  known = answered(answer, [] {
    return is_as_expected(nb::steal(PyBytes_FromStringAndSize(text.data(), text.size())), header);
  });
}

PyObject* bytes_layout::make(std::size_t size) noexcept {
  return PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(size));
}

ascii_layout::ascii_layout() noexcept {
  static constinit remembered<unsigned> answer;
  if (Py_Version < 0x030C0000) {
    wide_mask = ~std::uint64_t{0};
  } else {
    header = offsetof(object_start, wide);
  }
  const unsigned found = answered(answer, [this] { return probed_state(header); });
  known = found != 0;
  state = found - 1U;
}

// The stable ABI makes no str without its characters.
PyObject* ascii_layout::make(std::size_t size) noexcept {
  static constexpr std::array<char, 512> any{};
  return PyUnicode_DecodeASCII(any.data(), static_cast<Py_ssize_t>(size), nullptr);
}

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
