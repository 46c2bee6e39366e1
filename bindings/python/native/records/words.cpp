/// Defines riffle_io.words and its iterator.
#include <nanobind/stl/string.h>
#include <riffle/words.hpp>

#include <optional>
#include <string>

#include "bindings/python/native/decoder.hpp"
#include "bindings/python/native/parts.hpp"
#include "bindings/python/native/reading.hpp"
#include "bindings/python/native/records/record_iterator.hpp"
#include "bindings/python/native/records/text_maker.hpp"

namespace nb = nanobind;

namespace riffle::python {

namespace {

using python_words = record_iterator<opened_records<word_range>, text_maker>;

python_words* words(const reading_options& reading, const sources_object& sources,
                    std::optional<std::string> encoding, const std::string& errors,
                    std::optional<std::size_t> max_length) {
  word_options options;
  if (max_length) options.max_length = *max_length;
  const decoder text = decoder_of(encoding, errors, " ");
  const auto input_of = [text](nb::handle source, const word_options&, const read_options& how) {
    return python_input(text.source_of(source, how), how.method);
  };
  return new python_words({sources_of(sources), options, reading, input_of}, text_maker(text));
}

}  // namespace

void register_words(nb::module_& module) {
  define_iterator<python_words>(module, "Words", "class Words(Generic[Line])",
                                "Iterates over the words of an input, once. riffle_io.words makes it.");
  define_reading(module, "words", for_records, std::function(words),
                 R"(Returns an iterator over the words of an input: bytes, or str if encoding is set.

A word is a run of bytes that are not white space of ASCII, as in bytes.split(). max_length is the longest word
accepted, in bytes, and at least 64. encoding and errors mean what they mean to open(). source, method,
block_size, decode and max_size are those of riffle_io.lines.

Raises RiffleError, an OSError, if the source cannot be opened or read, and for a word over max_length. The
words before a failure were right.)",
                 nb::kw_only(), nb::arg("encoding") = nb::none(), nb::arg("errors") = "strict",
                 nb::arg("max_length") = nb::none());
}

}  // namespace riffle::python
