/// Finds out what a Python object is to riffle: a path, a descriptor, memory, or a file object; reads the
/// keywords of reading.
#include "bindings/python/native/python_input.hpp"

#include <riffle/methods.hpp>

#include <fcntl.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>

#include "bindings/python/native/errors.hpp"
#include "bindings/python/native/interpreter.hpp"
#include "bindings/python/native/python_stream.hpp"

namespace nb = nanobind;

namespace riffle::python {

namespace {

nb::object class_of_io(const char* name) {
  return imported("io").attr(name);
}

nb::object module_of_ranges() {
  return imported("riffle_io._ranges");
}

// Whether fsspec opens it: the path of a split is absolute.
bool is_url(const std::string& path) {
  return !path.starts_with('/') && path.find(':') != std::string::npos;
}

// Whether riffle reads such a file itself. If Python reads a pipe, a signal ends the wait for its bytes.
bool waits_for_nothing(const struct stat& file) {
  return S_ISREG(file.st_mode) || S_ISBLK(file.st_mode) || S_ISDIR(file.st_mode);
}

// Whether the source is an integer, as `open` takes it. An integer of NumPy has bytes too, and an array of
// NumPy may be an integer.
bool is_descriptor(nb::handle source) {
  if (PyLong_Check(source.ptr()) != 0) return PyBool_Check(source.ptr()) == 0;
  return PyIndex_Check(source.ptr()) != 0 && PySequence_Check(source.ptr()) == 0;
}

// Whether it is bytes or a path that is no pattern, and so no other source: Python takes longer to see it.
bool is_one(nb::handle source) {
  if (PyBytes_CheckExact(source.ptr()) != 0) return true;
  if (PyUnicode_CheckExact(source.ptr()) == 0) return false;
  Py_ssize_t size = 0;
  const char* const path = PyUnicode_AsUTF8AndSize(source.ptr(), &size);
  if (path == nullptr) PyErr_Clear();  // a path with bytes that are not UTF-8
  return path != nullptr && std::string_view(path, static_cast<std::size_t>(size)).find_first_of("*?[") ==
                                std::string_view::npos;
}

}  // namespace

nb::list sources_of(nb::handle sources) {
  if (is_one(sources)) {
    nb::list only;
    only.append(sources);
    return only;
  }
  if (PyList_CheckExact(sources.ptr()) != 0 && nb::len(sources) != 0 &&
      std::ranges::all_of(nb::borrow<nb::list>(sources), is_one)) {
    return nb::list(sources);  // a copy
  }
  auto all = nb::cast<nb::list>(imported("riffle_io._files").attr("sources_of")(sources));
  if (nb::len(all) == 0) all.append(nb::bytes("", 0));
  return all;
}

std::string bytes_of_path(nb::handle path) {
  PyObject* converted = nullptr;
  if (PyUnicode_FSConverter(path.ptr(), &converted) == 0) throw nb::python_error();
  const nb::object held = nb::steal(converted);
  char* bytes = nullptr;
  Py_ssize_t size = 0;
  if (PyBytes_AsStringAndSize(converted, &bytes, &size) != 0) throw nb::python_error();
  return {bytes, static_cast<std::size_t>(size)};
}

class python_input::borrowed final : public resources {
 public:
  borrowed(nb::handle source, riffle::method method, const record_options& records)
      : object_(nb::borrow(source)) {
    if (is_split(source)) {
      open_split(source, records);
    } else if (PyUnicode_Check(source.ptr()) || nb::hasattr(source, "__fspath__")) {
      open_path(source, method);
    } else if (is_descriptor(source)) {
      open_descriptor(nb::steal(PyNumber_Index(source.ptr())), method);
    } else if (PyObject_CheckBuffer(source.ptr()) != 0) {
      open_memory(source);
    } else {
      open_file_object(source);
    }
  }
  ~borrowed() override {
    if (buffer_.obj != nullptr) PyBuffer_Release(&buffer_);
    if (descriptor_ >= 0) ::close(descriptor_);
    const nb::error_scope pending;  // the object may die because of an exception
    if (file_.is_valid()) failure_of([&] { file_.attr("close")(); });
  }
  borrowed(const borrowed&) = delete;
  borrowed& operator=(const borrowed&) = delete;

  int visit(visitproc visit, void* arg) const override {
    Py_VISIT(object_.ptr());
    Py_VISIT(file_.ptr());
    Py_VISIT(buffer_.obj);
    return stream_ ? stream_->visit(visit, arg) : 0;
  }

 private:
  void open_split(nb::handle split, const record_options& records) {
    if (!is_url(bytes_of_path(split.attr("path")))) {
      input.emplace(input_of_split(split, records));
      return;
    }
    nb::object delimiter = nb::none();
    if (records.delimiter) delimiter = nb::bytes(&*records.delimiter, 1);
    file_ = module_of_ranges().attr("reader_of_split")(split, delimiter, records.record_size);
    starts_inside = nb::cast<std::uint64_t>(split.attr("begin")) != 0;
    format = decoding_of(nb::cast<std::string_view>(split.attr("decode")));
    open_stream(file_, "take_range", {});
  }

