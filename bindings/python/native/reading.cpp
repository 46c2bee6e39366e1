/// Reads the keywords that say how an input is read.
#include "bindings/python/native/reading.hpp"

#include <riffle/decoders.hpp>
#include <riffle/methods.hpp>

#include <memory>
#include <string>
#include <utility>

#include "bindings/python/native/errors.hpp"
#include "bindings/python/native/imported.hpp"

namespace nb = nanobind;

namespace riffle::python {

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
      std::make_shared<told_progress>(imported("riffle_io._progress").attr("Progress")(progress, sources));
}

reading_options reading_for(nb::handle source, reading_options reading) {
  const bool named = reading.decode != decoding::none && reading.decode != decoding::automatic;
  if (!named && is_split(source))
    reading.decode = decoding_of(nb::cast<std::string_view>(source.attr("decode")));
  return reading;
}

}  // namespace riffle::python
