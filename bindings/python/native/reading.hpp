/// Offers the keywords that say how an input is read, for every function that reads one.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string_view.h>
#include <riffle/options.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include "bindings/python/native/python_input.hpp"

namespace riffle::python {

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

  nanobind::object tell_;  // a Progress of riffle_io._progress
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
/// Returns the options with the format that a source carries, if it is a Split.
reading_options reading_for(nanobind::handle source, reading_options reading);
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
        reading_options reading = reading_for(source, reading_of(method, block_size, decode, max_size));
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
