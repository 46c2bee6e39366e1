/// Defines values and sum: the numbers of a whole input as an array, their sum, and the names of their types.
#include "bindings/python/native/whole/read_whole.hpp"

#include <riffle/count.hpp>
#include <riffle/error.hpp>
#include <riffle/parallel.hpp>

#include <nanobind/nanobind.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "bindings/python/native/errors.hpp"
#include "bindings/python/native/interpreter.hpp"
#include "kernel/kernels.hpp"
#include "os/growing_array.hpp"

namespace nb = nanobind;

namespace riffle::python {

namespace {

struct named_type {
  std::string_view name;
  std::string_view code;  // after a byte order
  std::size_t size;
  const char* format;
  std::optional<detail::element> kind;
};

using enum detail::element;

static_assert(sizeof(long) == 8, "numpy's 64-bit integers are 'l' and 'L' where a long has 64 bits");
constexpr std::array<named_type, 12> types{{{"int8", "i1", 1, "b", i8},
                                            {"uint8", "u1", 1, "B", u8},
                                            {"int16", "i2", 2, "h", i16},
                                            {"uint16", "u2", 2, "H", u16},
                                            {"int32", "i4", 4, "i", i32},
                                            {"uint32", "u4", 4, "I", u32},
                                            {"int64", "i8", 8, "l", i64},
                                            {"uint64", "u8", 8, "L", u64},
                                            {"float16", "f2", 2, "e", std::nullopt},
                                            {"float32", "f4", 4, "f", f32},
                                            {"float64", "f8", 8, "d", f64},
                                            {"bool", "b1", 1, "?", std::nullopt}}};

// The name of a type: a string, the member `str` of a numpy.dtype, or the name of a class of numpy.
std::string name_of(nb::handle dtype) {
  for (const char* member : {"str", "__name__"}) {
    if (PyUnicode_Check(dtype.ptr())) break;
    const nb::object name = nb::getattr(dtype, member, nb::none());
    if (PyUnicode_Check(name.ptr())) return std::string(utf8_of(nb::str(name)));
  }
  if (PyUnicode_Check(dtype.ptr())) return std::string(utf8_of(nb::borrow<nb::str>(dtype)));
  raise(PyExc_TypeError,
        std::string("dtype must be str or a dtype of numpy, not ") + nb::type_name(dtype.type()).c_str());
}

std::endian order_of(nb::handle order, char prefix) {
  const std::endian named = prefix == '<'   ? std::endian::little
                            : prefix == '>' ? std::endian::big
                                            : std::endian::native;
  if (order.is_none()) return named;
  const std::string name(utf8_of(nb::str(order)));
  if (name != "little" && name != "big") {
    raise(PyExc_ValueError, "order must be 'little', 'big' or None, not '" + name + "'");
  }
  const std::endian asked = name == "big" ? std::endian::big : std::endian::little;
  if ((prefix == '<' || prefix == '>') && named != asked) {
    raise(PyExc_ValueError, "order and dtype name different byte orders");
  }
  return asked;
}

// What the stubs call the results.
class memory_view : public nb::object {
  NB_OBJECT(memory_view, nb::object, "memoryview", PyMemoryView_Check)
};
bool is_number(PyObject* value) {
  return PyLong_Check(value) || PyFloat_Check(value);
}
class number : public nb::object {
  NB_OBJECT(number, nb::object, "int | float", is_number)
};

// The class riffle_io._riffle.Values, which owns what a memoryview shows.
struct value_array {
  os::growing_array<char> bytes;
  array_shape shape;
};

int get_buffer(PyObject* self, Py_buffer* view, int flags) {
  value_array& array = *nb::inst_ptr<value_array>(self);
  return array.shape.fill(view, self, array.bytes.data(), false, flags);
}

PyType_Slot slots[] = {{Py_tp_new, reinterpret_cast<void*>(refuse_new)},
                       {Py_bf_getbuffer, reinterpret_cast<void*>(get_buffer)},
                       {0, nullptr}};

// Copies values, each in the byte order of this machine.
void copy(const element_type& type, std::string_view from, char* to) noexcept {
  if (from.empty()) return;
  const kernel::table& kernel = kernel::active();
  const bool swaps = type.order != std::endian::native;
  if (swaps && type.size == 2) return kernel.reverse_16(from.data(), from.size(), to);
  if (swaps && type.size == 4) return kernel.reverse_32(from.data(), from.size(), to);
  if (swaps && type.size == 8) return kernel.reverse_64(from.data(), from.size(), to);
  std::memcpy(to, from.data(), from.size());
}

// Reads the values of an input to its end. The threads put those that the size of the input foretells to
// their places. What comes after them is appended in order: all values of a pipe, what was added to a file.
class value_reader {
 public:
  value_reader(source opened, const element_type& type, unsigned threads)
      : opened_(std::move(opened)), type_(type), threads_(threads), start_(opened_.start()) {}

