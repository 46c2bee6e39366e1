/// Defines what is known of each value of an input: how often it occurs, and the sums of columns beside it.
#include <riffle/error.hpp>
#include <riffle/scan.hpp>
#include <riffle/sums_by.hpp>
#include <riffle/value_counts.hpp>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
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

/// Calls `f` with each entry of a total, or with the top ones.
template <class Total, class F>
void for_each_entry(const Total& total, std::optional<std::size_t> top, F f) {
  if (top) {
    std::ranges::for_each(total.top(*top), f);
  } else {
    std::ranges::for_each(total, f);
  }
}

// Writes a table as rows of text, of which riffle_io.columns makes it: the header, then the rows.
class table_text {
 public:
  table_text(const std::vector<std::string>& names, const decoder& decode)
      : is_text_(decode.text()), key_of_(decode, names.size() > 1) {
    for (const std::string& each : names) add_column(each, is_text_ ? "str" : "bytes");
  }
  void add_column(std::string_view name, std::string_view type) {
    const std::size_t index = nb::len(types_);
    detail::append_field(rows_, name, index == 0);
    types_[nb::int_(index)] = nb::str(type.data(), type.size());
  }
  // The fields of a joined key are written as those of rows. A text that is no UTF-8 raises as in a dict.
  void start_row(std::string_view key) {
    if (is_text_ && scan::find_invalid_utf8(key) < key.size()) key_of_(key);
    rows_ += '\n';
    if (key_of_.tuples) {
      rows_ += key;
    } else {
      detail::append_field(rows_, key, true);
    }
  }
  template <class T>
  void add(std::optional<T> number) {
    rows_ += '\t';
    if (!number) return;
    if constexpr (std::integral<T>) {
      rows_ += std::to_string(*number);
    } else {
      const std::unique_ptr<char, void (*)(void*)> text(PyOS_double_to_string(*number, 'r', 0, 0, nullptr),
                                                        PyMem_Free);
      if (text == nullptr) throw nb::python_error();
      rows_ += text.get();
    }
  }

  nb::object columns() const {
    return imported("riffle_io")
        .attr("columns")(nb::bytes(rows_.data(), rows_.size()), types_, nb::arg("separator") = "\t",
                         nb::arg("header") = true, nb::arg("skip_bom") = false, nb::arg("threads") = 1);
  }

 private:
  bool is_text_;  // the keys
  key_maker key_of_;
  std::string rows_;
  nb::dict types_;
};

void require_utf8(const decoder& decode) {
  if (!decode.text() || decode.strict_utf8()) return;
  raise(PyExc_ValueError,
        "a table of Arrow has UTF-8: with table=True, encoding is 'utf-8' or None, and errors 'strict'");
}

