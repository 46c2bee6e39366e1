/// Defines the counts: each reads a whole input and returns a number, several, or how often each value
/// occurs.
#include <riffle/count.hpp>
#include <riffle/count_text.hpp>
#include <riffle/error.hpp>
#include <riffle/sums_by.hpp>
#include <riffle/value_counts.hpp>

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
#include "bindings/python/native/records/makers.hpp"
#include "bindings/python/native/records/row_arguments.hpp"
#include "bindings/python/native/whole/read_whole.hpp"
#include "text/row_values.hpp"

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

using wanted_columns = std::vector<tuple_maker::column>;

std::vector<std::size_t> indices_of(const wanted_columns& columns, const row_range& rows) {
  std::vector<std::size_t> indices;
  for (const tuple_maker::column& each : columns) {
    const auto* const name = std::get_if<std::string>(&each);
    indices.push_back(name == nullptr ? std::get<std::size_t>(each) : rows.column(*name));
  }
  return indices;
}

bool is_default(const row_keywords& given) {
  return given.dialect == "csv" && !given.separator && !given.delimiter && given.quote.ptr() == Py_Ellipsis &&
         !given.quoting && !given.double_quote && !given.escape && !given.skip_initial_space &&
         !given.strip_cr && !given.skip_bom && !given.skip_rows && !given.comment && !given.skip_blank &&
         !given.ragged && !given.trim && !given.header && !given.max_length;
}

// Makes keys of a dict of values: bytes or str, or tuples of them.
struct key_maker {
  explicit key_maker(const decoder& decode, bool makes_tuples) : make(decode), tuples(makes_tuples) {}
  nb::object operator()(std::string_view value) {
    if (!tuples) return nb::steal(make(value));
    nb::list fields;
    text::for_each_field(value, [&](std::string_view field) { fields.append(nb::steal(make(field))); });
    return nb::tuple(fields);
  }
  field_maker make;
  bool tuples;
};

nb::dict dict_of(const value_counter& counter, std::optional<std::size_t> top, bool tuples,
                 const decoder& decode) {
  key_maker key_of(decode, tuples);
  nb::dict made;
  const auto set = [&](const value_count& each) {
    const nb::object key = key_of(each.value);
    made[key] = nb::int_(each.count) + (made.contains(key) ? nb::object(made[key]) : nb::object(nb::int_(0)));
  };
  if (top && (!decode.text() || decode.strict_utf8())) {
    std::ranges::for_each(counter.top(*top), set);
    return made;
  }
  std::ranges::for_each(counter, set);
  if (!top) return made;
  // Values of other bytes may have become the same text.
  const nb::object most = imported("heapq").attr("nlargest")(
      *top, made.attr("items")(), nb::arg("key") = imported("operator").attr("itemgetter")(1));
  return nb::cast<nb::dict>(imported("builtins").attr("dict")(most));
}

bool is_name(const tuple_maker::column& column) {
  return std::holds_alternative<std::string>(column);
}
void encode_names(wanted_columns& columns, const decoder& decode) {
  for (tuple_maker::column& each : columns) {
    if (auto* const name = std::get_if<std::string>(&each)) *name = decode.encode(std::move(*name));
  }
}
std::string marks_of(const dialect& rows) {
  return {rows.delimiter, rows.separator, rows.quote.value_or(rows.separator)};
}

// Calls `use(source, dialect, bad_rows&, threads)` with each source, of `rows` if they are not null. Warns of
// the rows that were skipped.
template <class Use>
void read_each(const reading_options& reading, const sources_object& sources, const decoder& decode,
               const dialect* rows, bool skips, int threads, Use use) {
  for (const nb::handle each : sources_of(sources)) {
    dialect own = rows == nullptr ? csv : *rows;
    const nb::object source = decode.source_of(each, reading);
    const python_input input =
        rows == nullptr ? python_input(source, reading.method) : input_of_rows(source, reading.method, own);
    text::bad_rows bad(skips);
    std::string name;
    read_whole(input, threads, reading,
               [&](const riffle::input& from, unsigned workers, const read_options& with) {
                 riffle::source opened(from, with);
                 name = opened.name();
                 use(std::move(opened), own, bad, thread_options{.threads = workers});
                 return 0;
               });
    try {
      bad.fail_if_any(name);
    } catch (const error& skipped) {
      warn(skipped);
    }
  }
}

