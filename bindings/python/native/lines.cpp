/// Defines riffle_io.lines and its iterator.
#include "bindings/python/native/lines.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <string>
#include <utility>

#include "bindings/python/native/errors.hpp"
#include "bindings/python/native/interpreter.hpp"
#include "bindings/python/native/python_input.hpp"
#include "bindings/python/native/records/row_arguments.hpp"

namespace nb = nanobind;

namespace riffle::python {

namespace {

python_lines* lines(const reading_options& reading, const sources_object& source,
                    const byte_object& delimiter, bool keep_delimiter, std::optional<std::string> encoding,
                    const std::string& errors, bool strip_cr, std::optional<std::size_t> max_length) {
  line_options options{
      .delimiter = byte_of(delimiter, "delimiter"), .keep_delimiter = keep_delimiter, .strip_cr = strip_cr};
  if (max_length) options.max_length = *max_length;
  const decoder text = decoder_of(encoding, errors, {&options.delimiter, 1});
  return new python_lines(
      {sources_of(source), options, reading, text_input_of(text, {.delimiter = options.delimiter})}, options,
      text);
}

constexpr const char* about_lines =
    R"(Returns an iterator over the lines of an input: bytes, or str if encoding is set.

source is a path (str or os.PathLike), an open descriptor, a file object in binary mode, or an object with the
buffer protocol, such as bytes, whose bytes are read. riffle_io closes nothing that you opened. An iterable of
sources is read one after the other; each is opened when the one before it has ended. A str or os.PathLike that
names no file is a pattern, if it has one of the characters *?[: "logs/*.log".

delimiter is the one byte that ends a line. keep_delimiter leaves it in the line. strip_cr drops one CR before it.
encoding and errors mean what they mean to open(), with newline="\n". max_length is the longest line accepted, in
bytes. method names how a file is read, and block_size the bytes to read at a time: by default riffle chooses both.

A compressed source is decoded: by default as the format that its first bytes show. decode names one, "gzip",
"zlib", "zstd", "xz", "bzip2" or "lz4", or "none". riffle decodes in threads of its own, and the offset of an
error counts decoded bytes. max_size is the most bytes that it hands out, decoded or not, before it raises.

Raises RiffleError, an OSError, if the source cannot be opened or read, and for a line over max_length. The
lines before a failure were right.)";

constexpr const char* about_class = R"(Iterates over the lines of an input, once. riffle_io.lines makes it.

After a break, the next loop continues after the last line. The GIL is released while a block is read; a
second thread that asks meanwhile gets a ValueError.)";

}  // namespace

void register_lines(nb::module_& module) {
  define_iterator<python_lines>(module, "Lines", "class Lines(Generic[Line])", about_class)
      .def_prop_ro("offset", &python_lines::place,
                   "Where the line handed out last starts in its source, in bytes; None before the first.\n\n"
                   "In a compressed source it counts decoded bytes.")
      .def_prop_ro(
          "compressed_offset", [](python_lines& self) { return self.stored().first; },
          "How many bytes of the source were used, as it is stored. In a compressed source it counts "
          "compressed "
          "bytes.")
      .def_prop_ro(
          "compressed_size", [](python_lines& self) { return self.stored().second; },
          "The size of the source in bytes, as it is stored; None if it is unknown, as of a pipe.");
  define_reading(module, "lines", for_records, std::function(lines), about_lines,
                 nb::arg("delimiter") = nb::bytes("\n", 1), nb::arg("keep_delimiter") = false, nb::kw_only(),
                 nb::arg("encoding") = nb::none(), nb::arg("errors") = "strict", nb::arg("strip_cr") = false,
                 nb::arg("max_length") = nb::none());
}

}  // namespace riffle::python
