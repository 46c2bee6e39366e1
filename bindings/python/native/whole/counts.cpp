/// Defines the counts: each reads a whole input and returns a number, or several.
#include <riffle/count.hpp>
#include <riffle/count_text.hpp>

#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "bindings/python/native/errors.hpp"
#include "bindings/python/native/interpreter.hpp"
#include "bindings/python/native/records/row_arguments.hpp"
#include "bindings/python/native/whole/read_whole.hpp"

namespace nb = nanobind;

namespace riffle::python {

namespace {

std::string_view view_of(const nb::bytes& bytes) {
  return {bytes.c_str(), bytes.size()};
}

void add(std::uint64_t& total, std::uint64_t found) {
  total += found;
}
void add(byte_counts& total, const byte_counts& found) {
  for (std::size_t i = 0; i != total.size(); ++i) total[i] += found[i];
}
void add(text_counts& total, const text_counts& found) {
  total.lines += found.lines;
  total.words += found.words;
  total.characters += found.characters;
  total.bytes += found.bytes;
  total.longest_line = std::max(total.longest_line, found.longest_line);
}

// Calls one of the functions of count.hpp for each source, and adds up what it returns.
template <class Count>
auto count(const reading_options& reading, const sources_object& sources, int threads, Count f) {
  std::invoke_result_t<Count, const input&, const count_options&, const read_options&> total{};
  for (const nb::handle each : sources_of(sources)) {
    const python_input input(each, reading.method);
    add(total, read_whole(input, threads, reading,
                          [&](const riffle::input& from, unsigned workers, const read_options& with) {
                            return f(from, count_options{.threads = workers}, with);
                          }));
  }
  return total;
}

template <std::uint64_t (*function)(const input&, const count_options&, const read_options&)>
std::uint64_t count_all(const reading_options& reading, const sources_object& source, int threads) {
  return count(reading, source, threads, function);
}

// A byte as the functions of `bytes` take it: a number, or bytes of length 1.
char byte_of(nb::handle byte) {
  if (PyLong_Check(byte.ptr())) {
    const long value = PyLong_AsLong(byte.ptr());
    if (value == -1 && PyErr_Occurred() != nullptr) PyErr_Clear();
    if (value >= 0 && value <= 255) return static_cast<char>(value);
  } else if (nb::isinstance<nb::bytes>(byte)) {
    const std::string_view bytes = view_of(nb::borrow<nb::bytes>(byte));
    if (bytes.size() == 1) return bytes.front();
  } else {
    raise(PyExc_TypeError,
          std::string("byte must be bytes or int, not ") + nb::type_name(byte.type()).c_str());
  }
  raise(PyExc_ValueError, "byte must be one byte, or a number from 0 to 255");
}

std::uint64_t count_byte_of(const reading_options& reading, const sources_object& source, nb::handle byte,
                            int threads) {
  const char wanted = byte_of(byte);
  return count(reading, source, threads,
               [&](const input& from, const auto&... how) { return count_byte(from, wanted, how...); });
}

std::uint64_t count_members(const reading_options& reading, const sources_object& source,
                            const nb::bytes& members, int threads) {
  const byte_set set(view_of(members));
  return count(reading, source, threads,
               [&](const input& from, const auto&... how) { return count_any_of(from, set, how...); });
}

byte_counts count_each_byte(const reading_options& reading, const sources_object& source, int threads) {
  return count(reading, source, threads,
               [](const input& from, const auto&... how) { return count_bytes(from, how...); });
}

text_encoding encoding_of(std::string_view name) {
  if (name == "utf8") return text_encoding::utf8;
  if (name == "bytes") return text_encoding::bytes;
  if (name == "locale") return text_encoding::locale;
  refuse("encoding must be 'utf8', 'bytes' or 'locale'", name);
}

nb::object count_text_of(const reading_options& reading, const sources_object& source, bool lines, bool words,
                         bool characters, bool longest_line, std::string_view encoding, bool no_break_spaces,
                         int threads) {
  text_options options{.lines = lines,
                       .words = words,
                       .characters = characters,
                       .longest_line = longest_line,
                       .encoding = encoding_of(encoding),
                       .no_break_spaces = no_break_spaces};
  const text_counts counts = count(
      reading, source, threads, [&](const input& from, const count_options& how, const read_options& with) {
        options.threads = how.threads;
        return count_text(from, options, with);
      });
  return imported("riffle_io._public")
      .attr("TextCounts")(counts.lines, counts.words, counts.characters, counts.bytes, counts.longest_line);
}

// The text to search for.
std::string text_of(const byte_object& text) {
  std::string bytes = bytes_of(text);
  if (bytes.empty()) raise(PyExc_ValueError, "text must not be empty");
  return bytes;
}

std::uint64_t count_lines_of(const reading_options& reading, const sources_object& source,
                             const byte_object& text, int threads) {
  const std::string wanted = text_of(text);
  if (wanted.find('\n') != std::string::npos) {
    raise(PyExc_ValueError, "text must not hold a newline, as no line does; use count_occurrences");
  }
  return count(reading, source, threads,
               [&](const input& from, const auto&... how) { return count_lines_with(from, wanted, how...); });
}

std::uint64_t count_occurrences_of(const reading_options& reading, const sources_object& source,
                                   const byte_object& text, int threads) {
  const std::string wanted = text_of(text);
  return count(reading, source, threads, [&](const input& from, const auto&... how) {
    return count_occurrences(from, wanted, how...);
  });
}

}  // namespace

void register_counts(nb::module_& module) {
  define_whole(module, "count_lines", for_records, count_all<count_lines>,
               "Returns the number of newlines, which `wc -l` calls lines.\n\n"
               "Bytes after the last newline do not count, though they are a line for riffle_io.lines.",
               nb::kw_only());
  define_whole(module, "count_words", for_records, count_all<count_words>,
               "Returns the number of words: runs of bytes that are not white space of ASCII.\n\n"
               "This is len(data.split()) for bytes.",
               nb::kw_only());
  define_whole(module, "count_utf8", for_bytes, count_all<count_utf8>,
               "Returns the number of UTF-8 characters: of bytes that are not 0x80 to 0xBF.\n\n"
               "It is exact if the source is valid UTF-8.",
               nb::kw_only());
  define_whole(module, "count_byte", for_bytes, count_byte_of,
               "Returns how often a byte occurs: bytes of length 1, or an int from 0 to 255.",
               nb::arg("byte"), nb::kw_only());
  define_whole(module, "count_any_of", for_bytes, count_members,
               "Returns the number of bytes that occur in members.\n\n"
               "riffle_io.count_any_of(\"genome.fa\", b\"cCgG\") counts the letters of two bases.",
               nb::arg("members"), nb::kw_only());
  define_whole(
      module, "count_bytes", for_bytes, count_each_byte,
      "Returns how often each byte occurs: a list of 256 numbers, of which the one at ord(\"A\") is that "
      "of b\"A\".",
      nb::kw_only());
  define_whole(
      module, "count_text", for_records, count_text_of,
      "Returns what `wc` counts of a text, in one pass, as a riffle_io.TextCounts.\n\n"
      "The rules are those of GNU wc. encoding is \"utf8\"; \"bytes\", the C locale, where each byte is "
      "a character; or \"locale\", that of the program. longest_line is in columns of a terminal. The "
      "no-break spaces separate words, unless no_break_spaces is False.",
      nb::kw_only(), nb::arg("lines") = true, nb::arg("words") = true, nb::arg("characters") = false,
      nb::arg("longest_line") = false, nb::arg("encoding") = "utf8", nb::arg("no_break_spaces") = true);
  define_whole(
      module, "count_lines_with", for_records, count_lines_of,
      "Returns the number of lines that contain a text: bytes, or a str, of which the UTF-8 counts.\n\n"
      "Bytes are compared as bytes. Raises ValueError if text is empty or holds a newline.",
      nb::arg("text"), nb::kw_only());
  define_whole(module, "count_occurrences", for_bytes, count_occurrences_of,
               "Returns how often a text occurs, without overlaps: data.count(text) for bytes.\n\n"
               "A str stands for its UTF-8. Raises ValueError if text is empty.",
               nb::arg("text"), nb::kw_only());
}

}  // namespace riffle::python