nb::dict value_counts_of(const reading_options& reading, const sources_object& sources,
                         const row_keywords& given, std::optional<wanted_columns> columns, bool words,
                         std::optional<std::size_t> top, const std::vector<byte_object>& null,
                         bool quoted_null, std::optional<std::uint64_t> max_memory,
                         const std::optional<std::string>& encoding, const std::string& errors,
                         std::string_view bad_rows, int threads) {
  if (columns && columns->empty()) raise(PyExc_ValueError, "name one column at least");
  if (columns && words) raise(PyExc_ValueError, "give columns or words, not both");
  const bool skips = skips_bad_rows(bad_rows);
  if (!columns && (skips || !null.empty() || !quoted_null || !is_default(given))) {
    raise(PyExc_ValueError, "the words of a dialect, null and bad_rows need columns");
  }
  dialect rows = dialect_of(given, columns && std::ranges::any_of(*columns, is_name));
  set_null(rows, null, quoted_null);
  const decoder decode = decoder_of(encoding, errors, columns ? marks_of(rows) : "\n");
  if (!columns && decode.drops_mark()) {
    raise(
        PyExc_ValueError,
        "value_counts of lines and words cannot drop the byte order mark of utf-8-sig; use encoding='utf-8'");
  }
  if (columns) encode_names(*columns, decode);
  value_counter total(max_memory.value_or(0));
  read_each(reading, sources, decode, columns ? &rows : nullptr, skips, threads,
            [&](source opened, const dialect& own, text::bad_rows& bad, const thread_options& splitting) {
              if (!columns) {
                return value_counts_into(total, std::move(opened),
                                         words ? text_values::words : text_values::lines, splitting);
              }
              row_range all(std::move(opened), own);
              const std::vector<std::size_t> indices = indices_of(*columns, all);
              text::count_rows(total, bad, std::move(all), splitting, [&](value_counter& to, const row& row) {
                const auto is_null = [&row](std::size_t index) { return row.is_null(index); };
                if (own.null.empty() || std::ranges::none_of(indices, is_null)) to.add(row, indices);
              });
            });
  return dict_of(total, top, columns && columns->size() > 1, decode);
}

// One column, or several.
using column_or_columns = std::variant<tuple_maker::column, wanted_columns>;

wanted_columns columns_of(column_or_columns given) {
  if (auto* const one = std::get_if<tuple_maker::column>(&given)) return {std::move(*one)};
  return std::get<wanted_columns>(std::move(given));
}

// What is known of a column beside a key: its sum, or all.
template <class T>
nb::object object_of(const key_sum<T>& known, const nb::object& stats) {
  const nb::object sum = nb::cast(known.sum);
  if (stats.is_none()) return sum;
  const auto known_or_none = [&](auto number) {
    return known.count == 0 ? nb::none() : nb::object(nb::cast(number));
  };
  return stats(known.count, known_or_none(known.min), known_or_none(known.max), sum,
               known_or_none(known.mean()), known.nulls);
}

struct sum_arguments {
  wanted_columns by, columns;
  bool several;  // columns
  nb::object stats;
  std::optional<std::size_t> top;
  std::uint64_t max_memory;
};

template <class T>
nb::dict sums_of(const reading_options& reading, const sources_object& sources, const dialect& rows,
                 bool skips, int threads, const decoder& decode, const sum_arguments& given) {
  key_sums<T> total(given.max_memory);
  read_each(reading, sources, decode, &rows, skips, threads,
            [&](source opened, const dialect& own, text::bad_rows& bad, const thread_options& splitting) {
              row_range all(std::move(opened), own);
              const std::vector<std::size_t> by = indices_of(given.by, all);
              const std::vector<std::size_t> columns = indices_of(given.columns, all);
              text::count_rows(total, bad, std::move(all), splitting,
                               [&](key_sums<T>& to, const row& row) { to.add(row, by, columns); });
            });
  key_maker key_of(decode, given.by.size() > 1);
  nb::dict made;
  const auto set = [&](const auto& each) {
    const nb::object key = key_of(each.key());
    if (made.contains(key)) {
      raise(PyExc_ValueError, "keys of different bytes become the same text; set another encoding or errors");
    }
    nb::list columns;
    for (std::size_t i = 0; i != given.columns.size(); ++i) columns.append(object_of(each[i], given.stats));
    made[key] = given.several ? nb::object(nb::tuple(columns)) : nb::object(columns[0]);
  };
  if (given.top) {
    std::ranges::for_each(total.top(*given.top), set);
  } else {
    std::ranges::for_each(total, set);
  }
  return made;
}