  // Python opens what may wait for a writer.
  void open_path(nb::handle source, riffle::method method) {
    const std::string path = bytes_of_path(source);
    struct stat file{};
    const bool waits = ::stat(path.c_str(), &file) == 0 && !waits_for_nothing(file);
    if (waits && (method == method::automatic || method == method::read)) {
      as_riffle_error("open", path, [&] { file_ = class_of_io("FileIO")(source); });
      method == method::automatic ? open_stream(file_, "readinto", path)
                                  : open_descriptor(file_.attr("fileno")(), method, path);
    } else {
      input.emplace(std::filesystem::path(path));
    }
  }

  void open_descriptor(nb::handle source, riffle::method method, const std::string& path = {}) {
    if (!source.is_valid()) throw nb::python_error();
    const int descriptor = PyObject_AsFileDescriptor(source.ptr());
    if (descriptor < 0) throw nb::python_error();
    struct stat file{};
    const bool waits = ::fstat(descriptor, &file) == 0 && !waits_for_nothing(file);
    if (method == method::automatic && waits) {
      open_stream(class_of_io("FileIO")(descriptor, nb::arg("closefd") = false), "readinto",
                  "descriptor " + std::to_string(descriptor));
    } else {
      input.emplace(descriptor, path);
      if (method == method::read && waits) waited = descriptor;  // others may hold bytes that it gave
    }
  }

  void open_memory(nb::handle source) {
    if (PyObject_GetBuffer(source.ptr(), &buffer_, PyBUF_SIMPLE) != 0) throw nb::python_error();
    input.emplace(riffle::memory(
        std::string_view(static_cast<const char*>(buffer_.buf), static_cast<std::size_t>(buffer_.len))));
  }

  void open_file_object(nb::handle source) {
    const nb::object how = imported("riffle_io._files").attr("reading_of")(source);
    const auto [file, function, plain] = nb::cast<std::tuple<nb::object, std::string, bool>>(how);
    const nb::object name = imported("riffle_io._files").attr("name_of")(source);
    const std::string given = name.is_none() ? "" : bytes_of_path(name);
    if (plain && open_regular(file, given)) return;
    if (function == "take_range") file_ = file;
    open_stream(file, function, {}, given);
  }

  // Opens the file again, so that the user may close his, and its position and buffer stay as they are.
  // Starts where the user has read to. Python reads what the system does not open again.
  bool open_regular(nb::handle source, std::string name) {
    const int descriptor = nb::cast<int>(source.attr("fileno")());
    struct stat file{};
    if (::fstat(descriptor, &file) != 0 || !waits_for_nothing(file)) return false;
    source.attr("flush")();
    const auto position = nb::cast<long long>(source.attr("tell")());
    const std::string again = "/proc/thread-self/fd/" + std::to_string(descriptor);
    descriptor_ = ::open(again.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor_ < 0) return false;
    if (::lseek(descriptor_, position, SEEK_SET) < 0) {
      PyErr_SetFromErrno(PyExc_OSError);
      throw nb::python_error();
    }
    if (name.empty()) name = "descriptor " + std::to_string(descriptor);
    input.emplace(static_cast<int>(descriptor_), std::move(name));
    return true;
  }

  // `name` is that of the user's file in messages, if it has one.
  void open_stream(nb::handle file, const std::string& function, std::string own_name,
                   std::string name = {}) {
    if (name.empty()) name = own_name;
    input.emplace(stream_.emplace(file, function, std::move(own_name)).stream(), std::move(name));
  }

  nb::object object_;
  nb::object file_;  // Python's file of a path, or the reader of ranges, if one of them reads
  Py_buffer buffer_ = {};
  int descriptor_ = -1;
  std::optional<python_stream> stream_;
};

python_input::python_input(nb::handle source, riffle::method method, const record_options& records)
    : held_(std::make_unique<borrowed>(source, method, records)) {}

// The offsets of a decoded split start at 0.
bool python_input::starts_inside(const source& opened) const noexcept {
  const auto* const part = std::get_if<detail::split_records>(&get().where());
  return starts_inside() || opened.start() != 0 || (part != nullptr && part->split.begin != 0);
}

decoding decoding_of(std::string_view name) {
  if (const auto named = decoding_named(name)) return *named;
  std::string names = "automatic, none";
  for (const decoder_info& each : decoders()) names.append(", ").append(each.name);
  raise(PyExc_ValueError, "unknown format '" + std::string(name) + "' to decode: give " + names);
}

reading_options reading_of(const method_name& method, std::size_t block_size, const format_name& decode,
                           std::optional<std::uint64_t> max_size) {
  const std::string_view name = utf8_of(method);
  const auto named = method_named(name);
  if (!named) {
    std::string names;
    for (const method_info& each : methods()) names.append(", ").append(each.name);
    raise(PyExc_ValueError, "unknown method '" + std::string(name) + "': give automatic" + names);
  }
  reading_options reading{
      {.method = *named, .block_size = block_size, .decode = decoding_of(utf8_of(decode))}};
  if (max_size) reading.max_size = *max_size;
  return reading;
}

void tell_progress(reading_options& reading, nb::handle progress, nb::handle sources) {
  reading.told =
      std::make_shared<told_progress>(imported("riffle_io._files").attr("Progress")(progress, sources));
}

}  // namespace riffle::python
