/// Makes bytes objects, in the memory of those that nobody holds any more.
#ifndef RIFFLE_PYTHON_RECYCLED_BYTES_HPP
#define RIFFLE_PYTHON_RECYCLED_BYTES_HPP

#include <nanobind/nanobind.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <string_view>

#include "base/remembered.hpp"

namespace riffle::python {

/// Makes bytes objects for a loop, which drops one after it has taken the next. As `zip` does with its
/// tuples, it keeps the last two of each size, and writes the next one into that which only it refers to: to
/// free and to allocate each takes longer than to find a line. It holds 30 KiB at most. Call it with the GIL.
class recycled_bytes {
 public:
  recycled_bytes() noexcept : largest_(layout_is_known() ? largest : 0) {}
  ~recycled_bytes() {
    for (pair& each : pairs_) {
      for (PyObject* object : each.objects) Py_XDECREF(object);
    }
  }
  recycled_bytes(const recycled_bytes&) = delete;
  recycled_bytes& operator=(const recycled_bytes&) = delete;

  /// Returns a new reference, or nullptr with a Python exception set.
  [[gnu::always_inline]] PyObject* operator()(std::string_view bytes) noexcept {
    if (bytes.size() < smallest || bytes.size() > largest_) {
      return PyBytes_FromStringAndSize(bytes.data(), static_cast<Py_ssize_t>(bytes.size()));
    }
    const std::size_t kind = (bytes.size() + header) / step;  // objects of a kind take as much memory
    pair& both = pairs_[kind - header / step];
    both.last ^= 1U;
    PyObject*& object = both.objects[both.last];
    if (object == nullptr || Py_REFCNT(object) != 1) [[unlikely]] {
      PyObject* const fresh =
          PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>((kind + 1) * step - header - 1));
      if (fresh == nullptr) return nullptr;
      Py_XDECREF(object);
      object = fresh;
    }
    auto* const to = reinterpret_cast<layout*>(object);
    to->head.ob_size = static_cast<Py_ssize_t>(bytes.size());
    to->hash = -1;  // not computed yet
    std::memcpy(to->bytes, bytes.data(), bytes.size());
    to->bytes[bytes.size()] = '\0';
    Py_INCREF(object);
    return object;
  }

 private:
  // What CPython's bytes object looks like, without what only its own files see.
  struct layout {
    PyVarObject head;
    Py_hash_t hash;
    char bytes[1];
  };

  struct pair {
    std::array<PyObject*, 2> objects{};
    unsigned last = 0;
  };

  static constexpr std::size_t header = offsetof(layout, bytes);
  static constexpr std::size_t step = 16;                   // of CPython's allocator,
  static constexpr std::size_t largest = 512 - header - 1;  // and its largest object
  static constexpr std::size_t smallest = 2;                // shorter ones are shared by all
  static constexpr std::size_t kinds = 512 / step - header / step;

  // The layout is no part of the stable ABI, so the interpreter is asked.
  static bool layout_is_known() noexcept {
    static constinit remembered<bool> known;
    return known.get([] {
      PyObject* const probe = PyBytes_FromStringAndSize("probe", 5);
      if (probe == nullptr) return PyErr_Clear(), false;
      const Py_hash_t hash = PyObject_Hash(probe);
      const auto* const seen = reinterpret_cast<const layout*>(probe);
      const bool as_here = PyBytes_AsString(probe) == seen->bytes && seen->hash == hash &&
                           seen->head.ob_size == 5 && Py_REFCNT(probe) == 1;
      Py_DECREF(probe);
      return as_here;
    });
  }

  std::size_t largest_;
  std::array<pair, kinds> pairs_;
};

}  // namespace riffle::python

#endif