  os::growing_array<char> read() {
    try {
      return read_all();
    } catch (const std::bad_alloc&) {
      throw error(std::make_error_code(std::errc::not_enough_memory), "read", name_, std::nullopt,
                  "the array needs the memory of all values");
    }
  }

 private:
  struct part {
    std::size_t placed = 0;
    os::growing_array<char> rest;  // after the foretold values
  };

  os::growing_array<char> read_all() {
    const std::size_t size = type_.size;
    if (opened_.seekable() && opened_.size_hint() > start_) {
      foretold_ = static_cast<std::size_t>((opened_.size_hint() - start_) / size * size);
    }
    all_.resize(foretold_);
    os::growing_array<char> behind;
    os::growing_array<char>& rest = threads_ == 1 ? all_ : behind;  // others may be writing to `all_`
    const auto map = [this](const block& split) { return take(split); };
    const auto combine = [&rest](std::size_t placed, const part& added) {
      rest.append({added.rest.data(), added.rest.size()});
      return placed + added.placed;
    };
    std::size_t placed = 0;
    parallel_reduce_into(placed, std::move(opened_), map, combine,
                         {.threads = threads_, .delimiter = std::nullopt, .record_size = size});
    if (placed < foretold_) all_.resize(placed);  // the size was wrong, as those in /sys are
    all_.append({behind.data(), behind.size()});
    all_.shrink();
    return std::move(all_);
  }

  part take(const block& split) {
    const std::size_t size = type_.size;
    if (const std::size_t cut = split.size() % size; cut != 0) {
      throw error(errc::partial_value, "read", name_, split.offset + split.size() - cut);
    }
    const std::uint64_t place = split.offset - start_;
    part result;
    if (place < foretold_) {
      result.placed = static_cast<std::size_t>(std::min<std::uint64_t>(split.size(), foretold_ - place));
      copy(type_, split.bytes.substr(0, result.placed), all_.data() + place);
    }
    const std::string_view rest = split.bytes.substr(result.placed);
    result.rest.resize(rest.size());
    copy(type_, rest, result.rest.data());
    return result;
  }

