/// Fills in the structs of Arrow for tables. What each of them needs is one object, which its `release`
/// destroys.
#include "bindings/python/native/arrow/table.hpp"

#include <cerrno>
#include <exception>
#include <utility>

#include "bindings/python/native/arrow/interrupt.hpp"
#include "bindings/python/native/errors.hpp"

namespace riffle::python::arrow {

namespace {

/// The children of a struct of Arrow. A consumer may move one away, and then sets its `release` to null.
template <class Struct>
struct children {
  explicit children(std::size_t count) : all(count) {
    for (Struct& each : all) places.push_back(&each);
  }
  children(const children&) = delete;
  children& operator=(const children&) = delete;
  ~children() {
    for (Struct& each : all) {
      if (each.release != nullptr) each.release(&each);
    }
  }

  std::vector<Struct> all;
  std::vector<Struct*> places;
};

template <class Held, class Struct>
void release(Struct* given) noexcept {
  delete static_cast<Held*>(given->private_data);
  given->release = nullptr;
}

struct held_column {
  explicit held_column(column_values of) : values(std::move(of)) {
    for (const buffer& each : values.buffers) places.push_back(each.get());
  }
  column_values values;
  std::vector<const void*> places;
};

struct held_table : children<c_array> {
  using children::children;
  const void* buffers[1] = {nullptr};  // no row is null
};

void export_column(column_values values, std::int64_t rows, c_array& to) {
  auto held = std::make_unique<held_column>(std::move(values));
  to = {.length = rows,
        .null_count = held->values.nulls,
        .n_buffers = static_cast<std::int64_t>(held->places.size()),
        .buffers = held->places.data(),
        .release = release<held_column>,
        .private_data = held.get()};
  static_cast<void>(held.release());
}

/// A stream and the message of its last failure.
struct held_stream {
  std::shared_ptr<table_source> from;
  std::string message;
  arrow::interrupt interrupt;

  template <class F>
  static int call(c_stream* stream, F f) noexcept {
    auto& held = *static_cast<held_stream*>(stream->private_data);
    try {
      f(*held.from);
      return 0;
    } catch (...) {
      return held.failed(std::current_exception());
    }
  }

 private:
  int failed(const std::exception_ptr& failure) noexcept {
    try {
      failure_text text = text_of(failure);
      interrupt.keep(failure);
      message = std::move(text.message);
      return text.error_number;
    } catch (...) {
      message.clear();
      return ENOMEM;
    }
  }
};

int get_schema(c_stream* stream, c_schema* to) noexcept {
  return held_stream::call(stream, [to](table_source& from) { export_schema(from.columns(), *to); });
}

// A struct whose `release` is null tells of the end.
int get_next(c_stream* stream, c_array* to) noexcept {
  return held_stream::call(stream, [to](table_source& from) {
    *to = {};
    if (table next = from.next(); next.rows != 0) export_table(std::move(next), *to);
  });
}

const char* get_last_error(c_stream* stream) noexcept {
  const std::string& message = static_cast<held_stream*>(stream->private_data)->message;
  return message.empty() ? nullptr : message.c_str();
}

void release_stream(c_stream* stream) noexcept {
  static_cast<held_stream*>(stream->private_data)->interrupt.replace_error();
  release<held_stream>(stream);
}

struct held_schema : children<c_schema> {
  explicit held_schema(const std::vector<table_column>& from) : children(from.size()), columns(from) {
    for (std::size_t i = 0; i != columns.size(); ++i) {
      all[i] = {.format = columns[i].format,
                .name = columns[i].name.c_str(),
                .flags = flag_nullable,
                .release = [](c_schema* given) { given->release = nullptr; }};
    }
  }
  std::vector<table_column> columns;
};

}  // namespace

void export_schema(const std::vector<table_column>& columns, c_schema& to) {
  auto held = std::make_unique<held_schema>(columns);
  to = {.format = "+s",
        .name = "",
        .n_children = static_cast<std::int64_t>(columns.size()),
        .children = held->places.data(),
        .release = release<held_schema>,
        .private_data = held.get()};
  static_cast<void>(held.release());
}

void export_table(table from, c_array& to) {
  auto held = std::make_unique<held_table>(from.columns.size());
  for (std::size_t i = 0; i != from.columns.size(); ++i) {
    export_column(std::move(from.columns[i]), from.rows, held->all[i]);
  }
  to = {.length = from.rows,
        .n_buffers = 1,
        .n_children = static_cast<std::int64_t>(from.columns.size()),
        .buffers = held->buffers,
        .children = held->places.data(),
        .release = release<held_table>,
        .private_data = held.get()};
  static_cast<void>(held.release());
}

void export_stream(std::shared_ptr<table_source> from, c_stream& to) {
  auto held = std::make_unique<held_stream>(held_stream{std::move(from), {}, {}});
  to = {get_schema, get_next, get_last_error, release_stream, held.release()};
}

}  // namespace riffle::python::arrow
