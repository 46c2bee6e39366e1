/// Reads the keywords that say how an input is read.
#include "bindings/python/native/reading.hpp"

#include <riffle/decoders.hpp>
#include <riffle/methods.hpp>

#include <string>

#include "bindings/python/native/errors.hpp"

namespace riffle::python {

decoding decoding_of(std::optional<std::string_view> name) {
  if (!name) return decoding::none;
  if (const auto named = decoding_named(*name)) return *named;
  std::string names = "automatic, none";
  for (const decoder_info& each : decoders()) names.append(", ").append(each.name);
  raise(PyExc_ValueError, "unknown format '" + std::string(*name) + "' to decode: give " + names);
}

read_options reading_of(const reading_keywords& given) {
  const auto method = method_named(given.method);
  if (!method) raise(PyExc_ValueError, "unknown method '" + std::string(given.method) + "'");
  read_options reading{
      .method = *method, .block_size = given.block_size, .decode = decoding_of(given.decode)};
  if (given.max_size) reading.max_size = *given.max_size;
  return reading;
}

}  // namespace riffle::python