  source opened_;
  const element_type& type_;
  unsigned threads_;
  std::uint64_t start_;
  std::string name_ = opened_.name();
  std::size_t foretold_ = 0;
  os::growing_array<char> all_;
};

memory_view values(const reading_options& reading, const source_object& from, nb::handle dtype,
                   nb::handle order, int threads) {
  const element_type type = element_type_of(dtype, order);
  const python_input input(from, reading.method, {.delimiter = std::nullopt, .record_size = type.size});
  os::growing_array<char> bytes = read_whole(
      input, threads, reading, [&](const riffle::input& place, unsigned count, const read_options& with) {
        return value_reader(source(place, with), type, count).read();
      });
  const auto size = static_cast<Py_ssize_t>(type.size);
  const auto count = static_cast<Py_ssize_t>(bytes.size()) / size;
  auto made = std::make_unique<value_array>(value_array{std::move(bytes), {type.format, size, count}});
  const nb::object array = nb::cast(made.release(), nb::rv_policy::take_ownership);
  return nb::steal<memory_view>(PyMemoryView_FromObject(array.ptr()));
}

// Python's integers have no limit, so the sum of integers cannot overflow.
number number_of(const detail::sum_state& sum, const element_type& type) {
  if (type.kind == detail::element::f32 || type.kind == detail::element::f64) {
    return nb::borrow<number>(nb::float_(sum.float_result()));
  }
  const auto [low, high] = sum.exact_result();
  if (high == 0) return nb::borrow<number>(nb::int_(low));
  return nb::borrow<number>((nb::int_(static_cast<std::int64_t>(high)) << nb::int_(64)) + nb::int_(low));
}

number sum(const reading_options& reading, const source_object& from, nb::handle dtype, nb::handle order,
           int threads) {
  const element_type type = element_type_of(dtype, order);
  if (!type.kind) raise(PyExc_ValueError, "sum adds integers, float32 and float64");
  const python_input input(from, reading.method, {.delimiter = std::nullopt, .record_size = type.size});
  const detail::sum_state total = read_whole(
      input, threads, reading, [&](const riffle::input& place, unsigned count, const read_options& with) {
        return detail::sum_input(*type.kind, place, {.order = type.order, .threads = count}, with);
      });
  return number_of(total, type);
}

}  // namespace

element_type element_type_of(nb::handle dtype, nb::handle order) {
  const std::string name = name_of(dtype);
  const std::size_t prefix = std::string_view(name).find_first_not_of("<>=|");
  const std::string_view code = std::string_view(name).substr(prefix == 1 ? 1 : 0);
  for (const named_type& type : types) {
    if (code == type.name || code == type.code || (type.format == std::string_view("?") && code == "?")) {
      return {type.kind, type.size, type.format, order_of(order, prefix == 1 ? name.front() : '=')};
    }
  }
  raise(PyExc_ValueError, "unknown dtype '" + name +
                              "': give int8, int16, int32, int64, uint8, uint16, uint32, uint64, float16, "
                              "float32, float64 or bool; numpy.frombuffer reads structs of uint8");
}

void register_values(nb::module_& module) {
  const nb::class_<value_array> memory(module, "_Values", nb::type_slots(slots),
                                       "Holds the memory that a memoryview of values shows.");
  define_whole(
      module, "values", for_bytes, values,
      "Returns all numbers of a source as a memoryview, in the byte order of this machine.\n\n"
      "dtype is \"int8\", \"int16\", \"int32\", \"int64\", \"uint8\" to \"uint64\", \"float16\",\n"
      "\"float32\", \"float64\", \"bool\", a code such as \"<u4\" or \">f8\", or a dtype of numpy. order is\n"
      "the byte order of the source: \"little\", \"big\", or None for what dtype says, else that of\n"
      "this machine.\n\n"
      "numpy.asarray(values) makes no copy. The memory is writable. It lives as long as a view of it.\n\n"
      "Raises RiffleError with the offset if the source ends inside a number.",
      nb::arg("dtype").none(), nb::kw_only(), nb::arg("order") = nb::none());
  define_whole(module, "sum", for_bytes, sum,
               "Returns the sum of all numbers of a source: an int, or a float for a dtype of floats.\n\n"
               "The sum of integers is exact, however large it is. Floats are added by one thread to 32\n"
               "partial sums of 64 bits, so the result does not depend on threads, method or block_size.\n"
               "dtype and order are those of riffle_io.values.\n\n"
               "Raises RiffleError with the offset if the source ends inside a number.",
               nb::arg("dtype").none(), nb::kw_only(), nb::arg("order") = nb::none());
}

}  // namespace riffle::python
