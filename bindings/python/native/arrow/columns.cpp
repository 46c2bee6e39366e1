/// Defines riffle_io.columns and the class Columns.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <riffle/error.hpp>
#include <riffle/parallel.hpp>
#include <riffle/rows.hpp>
#include <riffle/scan.hpp>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "bindings/python/native/arrow/columns.hpp"
#include "bindings/python/native/arrow/table.hpp"
#include "bindings/python/native/errors.hpp"
#include "bindings/python/native/interpreter.hpp"
#include "bindings/python/native/python_input.hpp"
#include "bindings/python/native/records/row_arguments.hpp"
#include "bindings/python/native/whole/read_whole.hpp"
#include "text/row_values.hpp"

namespace nb = nanobind;

namespace riffle::python {

namespace {

using arrow::wanted_column;

/// What the stubs call the argument.
class column_types : public nb::object {
  static bool accepts(PyObject* value) { return nb::hasattr(value, "keys"); }
  NB_OBJECT(column_types, nb::object,
            "collections.abc.Mapping[str, _Type] | collections.abc.Mapping[int, _Type]", accepts)
};

/// Holds an input whose columns are read.
struct opened_columns final : arrow::table_source {
  static constexpr const char* gone = "these columns were given away, or are closed";

  opened_columns(python_input from, bool skips_bad) : input(std::move(from)), bad(skips_bad) {}

  const std::vector<arrow::table_column>& columns() const noexcept override { return tables->columns(); }
  // The end warns of the rows that were skipped, once.
  arrow::table next() override {
    (*signals)();
    arrow::table made = tables->next();
    if (made.rows == 0) signals->at_end();
    if (made.rows == 0) try {
        std::exchange(bad, bad.of_split()).fail_if_any(name);
      } catch (const error& skipped) {
        const std::exception_ptr raised = with_gil([&] { warn(skipped); });
        if (raised) std::rethrow_exception(raised);
      }
    return made;
  }
  int visit(visitproc visit, void* arg) const {
    const int stopped = signals->visit(visit, arg);
    return stopped != 0 ? stopped : input.visit(visit, arg);
  }

  python_input input;
  std::string name = {};
  text::bad_rows bad;
  std::unique_ptr<signal_checks> signals = std::make_unique<signal_checks>();
  std::unique_ptr<arrow::table_source> tables = {};
};

/// Is `riffle_io.Columns`.
class python_columns : public arrow::given_tables<opened_columns> {
 public:
  using given_tables::given_tables;

