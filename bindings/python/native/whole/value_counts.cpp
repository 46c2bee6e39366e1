/// Defines riffle_io.value_counts.
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>
#include <riffle/error.hpp>
#include <riffle/value_counts.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "bindings/python/native/errors.hpp"
#include "bindings/python/native/parts.hpp"
#include "bindings/python/native/records/field_maker.hpp"
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

// The values as keys of a dict: bytes or str, or tuples of them.
nb::dict dict_of(const value_counter& counter, std::optional<std::size_t> top, bool tuples,
                 const decoder& decode) {
  field_maker make(decode);
  nb::dict made;
  const auto set = [&](const value_count& each) {
    nb::object key;
    if (tuples) {
      nb::list fields;
      text::for_each_field(each.value,
                           [&](std::string_view field) { fields.append(nb::steal(make(field))); });
      key = nb::tuple(fields);
    } else {
      key = nb::steal(make(each.value));
    }
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

nb::dict value_counts_of(const reading_options& reading, const sources_object& sources,
                         const row_keywords& given, std::optional<wanted_columns> columns, bool words,
                         std::optional<std::size_t> top, std::optional<std::uint64_t> max_memory,
                         const std::optional<std::string>& encoding, const std::string& errors,
                         std::string_view bad_rows, int threads) {
  if (columns && columns->empty()) raise(PyExc_ValueError, "name one column at least");
  if (columns && words) raise(PyExc_ValueError, "give columns or words, not both");
  const bool skips = skips_bad_rows(bad_rows);
  if (!columns && (skips || !is_default(given))) {
    raise(PyExc_ValueError, "the words of a dialect and bad_rows need columns");
  }
  const auto is_name = [](const auto& each) { return std::holds_alternative<std::string>(each); };
  const dialect rows = dialect_of(given, columns && std::ranges::any_of(*columns, is_name));
  const decoder decode = decoder_of(
      encoding, errors,
      columns ? std::string{rows.delimiter, rows.separator, rows.quote.value_or(rows.separator)} : "\n");
  if (!columns && decode.drops_mark()) {
    raise(
        PyExc_ValueError,
        "value_counts of lines and words cannot drop the byte order mark of utf-8-sig; use encoding='utf-8'");
  }
  for (tuple_maker::column& each : columns ? *columns : wanted_columns()) {
    if (auto* const name = std::get_if<std::string>(&each)) *name = decode.encode(std::move(*name));
  }
  value_counter total(max_memory.value_or(0));
  for (const nb::handle each : sources_of(sources)) {
    dialect own = rows;
    const nb::object source = decode.source_of(each, reading);
    const python_input input =
        columns ? input_of_rows(source, reading.method, own) : python_input(source, reading.method);
    text::bad_rows bad(skips);
    std::string name;
    read_whole(input, threads, reading_for(source, reading),
               [&](const riffle::input& from, unsigned workers, const read_options& with) {
                 const parallel_options splitting{.threads = workers};
                 riffle::source opened(from, with);
                 name = opened.name();
                 if (!columns) {
                   value_counts_into(total, std::move(opened),
                                     words ? text_values::words : text_values::lines, splitting);
                   return 0;
                 }
                 row_range all(std::move(opened), own);
                 const std::vector<std::size_t> indices = indices_of(*columns, all);
                 text::count_rows(total, bad, std::move(all), splitting,
                                  [&](value_counter& to, const row& row) { to.add(row, indices); });
                 return 0;
               });
    try {
      bad.fail_if_any(name);
    } catch (const error& skipped) {
      warn(skipped);
    }
  }
  return dict_of(total, top, columns && columns->size() > 1, decode);
}

constexpr std::string_view about =
    R"(Returns a dict of how often each line occurs, in the order of the first appearance.

columns counts the values of a column instead, given by its name or its index from 0: ["status"]. Of several, each
combination is a tuple. words=True counts words. top gives only so many, the most frequent one first; of those that
occur equally often, the one that appeared first comes first. Several sources are counted together. max_memory bounds
the bytes that the values take: three quarters of the memory that is free, if it is None.

The values are bytes, or str if encoding is set. encoding and errors mean what they mean to open(). With columns, the
other keywords say what rows are: see riffle_io.rows.)";

}  // namespace

void register_value_counts(nb::module_& module) {
  static const std::string text = documented(about);
  define_rows(module, "value_counts", value_counts_of, text.c_str(), nb::arg("columns") = nb::none(),
              nb::kw_only(), nb::arg("words") = false, nb::arg("top") = nb::none(),
              nb::arg("max_memory") = nb::none(), nb::arg("encoding") = nb::none(),
              nb::arg("errors") = "strict", nb::arg("bad_rows") = "fail", nb::arg("threads") = 1);
}

}  // namespace riffle::python
