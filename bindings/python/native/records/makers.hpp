/// Makes the Python objects of records that are views, and of the fields of rows.
#pragma once

#include <riffle/rows.hpp>

#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "bindings/python/native/errors.hpp"
#include "bindings/python/native/recycled.hpp"

namespace riffle::python {

/// Makes str if there is an encoding, else bytes.
class text_maker {
 public:
  explicit text_maker(decoder decode = {}) : decode_(std::move(decode)) {}

  /// Is called before the first record of an input is made. Returns whether that is a byte order mark alone,
  /// and is to be dropped.
  template <class Opened>
  bool start(Opened& opened, std::string_view first) {
    decode_.start(opened.starts_inside());
    if (!decode_.is_mark(first) || opened.is_record(first)) return false;
    decode_.start(true);
    return true;
  }
  /// A codec may run code, but gets a copy of the record.
  static constexpr bool runs_code() noexcept { return false; }
  const decoder& decode() const noexcept { return decode_; }

  [[gnu::always_inline]] PyObject* operator()(std::string_view record) noexcept {
    if (!decode_.text()) {
      if (bytes_.takes(record.size())) [[likely]]
        return bytes_(record);
      return PyBytes_FromStringAndSize(record.data(), static_cast<Py_ssize_t>(record.size()));
    }
    if (decode_.keeps_ascii() && ascii_.takes(record.size())) {
      PyObject* const ascii = ascii_(record);
      if (ascii != nullptr) [[likely]]
        return ascii;
      PyErr_Clear();  // of no memory: the next try says so again
    }
    return decode_(record);
  }

 private:
  decoder decode_;
  recycled<bytes_layout> bytes_;  // one of the two is used
  recycled<ascii_layout> ascii_;
};

/// Makes the object of a field: a new reference. Throws the Python exception of the codec.
class field_maker {
 public:
  explicit field_maker(decoder decode) : decode_(std::move(decode)) {}

  PyObject* operator()(std::string_view field) {
    PyObject* const made =
        decode_.text() ? decode_(field)
                       : PyBytes_FromStringAndSize(field.data(), static_cast<Py_ssize_t>(field.size()));
    if (made == nullptr) throw nanobind::python_error();
    return made;
  }

 private:
  decoder decode_;
};

/// Makes a list of the fields of a row, from `first` on. Throws as `row::unescaped` and `field_maker` do.
inline nanobind::object list_of(const row& from, std::size_t first, field_maker& field) {
  const std::size_t size = from.size() - first;
  auto list = nanobind::steal(PyList_New(static_cast<Py_ssize_t>(size)));
  if (!list.is_valid()) throw nanobind::python_error();
  for (std::size_t i = 0; i != size; ++i) {
    PyList_SetItem(list.ptr(), static_cast<Py_ssize_t>(i), field(from.unescaped(first + i)));
  }
  return list;
}

/// Makes the object of a row.
class row_maker {
 public:
  row_maker() = default;
  row_maker(const row_maker&) = delete;
  row_maker& operator=(const row_maker&) = delete;
  virtual ~row_maker() = default;

  /// Is called once, before the first row. Throws as `row_range::names` does.
  virtual void start(const row_range&) {}
  /// Returns a new reference. Throws as `row::unescaped` and `field_maker` do.
  virtual PyObject* make(const row& from) = 0;
};

/// Makes lists.
class list_maker final : public row_maker {
 public:
  explicit list_maker(decoder decode) : field_(std::move(decode)) {}

  PyObject* make(const row& from) override { return list_of(from, 0, field_).release().ptr(); }

 private:
  field_maker field_;
};

/// Makes dicts whose keys are the fields of the header. As csv.DictReader, a row has None for each field that
/// it lacks, the list of its other fields for the key None, and the last of several fields with one name.
class dict_maker final : public row_maker {
 public:
  /// `names` are the keys if there are some, in the bytes of the input; those of the header are not looked
  /// at.
  explicit dict_maker(decoder decode, std::optional<std::vector<std::string>> names = std::nullopt)
      : field_(std::move(decode)), names_(std::move(names)) {}

  void start(const row_range& rows) override {
    keys_.clear();
    row_.clear();
    for (const std::string& name : names_ ? *names_ : rows.names()) {
      keys_.push_back(nanobind::steal(field_(name)));
      row_[keys_.back()] = nanobind::none();
    }
  }
  // A copy of a dict takes less than the keys one by one.
  PyObject* make(const row& from) override {
    auto made = nanobind::steal(PyDict_Copy(row_.ptr()));
    if (!made.is_valid()) throw nanobind::python_error();
    const std::size_t size = std::min(keys_.size(), from.size());
    for (std::size_t i = 0; i != size; ++i) set(made, keys_[i], nanobind::steal(field_(from.unescaped(i))));
    for (std::size_t i = size; i != keys_.size(); ++i) set(made, keys_[i], nanobind::none());
    if (from.size() > size) set(made, nanobind::none(), list_of(from, size, field_));
    return made.release().ptr();
  }

 private:
  static void set(nanobind::handle dict, nanobind::handle key, nanobind::handle value) {
    if (PyDict_SetItem(dict.ptr(), key.ptr(), value.ptr()) != 0) throw nanobind::python_error();
  }

  field_maker field_;
  std::optional<std::vector<std::string>> names_;
  std::vector<nanobind::object> keys_;
  nanobind::dict row_;  // with None for each key
};

/// Makes tuples of some fields, which have a name or an index. A row that lacks one is an error.
class tuple_maker final : public row_maker {
 public:
  using column = std::variant<std::size_t, std::string>;

  tuple_maker(std::vector<column> columns, decoder decode)
      : columns_(std::move(columns)), field_(std::move(decode)) {}

  void start(const row_range& rows) override {
    indices_.clear();
    for (const column& each : columns_) {
      const auto* const name = std::get_if<std::string>(&each);
      indices_.push_back(name == nullptr ? std::get<std::size_t>(each) : rows.column(*name));
    }
  }
  PyObject* make(const row& from) override {
    auto made = nanobind::steal(PyTuple_New(static_cast<Py_ssize_t>(indices_.size())));
    if (!made.is_valid()) throw nanobind::python_error();
    for (std::size_t i = 0; i != indices_.size(); ++i) {
      PyTuple_SetItem(made.ptr(), static_cast<Py_ssize_t>(i), field_(from.unescaped(indices_[i])));
    }
    return made.release().ptr();
  }

 private:
  std::vector<column> columns_;
  std::vector<std::size_t> indices_;
  field_maker field_;
};

}  // namespace riffle::python
