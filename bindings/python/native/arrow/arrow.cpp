/// Defines the Arrow methods of riffle_io.Lines, and the classes LineBatches and LineBatch.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/unique_ptr.h>

#include <exception>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "bindings/python/native/arrow/capsule.hpp"
#include "bindings/python/native/arrow/export.hpp"
#include "bindings/python/native/arrow/line_batches.hpp"
#include "bindings/python/native/errors.hpp"
#include "bindings/python/native/garbage.hpp"
#include "bindings/python/native/gil.hpp"
#include "bindings/python/native/lines.hpp"
#include "bindings/python/native/parts.hpp"
#include "bindings/python/native/signals.hpp"

namespace nb = nanobind;

namespace riffle::python::arrow {

namespace {

nb::capsule schema_capsule(const column_options& column) {
  return capsule_of<c_schema>("arrow_schema", [&](c_schema& to) { export_schema(column, to); });
}

/// Is `riffle_io.LineBatch`.
struct python_batch {
  batch lines;
  column_options column;
};

nb::tuple batch_capsules(const python_batch& self, nb::handle /*requested_schema*/) {
  return nb::make_tuple(schema_capsule(self.column), capsule_of<c_array>("arrow_array", [&](c_array& to) {
                          export_batch(self.lines, self.column, to);
                        }));
}

/// Reads the lines of Python inputs, one after the other.
class reading final : public batch_reader {
 public:
  reading(std::optional<opened_lines> first, source_chain others, const column_options& column,
          std::size_t size)
      : others_(std::move(others)), column_(column), size_(size) {
    if (first) begin(*std::move(first));
  }

  std::optional<batch> next() override {
    while (lines_) {
      signals_->follow_this_thread();
      if (std::optional<batch> found = lines_->next()) return found;
      if (!others_.more()) break;
      const std::exception_ptr failure = with_gil([this] { begin(others_.open()); });
      if (failure != nullptr) std::rethrow_exception(failure);
    }
    return std::nullopt;
  }
  const column_options& column() const noexcept override { return column_; }

  int visit(visitproc visit, void* arg) const {
    if (const int result = others_.visit(visit, arg); result != 0) return result;
    return input_ ? input_->visit(visit, arg) : 0;
  }

 private:
  void begin(opened_lines from) {
    lines_.reset();
    input_.emplace(std::move(from.input));
    signals_ = std::move(from.signals);
    lines_.emplace(std::move(from.source), others_.options(), column_, size_);
  }

  source_chain others_;  // not opened yet
  column_options column_;
  std::size_t size_;                   // of a batch
  std::optional<python_input> input_;  // what the lines borrow
  std::unique_ptr<signal_checks> signals_;
  std::optional<line_batches> lines_;
};

// The last owner may be a thread without the GIL, or a consumer that outlives the interpreter.
void destroy(reading* unused) noexcept {
  static_cast<void>(with_gil([unused] { delete unused; }));
}

/// Is `riffle_io.LineBatches`.
class python_batches {
 public:
  python_batches(python_lines& lines, const column_options& column, std::size_t size) : column_(column) {
    auto [first, others] = lines.take();
    reading_.reset(new reading(std::move(first), std::move(others), column, size), destroy);
  }

  const column_options& column() const noexcept { return column_; }

  /// Returns the next batch; `std::nullopt` at the end.
  std::optional<python_batch> next() {
    const std::shared_ptr<reading> taken = take();
    std::optional<batch> found;
    const std::exception_ptr failure = without_gil([&] { found = taken->next(); });
    reading_ = taken;
    if (failure) std::rethrow_exception(failure);
    if (!found) return std::nullopt;
    return python_batch{*std::move(found), column_};
  }

  /// Gives away the batches that are left.
  nb::capsule stream() {
    return capsule_of<c_stream>("arrow_array_stream", [this](c_stream& to) {
      const std::shared_ptr<reading> taken = take();
      export_stream(taken, to);
    });
  }

  /// Visits the Python objects that it holds, for Python's garbage collector.
  int visit(visitproc visit, void* arg) const {
    return reading_ == nullptr ? 0 : reading_->visit(visit, arg);
  }
  /// Gives up the input, which a cycle of references holds.
  void give_up() { const std::shared_ptr<reading> unused = std::move(reading_); }

 private:
  std::shared_ptr<reading> take() {
    if (!reading_) {
      raise(PyExc_ValueError, "these batches were given away, or another thread is reading them");
    }
    return std::exchange(reading_, nullptr);
  }

  column_options column_;
  std::shared_ptr<reading> reading_;  // null while a thread reads a batch, and when given away
};

PyType_Slot slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverse<python_batches>)},
                       {Py_tp_clear, reinterpret_cast<void*>(clear<python_batches>)},
                       {0, nullptr}};

layout layout_of(std::string_view name) {
  if (name == "view") return layout::view;
  if (name == "terminated") return layout::terminated;
  if (name == "packed") return layout::packed;
  raise(PyExc_ValueError, "layout must be 'view', 'terminated' or 'packed'");
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
  return std::make_unique<python_batches>(self, column_of(self, layout, string), batch_size);
}

nb::capsule lines_schema(const python_lines& self) {
  return schema_capsule(column_of(self, default_layout, std::nullopt));
}

// Gives views, and text or bytes, if a consumer asks for such a column. It casts what is of another type.
nb::capsule lines_stream(python_lines& self, nb::handle requested_schema) {
  const std::string_view format = requested_schema.is_none() ? "" : requested_format(requested_schema);
  const bool known = format == "u" || format == "z" || format == "vu" || format == "vz";
  std::optional<bool> text;
  if (known && (self.decode().strict_utf8() || !self.decode().text())) text = format.back() == 'u';
  return batches(self, known && format.front() == 'v' ? "view" : default_layout, text, 0)->stream();
}

python_batch next_batch(python_batches& self) {
  std::optional<python_batch> found = self.next();
  if (!found) throw nb::stop_iteration();
  return *std::move(found);
}

}  // namespace

}  // namespace riffle::python::arrow

namespace riffle::python {

void register_arrow(nb::module_& module) {
  using namespace arrow;
  nb::class_<python_batch>(module, "LineBatch", "Some lines as a batch of Arrow with one column, 'line'.")
      .def(
          "__len__", [](const python_batch& self) { return self.lines.rows; }, "Returns the number of lines.")
      .def(
          "__arrow_c_schema__", [](const python_batch& self) { return schema_capsule(self.column); },
          "Returns the type as a capsule of the Arrow C data interface.")
      .def("__arrow_c_array__", batch_capsules, nb::arg("requested_schema") = nb::none(),
           "Returns the type and the batch as capsules of the Arrow C data interface, without a copy.");

  nb::class_<python_batches>(module, "LineBatches", nb::type_slots(slots),
                             "Iterates over the lines of an input as batches of Arrow, once.")
      .def("__iter__", [](nb::handle self) { return nb::borrow(self); })
      .def("__next__", next_batch)
      .def(
          "__arrow_c_schema__", [](const python_batches& self) { return schema_capsule(self.column()); },
          "Returns the type as a capsule of the Arrow C data interface.")
      .def(
          "__arrow_c_stream__", [](python_batches& self, nb::handle) { return self.stream(); },
          nb::arg("requested_schema") = nb::none(),
          "Gives the batches that are left to a stream, as a capsule of the Arrow C stream interface.");

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
