/// Turns `riffle::error` into `riffle_io.RiffleError`, which the Python file riffle_io/_errors.py defines.
#include "bindings/python/native/errors.hpp"

#include <nanobind/stl/string.h>
#include <riffle/error.hpp>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <string_view>
#include <system_error>

#include "bindings/python/native/interpreter.hpp"

namespace nb = nanobind;

namespace riffle::python {

namespace {

// The errno of a code of the system, or the one that the code of riffle compares equal to.
int errno_of(const std::error_code& code) {
  const std::error_condition condition = code.default_error_condition();
  return condition.category() == std::generic_category() ? condition.value() : EIO;
}

nb::object object_of(std::optional<std::uint64_t> offset) {
  if (!offset) return nb::none();
  return nb::int_(*offset);
}

// A remedy to Python. The words end a message, with its value in quotes after "="; where there are none,
// those of C++ do.
struct python_remedy {
  const char* name;
  std::string_view words = {};
};

constexpr std::array<python_remedy, 13> remedies{
    {{"none"},
     {"use_method", "use method="},
     {"use_decoding", "use decode="},
     {"use_blocks", "read it by riffle_io.lines"},
     {"smaller_block_size"},
     {"set_max_length", "set max_length=... to refuse a record this long"},
     {"larger_max_length"},
     {"larger_max_size"},
     {"larger_split_size"},
     {"fewer_threads"},
     {"name_null", "if it stands for no value, name it in null=[...]"},
     {"one_decode_thread", "open it again"},
     {"fewer_bytes"}}};
static_assert(remedies.size() == static_cast<std::size_t>(advice::fewer_bytes) + 1);

const python_remedy& remedy_of(const error& failure) {
  return remedies[static_cast<std::size_t>(failure.remedy().what)];
}

std::string message_of(const error& failure) {
  const python_remedy& helps = remedy_of(failure);
  const std::string value(failure.remedy().value);
  const bool takes_value = helps.words.ends_with('=');
  if (helps.words.empty() || (takes_value && value.empty())) return failure.what();
  return failure.message() + "; " + std::string(helps.words) + (takes_value ? '"' + value + '"' : "");
}

void set_riffle_error(const error& failure) {
  const auto [what, value] = failure.remedy();
  const nb::str path = name_text(failure.path());
  const nb::str message = name_text(message_of(failure));
  nb::object remedy = nb::none();
  if (what != advice::none)
    remedy = nb::make_tuple(remedy_of(failure).name, nb::str(value.data(), value.size()));
  const nb::object made =
      imported("riffle_io._errors")
          .attr("make_error")(errno_of(failure.code()), message, path, object_of(failure.offset()),
                              failure.operation().c_str(), object_of(failure.compressed_offset()),
                              failure.code() == errc::unexpected_end, remedy);
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(made.ptr())), made.ptr());
}

}  // namespace

nb::str name_text(std::string_view bytes) {
  const auto size = static_cast<Py_ssize_t>(bytes.size());
  auto text = nb::steal<nb::str>(PyUnicode_DecodeFSDefaultAndSize(bytes.data(), size));
  if (!text.is_valid()) throw nb::python_error();
  return text;
}

void raise(PyObject* type, const std::string& message) {
  PyErr_SetString(type, message.c_str());
  throw nb::python_error();
}

void refuse(std::string_view rule, std::string_view given) {
  raise(PyExc_ValueError, std::string(rule) + ", not '" + std::string(given) + "'");
}

void raise_riffle_error(std::string_view operation, std::string_view name, int error_number) {
  set_riffle_error(error({error_number, std::generic_category()}, operation, name));
  throw nb::python_error();
}

void warn(const error& failure) {
  if (PyErr_WarnFormat(PyExc_UserWarning, 1, "%U", name_text(message_of(failure)).ptr()) != 0) {
    throw nb::python_error();
  }
}

std::string_view utf8_of(const nb::str& text) {
  const char* const utf8 = text.c_str();
  if (utf8 == nullptr) throw nb::python_error();
  return utf8;
}

int errno_of(const nb::python_error& raised) {
  if (!raised.matches(PyExc_OSError)) return 0;
  const nb::object number = nb::getattr(raised.value(), "errno", nb::none());
  return PyLong_Check(number.ptr()) ? nb::cast<int>(number) : 0;
}

void refuse_stop_iteration(const nb::python_error& raised, const char* by) {
  if (!raised.matches(PyExc_StopIteration)) return;
  const nb::object made = nb::handle(PyExc_RuntimeError)(std::string(by) + " raised StopIteration");
  PyException_SetCause(made.ptr(), nb::borrow(raised.value()).release().ptr());
  PyErr_SetObject(PyExc_RuntimeError, made.ptr());
  throw nb::python_error();
}

PyObject* refuse_new(PyTypeObject*, PyObject*, PyObject*) noexcept {
  PyErr_SetString(PyExc_TypeError,
                  "cannot create such instances: call the function of riffle_io that returns them");
  return nullptr;
}

nb::object exception_of(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const python_failure& passed) {
    return exception_of(passed.raised());
  } catch (const nb::python_error& raised) {
    return nb::borrow(raised.value());
  } catch (...) {
    return {};
  }
}

bool is_of_python(const std::exception_ptr& failure) noexcept {
  try {
    std::rethrow_exception(failure);
  } catch (const python_failure&) {
    return true;
  } catch (const nb::python_error&) {
    return true;
  } catch (...) {
    return false;
  }
}

void set_python_error(const std::exception_ptr& failure) noexcept {
  try {
    try {
      std::rethrow_exception(failure);
    } catch (const error& raised) {
      set_riffle_error(raised);
    } catch (const python_failure& passed) {
      std::rethrow_exception(passed.raised());
    }
  } catch (nb::python_error& raised) {
    raised.restore();
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::exception& raised) {
    PyErr_SetString(PyExc_RuntimeError, raised.what());
  } catch (...) {
    PyErr_SetString(PyExc_RuntimeError, "unknown C++ exception");
  }
}

failure_text text_of(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const python_failure& passed) {
    return text_of(passed.raised());
  } catch (const error& raised) {
    return {errno_of(raised.code()), message_of(raised)};
  } catch (const std::system_error& raised) {
    return {errno_of(raised.code()), raised.what()};
  } catch (const std::bad_alloc&) {
    return {ENOMEM, "no memory"};
  } catch (const std::exception& raised) {
    return {EIO, raised.what()};
  }
}

void register_errors(nb::module_&) {
  nb::register_exception_translator([](const std::exception_ptr& failure, void*) {
    try {
      std::rethrow_exception(failure);
    } catch (const error&) {
      set_python_error(failure);
    } catch (const python_failure&) {
      set_python_error(failure);
    }
  });
}

}  // namespace riffle::python
