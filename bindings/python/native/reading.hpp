/// Offers the keywords that say how an input is read, for every function that reads one.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string_view.h>
#include <riffle/options.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
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

/// The default of `decode`, by what a function gives.
inline constexpr const char* for_records = "automatic";
inline constexpr const char* for_bytes = "none";

/// Returns the format that the keyword `decode` names. Raises `ValueError` for an unknown name.
decoding decoding_of(std::string_view name);
/// Returns the options of the keywords. Raises `ValueError` for an unknown method or format.
read_options reading_of(const method_name& method, std::size_t block_size, const format_name& decode,
                        std::optional<std::uint64_t> max_size);
/// Returns the options with the format that a source carries, if it is a Split.
read_options reading_for(nanobind::handle source, read_options reading);

/// Defines a function of the module that reads a source. `names` are its own arguments, which come between
/// the source and the keywords. `decoded` is the default of `decode`.
template <class Result, class Source, class... Own, class... Names>
void define_reading(nanobind::module_& module, const char* name, const char* decoded,
                    const std::function<Result(const read_options&, const Source&, Own...)>& function,
                    const char* text, const Names&... names) {
  using nanobind::arg;
  module.def(
      name,
      [function](const Source& source, Own... own, const method_name& method, std::size_t block_size,
                 const format_name& decode, std::optional<std::uint64_t> max_size) {
        const read_options reading = reading_of(method, block_size, decode, max_size);
        return function(reading_for(source, reading), source, std::forward<Own>(own)...);
      },
      arg("source"), names..., arg("method") = "automatic", arg("block_size") = 0, arg("decode") = decoded,
      arg("max_size") = nanobind::none(), text);
}

}  // namespace riffle::python