std::vector<std::string> names_of(const wanted_columns& columns, const std::vector<std::string>& header) {
  std::vector<std::string> names;
  for (const tuple_maker::column& each : columns) {
    const auto* const index = std::get_if<std::size_t>(&each);
    names.push_back(index == nullptr         ? std::get<std::string>(each)
                    : *index < header.size() ? header[*index]
                                             : "f" + std::to_string(*index));
  }
  return names;
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

nb::object value_counts_of(const reading_options& reading, const sources_object& sources,
                           const row_keywords& given, std::optional<wanted_columns> columns, bool words,
                           std::optional<std::size_t> top, bool table, const std::vector<byte_object>& null,
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
  if (table) require_utf8(decode);
  value_counter total(max_memory.value_or(0));
  std::vector<std::string> names =
      columns ? names_of(*columns, {}) : std::vector<std::string>{words ? "word" : "line"};
  read_each(reading, sources, decode, columns ? &rows : nullptr, skips, threads,
            [&](source opened, const dialect& own, text::bad_rows& bad, const thread_options& splitting) {
              if (!columns) {
                return value_counts_into(total, std::move(opened),
                                         words ? text_values::words : text_values::lines, splitting);
              }
              row_range all(std::move(opened), own);
              const std::vector<std::size_t> indices = indices_of(*columns, all);
              if (!all.names().empty()) names = names_of(*columns, all.names());
              text::count_rows(total, bad, std::move(all), splitting, [&](value_counter& to, const row& row) {
                const auto is_null = [&row](std::size_t index) { return row.is_null(index); };
                if (own.null.empty() || std::ranges::none_of(indices, is_null)) to.add(row, indices);
              });
            });
  if (!table) return dict_of(total, top, columns && columns->size() > 1, decode);
  table_text made(names, decode);
  made.add_column("count", "u64");
  for_each_entry(total, top, [&](const value_count& each) {
    made.start_row(each.value);
    made.add(std::optional(each.count));
  });
  return made.columns();
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

// Calls `f(suffix of the name, number if there is one)` for each column of a table of the same.
template <class T, class F>
void for_each_known(const key_sum<T>& known, bool all, F f) {
  if (!all) return f("", std::optional(known.sum));
  const auto if_any = [&](auto number) { return known.count == 0 ? std::nullopt : std::optional(number); };
  f("_count", std::optional(known.count));
  f("_min", if_any(known.min));
  f("_max", if_any(known.max));
  f("_sum", std::optional(known.sum));
  f("_mean", if_any(known.mean()));
  f("_nulls", std::optional(known.nulls));
}

struct sum_arguments {
  wanted_columns by, columns;
  bool several;  // columns
  nb::object stats;
  std::optional<std::size_t> top;
  bool table;
  std::uint64_t max_memory;
};

template <class T>
nb::object sums_of(const reading_options& reading, const sources_object& sources, const dialect& rows,
                   bool skips, int threads, const decoder& decode, const sum_arguments& given) {
  key_sums<T> total(given.max_memory);
  std::vector<std::string> names_by = names_of(given.by, {});
  std::vector<std::string> names = names_of(given.columns, {});
  read_each(reading, sources, decode, &rows, skips, threads,
            [&](source opened, const dialect& own, text::bad_rows& bad, const thread_options& splitting) {
              row_range all(std::move(opened), own);
              const std::vector<std::size_t> by = indices_of(given.by, all);
              const std::vector<std::size_t> columns = indices_of(given.columns, all);
              if (!all.names().empty()) {
                names_by = names_of(given.by, all.names());
                names = names_of(given.columns, all.names());
              }
              text::count_rows(total, bad, std::move(all), splitting,
                               [&](key_sums<T>& to, auto& rows) { to.add(rows, by, columns); });
            });
  if (given.table) {
    const bool all = !given.stats.is_none();
    table_text made(names_by, decode);
    for (const std::string& each : names) {
      for_each_known(key_sum<T>(), all, [&]<class V>(std::string_view suffix, std::optional<V>) {
        made.add_column(each + std::string(suffix), detail::field_traits<V>::name);
      });
    }
    for_each_entry(total, given.top, [&](const auto& each) {
      made.start_row(each.key());
      for (std::size_t i = 0; i != names.size(); ++i) {
        for_each_known(each[i], all, [&](std::string_view, const auto& number) { made.add(number); });
      }
    });
    return made.columns();
  }
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
  for_each_entry(total, given.top, set);
  return made;
}

nb::object sum_by(const reading_options& reading, const sources_object& sources, const row_keywords& given,
                  column_or_columns by, column_or_columns columns, std::string_view dtype, bool stats,
                  std::optional<std::size_t> top, bool table, const std::vector<byte_object>& null,
                  bool quoted_null, std::optional<std::uint64_t> max_memory,
                  const std::optional<std::string>& encoding, const std::string& errors,
                  std::string_view bad_rows, int threads) {
  sum_arguments wanted{{},
                       {},
                       std::holds_alternative<wanted_columns>(columns),
                       stats ? imported("riffle_io._public").attr("ColumnStats") : nb::none(),
                       top,
                       table,
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
  if (table) require_utf8(decode);
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
column. table=True returns riffle_io.Columns instead of a dict, a table for libraries of Arrow: the columns of by, and
the sums by the names of their columns; with stats=True price_count, price_min and so on. dtype is "float64", "int64" or "uint64". Sums are exact, and rounded once if they are floats. null are the
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
occur equally often, the one that appeared first comes first. table=True returns riffle_io.Columns instead of a dict, a
table for libraries of Arrow: the values by the names of their columns, "line" or "word", and "count". Several sources are counted together. max_memory bounds
the bytes that the values take: three quarters of the memory that is free, if it is None. A row with a column that is
null does not count: null lists the texts, such as ["NA", ""], and with quoted_null=False a field in quotes is never null.

The values are bytes, or str if encoding is set. encoding and errors mean what they mean to open(). With columns, the
other keywords say what rows are: see riffle_io.rows.)";

}  // namespace

void register_totals(nb::module_& module) {
  const std::string text = documented(about);
  define_rows(module, "value_counts", value_counts_of, text.c_str(), nb::arg("columns") = nb::none(),
              nb::kw_only(), nb::arg("words") = false, nb::arg("top") = nb::none(), nb::arg("table") = false,
              nb::arg("null") = nb::tuple(), nb::arg("quoted_null") = true,
              nb::arg("max_memory") = nb::none(), nb::arg("encoding") = nb::none(),
              nb::arg("errors") = "strict", nb::arg("bad_rows") = "fail", nb::arg("threads") = 1);
  const std::string sums = documented(about_sums);
  define_rows(module, "sum_by", sum_by, sums.c_str(), nb::arg("by"), nb::arg("columns"), nb::kw_only(),
              nb::arg("dtype") = "float64", nb::arg("stats") = false, nb::arg("top") = nb::none(),
              nb::arg("table") = false, nb::arg("null") = nb::tuple(), nb::arg("quoted_null") = true,
              nb::arg("max_memory") = nb::none(), nb::arg("encoding") = nb::none(),
              nb::arg("errors") = "strict", nb::arg("bad_rows") = "fail", nb::arg("threads") = 1);
}

}  // namespace riffle::python
