/// Offers the step from any Python object that holds or names bytes to an input of riffle, and the keywords
/// of reading.
#pragma once

#include <riffle/input.hpp>
#include <riffle/options.hpp>
#include <riffle/source.hpp>
#include <riffle/splits.hpp>

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string_view.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace riffle::python {

/// Any Python object; the stubs say which `python_input` takes.
class source_object : public nanobind::object {
  static bool accepts(PyObject*) { return true; }
  NB_OBJECT(source_object, nanobind::object,
            "_typeshed.FileDescriptorOrPath | _typeshed.ReadableBuffer | _typeshed.SupportsRead[bytes] | "
            "riffle_io.Split",
            accepts)
};

/// The same, or several of them.
class sources_object : public source_object {
  static bool accepts(PyObject*) { return true; }
  NB_OBJECT(sources_object, source_object, "_Sources", accepts)
};

/// Returns the sources that such an object names: one, those of an iterable, or the files that a pattern
/// matches; of none, one without bytes.
nanobind::list sources_of(nanobind::handle sources);

/// Holds an input made of a Python object, and keeps alive what it borrows: the buffer, the file object, a
/// descriptor of its own.
///
/// Takes a `str` or `os.PathLike` (a path), an `int` (a descriptor), an object with the buffer protocol (its
/// bytes), a file object open in binary mode, or a `riffle_io.Split` (the records that start in it). Raises
/// `TypeError` for another object. Make and destroy the input with the GIL held. A thread may read it without
/// the GIL.
class python_input {
 public:
  /// `method` is the method to read with. With `automatic`, Python itself reads pipes, terminals and sockets,
  /// so that a signal such as Ctrl-C ends the wait. `records` says what the records of a split are.
  python_input(nanobind::handle source, riffle::method method, const record_options& records = {});

  /// Returns the input. Valid as long as this object, also after it was moved.
  const riffle::input& get() const noexcept { return *held_->input; }
  /// Returns whether this is a split of a URL, but not the first.
  bool starts_inside() const noexcept { return held_->starts_inside; }
  /// Returns whether other bytes of the text stand before those of `opened`, the source of this input.
  bool starts_inside(const source& opened) const noexcept;

  /// Returns the descriptor that riffle itself reads and that may have no bytes yet, such as a pipe; -1 if
  /// there is none.
  int waited() const noexcept { return held_->waited; }
  /// Returns the format that a split of a URL carries. riffle knows that of another split.
  std::optional<decoding> format() const noexcept { return held_->format; }

  /// Visits the Python objects that it holds, for Python's garbage collector.
  int visit(visitproc visit, void* arg) const { return held_ ? held_->visit(visit, arg) : 0; }

 private:
  struct resources {
    virtual ~resources() = default;
    virtual int visit(visitproc visit, void* arg) const = 0;

    std::optional<riffle::input> input = {};
    std::optional<decoding> format = {};
    int waited = -1;
    bool starts_inside = false;
  };
  class borrowed;
  std::unique_ptr<resources> held_;
};

/// Returns whether an object is a `riffle_io.Split`.
bool is_split(nanobind::handle object);
/// Returns the records of a `riffle_io.Split`. Raises `TypeError` if one of its fields has another type.
riffle::input input_of_split(nanobind::handle split, const record_options& records);

/// Returns the bytes of a path as the system takes them. Raises `TypeError` if it is none.
std::string bytes_of_path(nanobind::handle path);

/// The texts of two keywords, which the stubs give types of their own.
class method_name : public nanobind::str {
  NB_OBJECT(method_name, nanobind::str, "_Method", PyUnicode_Check)
};
class format_name : public nanobind::str {
  NB_OBJECT(format_name, nanobind::str, "_Decode", PyUnicode_Check)
};

class progress_object : public nanobind::object {
  static bool accepts(PyObject*) { return true; }
  NB_OBJECT(progress_object, nanobind::object, "_Progress", accepts)
};

/// Counts the bytes that a call read of its sources, as they are stored, and reports them to the user. Use it
/// with the GIL held.
struct told_progress {
  explicit told_progress(nanobind::object tell) : tell_(std::move(tell)) {}
  /// `ended`: a source has ended.
  void tell(bool ended) const { tell_(bytes.load(std::memory_order_relaxed), ended); }
  int visit(visitproc visit, void* arg) const {
    Py_VISIT(tell_.ptr());
    return 0;
  }

  nanobind::object tell_;  // a Progress of riffle_io._files
  std::atomic<std::uint64_t> bytes = 0;
};

/// The options of riffle, and how riffle reports the progress; null: it reports none.
struct reading_options : read_options {
  std::shared_ptr<told_progress> told = nullptr;
};

/// The default of `decode`, by what a function gives.
inline constexpr const char* for_records = "automatic";
inline constexpr const char* for_bytes = "none";

/// Returns the format that the keyword `decode` names. Raises `ValueError` for an unknown name.
decoding decoding_of(std::string_view name);
/// Returns the options of the keywords. Raises `ValueError` for an unknown method or format.
reading_options reading_of(const method_name& method, std::size_t block_size, const format_name& decode,
                           std::optional<std::uint64_t> max_size);
/// Makes riffle report the progress of these sources to `progress`. Raises `TypeError` if `progress` is no
/// function and no bar.
void tell_progress(reading_options& reading, nanobind::handle progress, nanobind::handle sources);

/// Defines a function of the module that reads a source. `names` are its own arguments, which come between
/// the source and the keywords. `decoded` is the default of `decode`.
template <class Result, class Source, class... Own, class... Names>
void define_reading(nanobind::module_& module, const char* name, const char* decoded,
                    const std::function<Result(const reading_options&, const Source&, Own...)>& function,
                    const char* text, const Names&... names) {
  using nanobind::arg;
  module.def(
      name,
      [function](const Source& source, Own... own, const method_name& method, std::size_t block_size,
                 const format_name& decode, std::optional<std::uint64_t> max_size,
                 const std::optional<progress_object>& progress) {
        reading_options reading = reading_of(method, block_size, decode, max_size);
        if (!progress) return function(reading, source, std::forward<Own>(own)...);
        if constexpr (std::is_same_v<Source, sources_object>) {
          const nanobind::list all = sources_of(source);  // an iterator gives them once
          tell_progress(reading, *progress, all);
          return function(reading, nanobind::borrow<Source>(all), std::forward<Own>(own)...);
        } else {
          tell_progress(reading, *progress, nanobind::make_tuple(source));
          return function(reading, source, std::forward<Own>(own)...);
        }
      },
      arg("source"), names..., arg("method") = "automatic", arg("block_size") = 0, arg("decode") = decoded,
      arg("max_size") = nanobind::none(), arg("progress") = nanobind::none(), text);
}

}  // namespace riffle::python