nb::dict sum_by(const reading_options& reading, const sources_object& sources, const row_keywords& given,
                column_or_columns by, column_or_columns columns, std::string_view dtype, bool stats,
                std::optional<std::size_t> top, const std::vector<byte_object>& null, bool quoted_null,
                std::optional<std::uint64_t> max_memory, const std::optional<std::string>& encoding,
                const std::string& errors, std::string_view bad_rows, int threads) {
  sum_arguments wanted{{},
                       {},
                       std::holds_alternative<wanted_columns>(columns),
                       stats ? imported("riffle_io._public").attr("ColumnStats") : nb::none(),
                       top,
                       max_memory.value_or(0)};
  wanted.by = columns_of(std::move(by));
  wanted.columns = columns_of(std::move(columns));
  if (wanted.by.empty() || wanted.columns.empty()) raise(PyExc_ValueError, "name one column at least");
  dialect rows = dialect_of(
      given, std::ranges::any_of(wanted.by, is_name) || std::ranges::any_of(wanted.columns, is_name));
  set_null(rows, null, quoted_null);
  const bool skips = skips_bad_rows(bad_rows);
  const decoder decode = decoder_of(encoding, errors, marks_of(rows));
  encode_names(wanted.by, decode);
  encode_names(wanted.columns, decode);
  if (dtype == "float64") return sums_of<double>(reading, sources, rows, skips, threads, decode, wanted);
  if (dtype == "int64") return sums_of<std::int64_t>(reading, sources, rows, skips, threads, decode, wanted);
  if (dtype == "uint64")
    return sums_of<std::uint64_t>(reading, sources, rows, skips, threads, decode, wanted);
  refuse("dtype must be 'float64', 'int64' or 'uint64'", dtype);
}

constexpr std::string_view about_sums =
    R"(Returns a dict of sums of columns by key, in the order of the first appearance: {key: sum}.

by names the columns whose values are keys, and columns those that are summed: a name, an index from 0, or a list of
them. Of several by, a key is a tuple. If columns is a list, each value is a tuple with an item for each. With
stats=True an item is a ColumnStats instead of a sum. top gives only so many, those with the largest sums of the first
column. dtype is "float64", "int64" or "uint64". Sums are exact, and rounded once if they are floats. null are the
texts that stand for no number, such as ["NA"]; with quoted_null=False a field in quotes is never null. Several sources are summed together. max_memory is as in
riffle_io.value_counts.

The keys are bytes, or str if encoding is set. encoding and errors mean what they mean to open(). The other keywords
say what rows are: see riffle_io.rows.

Raises RiffleError if a field is missing or no number, and if a sum of integers does not fit 64 bits; ValueError if
keys of different bytes become the same text by errors.)";

constexpr std::string_view about =
    R"(Returns a dict of how often each line occurs, in the order of the first appearance.

columns counts the values of a column instead, given by its name or its index from 0: ["status"]. Of several, each
combination is a tuple. words=True counts words. top gives only so many, the most frequent one first; of those that
occur equally often, the one that appeared first comes first. Several sources are counted together. max_memory bounds
the bytes that the values take: three quarters of the memory that is free, if it is None. A row with a column that is
null does not count: null lists the texts, such as ["NA", ""], and with quoted_null=False a field in quotes is never null.

The values are bytes, or str if encoding is set. encoding and errors mean what they mean to open(). With columns, the
other keywords say what rows are: see riffle_io.rows.)";

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
  const std::string text = documented(about);
  define_rows(module, "value_counts", value_counts_of, text.c_str(), nb::arg("columns") = nb::none(),
              nb::kw_only(), nb::arg("words") = false, nb::arg("top") = nb::none(),
              nb::arg("null") = nb::tuple(), nb::arg("quoted_null") = true,
              nb::arg("max_memory") = nb::none(), nb::arg("encoding") = nb::none(),
              nb::arg("errors") = "strict", nb::arg("bad_rows") = "fail", nb::arg("threads") = 1);
  const std::string sums = documented(about_sums);
  define_rows(module, "sum_by", sum_by, sums.c_str(), nb::arg("by"), nb::arg("columns"), nb::kw_only(),
              nb::arg("dtype") = "float64", nb::arg("stats") = false, nb::arg("top") = nb::none(),
              nb::arg("null") = nb::tuple(), nb::arg("quoted_null") = true,
              nb::arg("max_memory") = nb::none(), nb::arg("encoding") = nb::none(),
              nb::arg("errors") = "strict", nb::arg("bad_rows") = "fail", nb::arg("threads") = 1);
}

}  // namespace riffle::python
