/// Defines the Arrow methods of riffle_io.Lines, and the classes LineBatches and LineBatch.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/unique_ptr.h>

#include <exception>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/python/native/arrow/line_batches.hpp"
#include "bindings/python/native/arrow/table.hpp"
#include "bindings/python/native/errors.hpp"
#include "bindings/python/native/interpreter.hpp"
#include "bindings/python/native/records/lines.hpp"

namespace nb = nanobind;

namespace riffle::python::arrow {

namespace {

/// Is `riffle_io.LineBatch`.
struct python_batch {
  table lines;
  std::vector<table_column> columns;
};

nb::tuple batch_capsules(const python_batch& self, nb::handle /*requested_schema*/) {
  return nb::make_tuple(schema_capsule(self.columns), capsule_of<c_array>("arrow_array", [&](c_array& to) {
                          export_table(self.lines, to);
                        }));
}

/// Reads the lines of Python inputs, one after the other.
class reading final : public table_source {
 public:
  static constexpr const char* gone = "these batches were given away, or another thread is reading them";

  reading(opened_lines from, const line_options& lines, const column_options& column, std::size_t size)
      : from_(std::move(from)), options_(lines), column_(column), size_(size), columns_{line_column(column)} {
    begin();
  }

  const std::vector<table_column>& columns() const noexcept override { return columns_; }
  table next() override {
    while (lines_) {
      from_.checks().follow_this_thread();
      if (table found = lines_->next(); found.rows != 0) return found;
      from_.checks().at_end();
      if (!from_.more()) return {};
      const std::exception_ptr failure = with_gil([this] {
        if (from_.open_next()) begin();
      });
      if (failure != nullptr) std::rethrow_exception(failure);
    }
    return {};
  }
  /// Closes the input. From now on `next` returns no rows. Call it with the GIL held.
  void close() {
    lines_.reset();
    const std::optional<python_input> unused = std::exchange(from_.input, std::nullopt);
  }

  int visit(visitproc visit, void* arg) const { return from_.visit(visit, arg); }

 private:
  void begin() { lines_.emplace(std::move(*from_.range).taken(), options_, column_, size_); }

  opened_lines from_;
  line_options options_;
  column_options column_;
  std::size_t size_;  // of a batch
  std::vector<table_column> columns_;
  std::optional<line_batches> lines_;  // of the source that is read; none if it is closed
};

/// Is `riffle_io.LineBatches`.
class python_batches : public given_tables<reading> {
 public:
  using given_tables::given_tables;

  /// Returns the next batch. Raises `StopIteration` at the end.
  python_batch next() {
    const std::shared_ptr<reading> taken = take();
    table found;
    const std::exception_ptr failure = failure_of([&] { without_gil([&] { found = taken->next(); }); });
    if (failure == nullptr && found.rows == 0) taken->close();
    give_back(taken);
    if (failure != nullptr) without_stop_iteration([&] { std::rethrow_exception(failure); });
    if (found.rows == 0) throw nb::stop_iteration();
    rows_ += found.rows;
    return {std::move(found), columns()};
  }
  nb::str description() const {
    return given_tables::description("LineBatches",
                                     rows_ == 0 ? "" : ", after line " + std::to_string(rows_));
  }

