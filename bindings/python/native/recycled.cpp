/// Asks the interpreter how its objects lie in memory.
#include "bindings/python/native/recycled.hpp"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

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

}  // namespace riffle::python
