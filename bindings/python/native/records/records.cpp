/// Defines riffle_io.lines, words, fastq and fasta, and their iterators.
#include <riffle/sequences.hpp>
#include <riffle/words.hpp>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "bindings/python/native/errors.hpp"
#include "bindings/python/native/interpreter.hpp"
#include "bindings/python/native/python_input.hpp"
#include "bindings/python/native/records/lines.hpp"
#include "bindings/python/native/records/makers.hpp"
#include "bindings/python/native/records/record_iterator.hpp"
#include "bindings/python/native/records/row_arguments.hpp"
#include "bindings/python/native/recycled.hpp"

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

using python_words = record_iterator<opened_records<word_range>, text_maker>;

python_words* words(const reading_options& reading, const sources_object& sources,
                    std::optional<std::string> encoding, const std::string& errors,
                    std::optional<std::size_t> max_length) {
  word_options options;
  if (max_length) options.max_length = *max_length;
  const decoder text = decoder_of(encoding, errors, " ");
  return new python_words({sources_of(sources), options, reading, text_input_of(text)}, text_maker(text));
}

std::array<std::string_view, 3> parts_of(const fastq_record& from) {
  return {from.name, from.sequence, from.quality};
}
std::array<std::string_view, 2> parts_of(const fasta_record& from) {
  return {from.name, from.sequence};
}

template <class Record>
struct opened_sequences : opened_records<detail::sequence_range<Record>> {
  using opened_records<detail::sequence_range<Record>>::opened_records;

  static std::uint64_t place_of(const Record& record) noexcept { return record.offset; }
};

// Makes a tuple of the parts of a record. Each has a maker of its own, whose objects are used again.
template <class Record>
class sequence_maker {
 public:
  explicit sequence_maker(const decoder& decode) {
    for (std::optional<text_maker>& each : parts_) each.emplace(decode);
  }

  static bool start(const opened_sequences<Record>& /*opened*/, const Record& /*first*/) noexcept {
    return false;
  }
  static bool runs_code() noexcept { return true; }  // a codec, or a garbage collection when it makes a tuple

  PyObject* operator()(const Record& from) {
    std::array<nb::object, size> made;
    const auto parts = parts_of(from);
    for (std::size_t i = 0; i != size; ++i) {
      made[i] = nb::steal((*parts_[i])(parts[i]));
      if (!made[i].is_valid()) return nullptr;
    }
    PyObject* const tuple = PyTuple_New(size);
    if (tuple == nullptr) return nullptr;
    for (std::size_t i = 0; i != size; ++i) {
      PyTuple_SetItem(tuple, static_cast<Py_ssize_t>(i), made[i].release().ptr());
    }
    return tuple;
  }

 private:
  static constexpr std::size_t size = std::tuple_size_v<decltype(parts_of(Record()))>;
  std::array<std::optional<text_maker>, size> parts_;
};

template <class Record>
using python_sequences = record_iterator<opened_sequences<Record>, sequence_maker<Record>>;

template <class Record>
python_sequences<Record>* sequences(const reading_options& reading, const sources_object& sources,
                                    std::optional<std::string> encoding, const std::string& errors,
                                    std::optional<std::size_t> max_length) {
  sequence_options options;
  if (max_length) options.max_length = *max_length;
  const decoder text = decoder_of(encoding, errors, "\n");
  return new python_sequences<Record>({sources_of(sources), options, reading, text_input_of(text)},
                                      sequence_maker<Record>(text));
}

constexpr const char* about_fastq =
    R"(Returns an iterator over the records of FASTQ: (name, sequence, quality), bytes or str if encoding is set.

name is the whole first line without its "@". Each line may end in CR LF, and empty lines may stand between
records. A sequence stands in one line.

max_length is the longest record accepted, in bytes. encoding and errors mean what they mean to open(). source,
method, block_size, decode and max_size are those of riffle_io.lines.

Raises RiffleError, an OSError, with the offset and the number of the record: for a line that does not start with "@"
or "+", for another name after the "+", for more or fewer qualities than bases, for a quality that is not from "!"
to "~", for a record that the input cuts, and if the source cannot be opened or read. The records before a failure
were right.)";

constexpr const char* about_fasta =
    R"(Returns an iterator over the records of FASTA: (name, sequence), bytes or str if encoding is set.

name is the whole line that starts with ">", without that. sequence is the lines that follow, joined. Each line may
end in CR LF.

max_length is the longest record accepted, in bytes with the ends of its lines. encoding and errors mean what they
mean to open(). source, method, block_size, decode and max_size are those of riffle_io.lines.

Raises RiffleError, an OSError, with the offset: for text before the first ">", for a record over max_length, and if
the source cannot be opened or read. The records before a failure were right.)";

template <class Record>
void define(nb::module_& module, const char* name, const char* text, const char* type,
            const char* declaration, const char* about_type) {
  define_iterator<python_sequences<Record>>(module, type, declaration, about_type)
      .def_prop_ro(
          "offset", &python_sequences<Record>::place,
          "Where the record handed out last starts in its source, in bytes; None before the first.\n\n"
          "In a compressed source it counts decoded bytes.");
  define_reading(module, name, for_records, std::function(sequences<Record>), text, nb::kw_only(),
                 nb::arg("encoding") = nb::none(), nb::arg("errors") = "strict",
                 nb::arg("max_length") = nb::none());
}

}  // namespace

void register_records(nb::module_& module) {
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

  define<fastq_record>(module, "fastq", about_fastq, "Fastq", "class Fastq(Generic[Line])",
                       "Iterates over the records of FASTQ, once. riffle_io.fastq makes it.");
  define<fasta_record>(module, "fasta", about_fasta, "Fasta", "class Fasta(Generic[Line])",
                       "Iterates over the records of FASTA, once. riffle_io.fasta makes it.");
}

}  // namespace riffle::python
