/// Reads descriptions of structs, and brings the numbers of values into the byte order of this machine.
#include "bindings/python/native/whole/value_layout.hpp"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "bindings/python/native/errors.hpp"
#include "bindings/python/native/whole/element_type.hpp"
#include "kernel/kernels.hpp"

namespace nb = nanobind;

namespace riffle::python {

namespace {

nb::object member(nb::handle of, const char* name) {
  return PyType_Check(of.ptr()) != 0 ? nb::none() : nb::object(nb::getattr(of, name, nb::none()));
}

class layout_reader {
 public:
  explicit layout_reader(nb::handle order) : order_(order) {}

  // Adds a type at `offset`. Returns its size.
  std::size_t add(nb::handle dtype, std::size_t offset) {
    const deeper now(depth_);
    if (depth_ > 32) raise(PyExc_ValueError, "the structs of a dtype are too deep in each other");
    if (const nb::object parts = member(dtype, "subdtype"); !parts.is_none()) {
      return add_array(parts[0], nb::tuple(parts[1]), offset);
    }
    if (const nb::object names = member(dtype, "names"); !names.is_none()) {
      return add_struct(dtype, names, offset);
    }
    if (PyList_Check(dtype.ptr()) != 0) return add_list(nb::borrow<nb::list>(dtype), offset);
    return add_number(dtype, offset);
  }

  value_layout layout;

 private:
  static constexpr std::size_t most_elements = std::size_t{1} << 20U;

  struct deeper {
    explicit deeper(int& depth) : depth(depth) { ++depth; }
    ~deeper() { --depth; }
    int& depth;
  };

  std::size_t add_number(nb::handle dtype, std::size_t offset) {
    const nb::object name = PyUnicode_Check(dtype.ptr()) != 0 ? nb::borrow(dtype) : member(dtype, "str");
    if (!name.is_none()) {
      const auto text = nb::cast<std::string>(name);
      if (text.starts_with("|S") && text.size() > 2 && text.find_first_not_of("0123456789", 2) == text.npos) {
        layout.format += text.substr(2) + "s";
        return std::stoul(text.substr(2));
      }
    }
    const element_type type = element_type_of(dtype, order_);
    layout.format += std::string("=") + type.standard_format();
    if (type.order != std::endian::native && type.size > 1) layout.swaps.push_back({offset, type.size});
    return type.size;
  }

  std::size_t add_array(nb::handle base, const nb::tuple& shape, std::size_t offset) {
    std::size_t count = 1;
    for (const nb::handle length : shape) {
      count *= nb::cast<std::size_t>(length);
      if (count > most_elements) raise(PyExc_ValueError, "an array in a dtype is too large");
    }
    std::string lengths = nb::repr(shape).c_str();
    std::erase(lengths, ' ');
    if (lengths.ends_with(",)")) lengths.erase(lengths.size() - 2, 1);
    layout.format += lengths;
    const std::size_t before = layout.swaps.size();
    const std::size_t size = add(base, offset);
    const std::size_t of_one = layout.swaps.size() - before;
    for (std::size_t i = 1; i < count; ++i) {
      for (std::size_t j = 0; j != of_one; ++j) {
        const value_layout::swapped each = layout.swaps[before + j];
        layout.swaps.push_back({each.offset + i * size, each.size});
      }
    }
    return count * size;
  }

  void add_field(nb::handle name, nb::handle dtype, std::size_t offset, std::size_t& end) {
    if (end != offset) layout.format += std::to_string(offset - end) + "x";
    end = offset + add(dtype, offset);
    const auto text = nb::cast<std::string>(name);
    if (text.find(':') != text.npos) raise(PyExc_ValueError, "the name of a field cannot hold a colon");
    layout.format += ":" + text + ":";
  }

  std::size_t add_struct(nb::handle dtype, nb::handle names, std::size_t offset) {
    std::size_t end = offset;
    layout.format += "T{";
    for (const nb::handle name : names) {
      const nb::object field = nb::object(dtype.attr("fields"))[name];
      const std::size_t place = offset + nb::cast<std::size_t>(field[1]);
      if (place < end)
        raise(PyExc_ValueError, "the fields of a dtype must not overlap, and be in their order");
      add_field(name, field[0], place, end);
    }
    const auto size = nb::cast<std::size_t>(dtype.attr("itemsize"));
    if (offset + size != end) layout.format += std::to_string(offset + size - end) + "x";
    layout.format += "}";
    return size;
  }

  // As `numpy.dtype.descr`: (name, type) or (name, type, shape) for each field.
  std::size_t add_list(const nb::list& fields, std::size_t offset) {
    std::size_t end = offset;
    layout.format += "T{";
    for (const nb::handle each : fields) {
      if (PyTuple_Check(each.ptr()) == 0 || nb::len(each) < 2 || nb::len(each) > 3 ||
          PyUnicode_Check(nb::object(each[0]).ptr()) == 0) {
        raise(PyExc_TypeError, "a field of a dtype is a tuple of a name, a type and perhaps a shape");
      }
      if (nb::len(each) == 2) {
        add_field(each[0], each[1], end, end);
      } else {
        const nb::object shape = each[2];
        end += add_array(each[1], PyTuple_Check(shape.ptr()) != 0 ? nb::tuple(shape) : nb::make_tuple(shape),
                         end);
        layout.format += ":" + nb::cast<std::string>(each[0]) + ":";
      }
    }
    layout.format += "}";
    return end - offset;
  }

  nb::handle order_;
  int depth_ = 0;
};

}  // namespace

void value_layout::copy(std::string_view from, char* to) const noexcept {
  if (from.empty()) return;
  const bool whole = swaps.size() == 1 && swaps[0].size == size;
  const kernel::table& kernel = kernel::active();
  if (whole && size == 2) return kernel.reverse_16(from.data(), from.size(), to);
  if (whole && size == 4) return kernel.reverse_32(from.data(), from.size(), to);
  if (whole && size == 8) return kernel.reverse_64(from.data(), from.size(), to);
  std::memcpy(to, from.data(), from.size());
  if (swaps.empty()) return;
  for (char* const end = to + from.size(); to != end; to += size) {
    for (const swapped& each : swaps) std::reverse(to + each.offset, to + each.offset + each.size);
  }
}

value_layout value_layout_of(nb::handle dtype, nb::handle order) {
  const bool structured = PyList_Check(dtype.ptr()) != 0 || !member(dtype, "names").is_none();
  if (!structured) {
    const element_type type = element_type_of(dtype, order);
    value_layout layout{type.size, type.format};
    if (type.order != std::endian::native && type.size > 1) layout.swaps.push_back({0, type.size});
    return layout;
  }
  layout_reader reader(order);
  reader.layout.size = reader.add(dtype, 0);
  if (reader.layout.size == 0) raise(PyExc_ValueError, "a value of this dtype has no bytes");
  return std::move(reader.layout);
}

}  // namespace riffle::python
