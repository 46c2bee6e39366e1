/// Fills in the structs of Arrow. What each of them needs is one object, which its `release` destroys.
#include "bindings/python/native/arrow/export.hpp"

#include <cerrno>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "bindings/python/native/arrow/interrupt.hpp"
#include "bindings/python/native/errors.hpp"

namespace riffle::python::arrow {

namespace {

/// The children of a struct of Arrow. A consumer may move one away, and then sets its `release` to null.
template <class Struct>
struct one_child {
  Struct child{};
  Struct* children[1] = {&child};

  one_child() = default;
  one_child(const one_child&) = delete;
  one_child& operator=(const one_child&) = delete;
  ~one_child() {
    if (child.release != nullptr) child.release(&child);
  }
};

struct held_column {
  batch lines;
  std::int64_t data_sizes[1] = {static_cast<std::int64_t>(lines.data_size)};
  const void* buffers[4] = {nullptr, lines.entries.get(), lines.data.get(), data_sizes};  // no line is null
};

struct held_batch : one_child<c_array> {
  const void* buffers[1] = {nullptr};
};

/// Destroys what belongs to a struct. The type is that of its `private_data`.
template <class Held, class Struct>
void release(Struct* given) noexcept {
  delete static_cast<Held*>(given->private_data);
  given->release = nullptr;
}

void no_release(c_schema* given) noexcept {
  given->release = nullptr;
}

const char* format_of(const column_options& column) {
  if (column.layout == layout::view) return column.text ? "vu" : "vz";
  return column.text ? "u" : "z";
}

void export_column(const batch& lines, const column_options& column, c_array& to) {
  auto held = std::make_unique<held_column>(lines);
  to = {};
  to.length = lines.rows;
  to.n_buffers = column.layout == layout::view ? 4 : 3;  // the sizes of the data of views come last
  to.buffers = held->buffers;
  to.release = release<held_column>;
  to.private_data = held.release();
}

/// A stream and the message of its last failure.
struct held_stream {
  std::shared_ptr<batch_reader> lines;
  std::string message;
  arrow::interrupt interrupt;

  /// Calls `f`. Returns 0, or the errno of what it throws.
  template <class F>
  int guarded(F f) noexcept {
    try {
      f();
      return 0;
    } catch (...) {
      return failed(std::current_exception());
    }
  }

 private:
  int failed(const std::exception_ptr& failure) noexcept {
    try {
      const failure_text text = text_of(failure);
      message = text.message;
      interrupt.keep(failure);
      return text.error_number;
    } catch (...) {
      message.clear();
      return ENOMEM;
    }
  }
};

held_stream& held_by(c_stream* stream) noexcept {
  return *static_cast<held_stream*>(stream->private_data);
}

int get_schema(c_stream* stream, c_schema* to) noexcept {
  held_stream& held = held_by(stream);
  return held.guarded([&] { export_schema(held.lines->column(), *to); });
}

// A struct whose `release` is null tells of the end.
int get_next(c_stream* stream, c_array* to) noexcept {
  held_stream& held = held_by(stream);
  return held.guarded([&] {
    *to = {};
    if (const std::optional<batch> lines = held.lines->next())
      export_batch(*lines, held.lines->column(), *to);
  });
}

void release_stream(c_stream* stream) noexcept {
  held_by(stream).interrupt.replace_error();
  release<held_stream>(stream);
}

const char* get_last_error(c_stream* stream) noexcept {
  const std::string& message = held_by(stream).message;
  return message.empty() ? nullptr : message.c_str();
}

}  // namespace

void export_schema(const column_options& column, c_schema& to) {
  auto held = std::make_unique<one_child<c_schema>>();
  held->child.format = format_of(column);
  held->child.name = "line";
  held->child.flags = flag_nullable;
  held->child.release = no_release;
  to = {};
  to.format = "+s";
  to.name = "";
  to.n_children = 1;
  to.children = held->children;
  to.release = release<one_child<c_schema>>;
  to.private_data = held.release();
}

void export_batch(const batch& lines, const column_options& column, c_array& to) {
  auto held = std::make_unique<held_batch>();
  export_column(lines, column, held->child);
  to = {};
  to.length = lines.rows;
  to.n_buffers = 1;
  to.n_children = 1;
  to.buffers = held->buffers;
  to.children = held->children;
  to.release = release<held_batch>;
  to.private_data = held.release();
}

void export_stream(std::shared_ptr<batch_reader> lines, c_stream& to) {
  auto held = std::make_unique<held_stream>(held_stream{std::move(lines), {}, {}});
  to = {get_schema, get_next, get_last_error, release_stream, held.release()};
}

}  // namespace riffle::python::arrow