  nb::str description() const {
    std::string names;
    for (const arrow::table_column& each : columns())
      names.append(names.empty() ? ": " : ", ").append(each.name);
    return given_tables::description("Columns", names);
  }
};

// A name, or an index, and its type.
struct asked_column {
  std::variant<std::string, std::size_t> which;
  arrow::column_type type;
};

// The name of a type: text, that of a class or a dtype of NumPy, or the text of an object of Arrow or polars.
std::string name_of_type(nb::handle type) {
  if (PyUnicode_Check(type.ptr()) != 0) return nb::cast<std::string>(type);
  nb::object name = nb::getattr(type, PyType_Check(type.ptr()) != 0 ? "__name__" : "name", nb::none());
  if (PyUnicode_Check(name.ptr()) == 0) name = nb::str(type);
  if (nb::hasattr(type, "bit_width") && nb::str("float").equal(name)) return "f32";  // as Arrow calls it
  return nb::cast<std::string>(name);
}

arrow::column_type type_of_column(nb::handle type) {
  const std::string name = name_of_type(type);
  std::optional<arrow::column_type> found = arrow::column_type_named(name);
  if (found) return *std::move(found);
  raise(PyExc_ValueError,
        "unknown type '" + name + "' of a column: give one of " + arrow::column_type_names());
}

std::optional<std::string> column_type(nb::handle type) {
  std::optional<arrow::column_type> found = arrow::column_type_named(name_of_type(type));
  return found ? std::optional(std::move(found->name)) : std::nullopt;
}

std::vector<asked_column> asked_columns(const std::optional<column_types>& given) {
  const nb::dict types;
  if (given && PyDict_Update(types.ptr(), given->ptr()) != 0) throw nb::python_error();
  std::vector<asked_column> asked;
  for (const auto [key, type] : types) {
    asked_column each;
    std::size_t index = 0;
    if (PyUnicode_Check(key.ptr()) != 0) {
      each.which = nb::cast<std::string>(key);
    } else if (PyBool_Check(key.ptr()) == 0 && nb::try_cast(key, index)) {
      each.which = index;
    } else {
      raise(PyExc_TypeError, "a column is a name (str) or an index from 0 (int)");
    }
    each.type = type_of_column(type);
    asked.push_back(std::move(each));
  }
  return asked;
}

// Returns the name of a column, which must be UTF-8 for Arrow. If the header has none for it alone, it is
// "f2", or "f2_" if the header has "f2".
std::string name_at(std::size_t index, const std::vector<std::string>& names) {
  if (index < names.size() && scan::find_invalid_utf8(names[index]) == std::string_view::npos) {
    const auto place = names.begin() + static_cast<std::ptrdiff_t>(index);
    if (std::find(names.begin(), place, *place) == place) return *place;
  }
  std::string made = "f" + std::to_string(index);
  while (std::ranges::find(names, made) != names.end()) made += '_';
  return made;
}

// With `others`, all columns of the header are found, in its order.
std::vector<wanted_column> found_in(const row_range& rows, const std::vector<asked_column>& asked,
                                    const std::optional<arrow::column_type>& others) {
  const std::vector<std::string>& names = rows.names();
  std::vector<wanted_column> found;
  for (const asked_column& each : asked) {
    if (const auto* const name = std::get_if<std::string>(&each.which)) {
      found.push_back({*name, rows.column(*name), each.type});
    } else {
      const std::size_t index = std::get<std::size_t>(each.which);
      found.push_back({name_at(index, names), index, each.type});
    }
  }
  if (!others) return found;
  std::vector<bool> is_asked(names.size());
  for (const wanted_column& each : found) {
    if (each.field < names.size()) is_asked[each.field] = true;
  }
  for (std::size_t i = 0; i != names.size(); ++i) {
    if (!is_asked[i]) found.push_back({name_at(i, names), i, *others});
  }
  std::ranges::stable_sort(found, {}, &wanted_column::field);
  return found;
}

python_columns* columns(const reading_options& given, const source_object& source,
                        const row_keywords& rows_given, const std::optional<column_types>& types,
                        const nb::object& others, int threads, const std::vector<byte_object>& null,
                        bool quoted_null, std::string_view bad_rows) {
  const std::vector<asked_column> asked = asked_columns(types);
  std::optional<arrow::column_type> type_of_others;
  if (!others.is_none()) type_of_others = type_of_column(others);
  if (!types && !type_of_others) type_of_others = arrow::column_type_named("str");
  if (asked.empty() && !type_of_others)
    raise(PyExc_ValueError, "name one column at least: {\"price\": \"f64\"}");
  if (type_of_others && !rows_given.header.value_or(true)) {
    raise(PyExc_ValueError, "without a header, riffle cannot know all columns; give types by indices");
  }
  const auto is_name = [](const asked_column& each) {
    return std::holds_alternative<std::string>(each.which);
  };
  dialect how = dialect_of(rows_given, type_of_others || std::ranges::any_of(asked, is_name));
  set_null(how, null, quoted_null);
  auto opened =
      std::make_unique<opened_columns>(input_of_rows(source, given.method, how), skips_bad_rows(bad_rows));
  const unsigned workers = threads_for(opened->input, threads);
  read_options reading = opened->signals->in(given, opened->input);
  reading.decode_threads = workers;
  without_gil([&] {
    row_range rows(opened->input.get(), how, reading);
    opened->name = rows.from().name();
    std::vector<wanted_column> wanted = found_in(rows, asked, type_of_others);
    opened->tables = arrow::tables_of(std::move(rows), std::move(wanted), opened->bad, workers,
                                      [signals = opened->signals.get()] { (*signals)(); });
  });
  std::string name = opened->name;
  return new python_columns(std::move(opened), std::move(name));
}

constexpr const char* about_columns =
    R"doc(Returns columns of CSV as a table for libraries of Arrow: pyarrow.table(columns), polars.DataFrame(columns).

Without types, each column of the header is text. types gives each column, by its name or its index from 0, a type: "f64", "f32", "i64", "i32", "i16", "i8",
"u64", "u32", "u16", "u8", "bool", "date", "timestamp[us]" (or s, ms, ns; with a zone as "timestamp[us, UTC]"),
"decimal(10, 2)", "str" (UTF-8) or "bytes"; "float64" and "int64" are the same, and so are the types of NumPy, Arrow
and polars. others is the type of the columns of the header that types does not name; None leaves them out. An empty
field is empty text in a column of text, and null in another. null lists more texts that are null, in every column: null=["NA", ""]. With
quoted_null=False a field in quotes is never null, as in CSV of PostgreSQL's COPY: "" is a text, and no number. There is a
header if a column has a name, with others, without types, or with header=True; without, column 2 is called "f2". bad_rows="skip" leaves out the
rows that ragged="fail" refuses, and those that lack a column or have a field that is no such value. The end of the
stream warns of them.

threads read ahead of the consumer, each some batches of about 4 MiB of the input; 0: as many as the process may
run. One thread reads a pipe, a file object or a compressed source, when the consumer asks for a batch. The other
keywords are those of riffle_io.rows.

Raises RiffleError if the source cannot be opened, or has no such column. Later failures are those of the stream:
a message with the offset, the row and the column of a field that is no such value, or that a row lacks. The
batches before the failure were right.

The first call of pyarrow.table imports pandas if it is installed, which takes longer than to read a small file:
pyarrow.RecordBatchReader.from_stream(columns).read_all() gives the same table without.)doc";

}  // namespace

void register_columns(nb::module_& module) {
  arrow::define_tables<python_columns>(
      module, "Columns", "Some columns of an input as a stream of Arrow, once. riffle_io.columns makes it.")
      .def("__repr__", &python_columns::description)
      .def("close", &python_columns::give_up, "Closes the input, unless a stream has it.")
      .def("__enter__", [](nb::handle self) { return nb::borrow(self); })
      .def("__exit__", [](python_columns& self, const nb::args&) { self.give_up(); });
  module.def("column_type", column_type, nb::arg("type"),
             "Returns what riffle_io calls the type of a column; None if it has no such type.");
  define_rows(module, "columns", columns, about_columns, nb::arg("types") = nb::none(), nb::kw_only(),
              nb::arg("others") = nb::none(), nb::arg("threads") = 0, nb::arg("null") = nb::tuple(),
              nb::arg("quoted_null") = true, nb::arg("bad_rows") = "fail");
}

}  // namespace riffle::python
