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

/// Returns the format that the keyword `decode` names. Raises `ValueError` for an unknown name.
decoding decoding_of(std::optional<std::string_view> name);
/// Returns the options of the keywords. Raises `ValueError` for an unknown method or format.
read_options reading_of(std::string_view method, std::size_t block_size,
                        std::optional<std::string_view> decode, std::optional<std::uint64_t> max_size);

/// Defines a function of the module that reads a source. `names` are its own arguments, which come between
/// the source and the keywords.
template <class Result, class... Own, class... Names>
void define_reading(nanobind::module_& module, const char* name,
                    const std::function<Result(const read_options&, const source_object&, Own...)>& function,
                    const char* text, const Names&... names) {
  using nanobind::arg;
  module.def(
      name,
      [function](const source_object& source, Own... own, std::string_view method, std::size_t block_size,
                 std::optional<std::string_view> decode, std::optional<std::uint64_t> max_size) {
        return function(reading_of(method, block_size, decode, max_size), source, std::forward<Own>(own)...);
      },
      arg("source"), names..., arg("method") = "automatic", arg("block_size") = 0,
      arg("decode") = nanobind::none(), arg("max_size") = nanobind::none(), text);
}

}  // namespace riffle::python