 private:
  std::int64_t rows_ = 0;  // of the batches so far
};

layout layout_of(std::string_view name) {
  if (name == "view") return layout::view;
  if (name == "terminated") return layout::terminated;
  if (name == "packed") return layout::packed;
  refuse("layout must be 'view', 'terminated' or 'packed'", name);
}

/// The layout of a column that every function of every library takes.
constexpr const char* default_layout = "packed";

// Returns the Arrow format of the only column of a schema; "" if it has several or none.
std::string_view requested_format(nb::handle capsule) {
  const auto* const schema =
      static_cast<const c_schema*>(PyCapsule_GetPointer(capsule.ptr(), "arrow_schema"));
  if (schema == nullptr) throw nb::python_error();
  return schema->n_children == 1 ? schema->children[0]->format : "";
}

column_options column_of(const python_lines& lines, std::string_view layout, std::optional<bool> string) {
  const arrow::layout chosen = layout_of(layout);
  const bool text = string.value_or(lines.decode().text());
  if (text && lines.decode().text() && !lines.decode().strict_utf8()) {
    raise(PyExc_ValueError,
          "an Arrow string is UTF-8: use encoding='utf-8' with errors='strict', or string=False");
  }
  const column_options column{chosen, text};
  if (const char* const reason = why_no_column(lines.options(), column)) raise(PyExc_ValueError, reason);
  return column;
}

std::unique_ptr<python_batches> batches(python_lines& self, std::string_view layout,
                                        std::optional<bool> string, std::size_t batch_size) {
  const column_options column = column_of(self, layout, string);
  return std::make_unique<python_batches>(
      std::make_unique<reading>(self.take(), self.options(), column, batch_size), self.name());
}

nb::capsule lines_schema(const python_lines& self) {
  return schema_capsule({line_column(column_of(self, default_layout, std::nullopt))});
}

// Gives views, and text or bytes, if a consumer asks for such a column. The consumer casts columns of another
// type.
nb::capsule lines_stream(python_lines& self, nb::handle requested_schema) {
  const std::string_view format = requested_schema.is_none() ? "" : requested_format(requested_schema);
  const bool known = format == "u" || format == "z" || format == "vu" || format == "vz";
  std::optional<bool> text;
  if (known && (self.decode().strict_utf8() || !self.decode().text())) text = format.back() == 'u';
  return batches(self, known && format.front() == 'v' ? "view" : default_layout, text, 0)->stream();
}

}  // namespace

}  // namespace riffle::python::arrow

namespace riffle::python {

void register_arrow(nb::module_& module) {
  using namespace arrow;
  nb::class_<python_batch>(module, "LineBatch", "Some lines as a batch of Arrow with one column, 'line'.")
      .def(
          "__len__", [](const python_batch& self) { return self.lines.rows; }, "Returns the number of lines.")
      .def("__repr__",
           [](const python_batch& self) {
             return nb::str("<riffle_io.LineBatch of {} lines>").format(self.lines.rows);
           })
      .def(
          "__arrow_c_schema__", [](const python_batch& self) { return schema_capsule(self.columns); },
          "Returns the type as a capsule of the Arrow C data interface.")
      .def("__arrow_c_array__", batch_capsules, nb::arg("requested_schema") = nb::none(),
           "Returns the type and the batch as capsules of the Arrow C data interface, without a copy.");

  define_tables<python_batches>(module, "LineBatches",
                                "Iterates over the lines of an input as batches of Arrow, once.")
      .def("__iter__", [](nb::handle self) { return nb::borrow(self); })
      .def("__next__", &python_batches::next)
      .def("__repr__", &python_batches::description);

  const nb::handle lines = nb::type<python_lines>();
  const auto define = [&](const char* name, auto&&... more) {
    lines.attr(name) = nb::cpp_function(std::forward<decltype(more)>(more)..., nb::name(name),
                                        nb::scope(lines), nb::is_method());
  };
  define("batches", batches, nb::arg("layout") = default_layout, nb::kw_only(),
         nb::arg("string") = nb::none(), nb::arg("batch_size") = 0,
         R"(Gives the lines to an iterator over batches of Arrow with one column, 'line'.

layout: 'packed' (binary, the lines alone), 'view' (binary views of the lines) or 'terminated' (binary, each
line with its delimiter). The last two copy no line, but some functions of libraries do not take views.
string: whether the type is that of UTF-8 text, and the bytes are validated; None: whether encoding is set.
batch_size: the bytes of a batch, about; 0: 1 MiB.

A batch stays valid as long as you, or a library of Arrow, hold it. Raises ValueError if a line was taken.)");
  define("__arrow_c_schema__", lines_schema,
         "Returns the type of batches() as a capsule of the Arrow C data interface. Takes no line.");
  define("__arrow_c_stream__", lines_stream, nb::arg("requested_schema") = nb::none(),
         "Gives the lines to a stream of batches(), as a capsule of the Arrow C stream interface.");
}

}  // namespace riffle::python
