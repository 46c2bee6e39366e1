/// Fills in the structs of Arrow for tables, keeps the chunks that were given back, and hands on Ctrl-C.
#include "bindings/python/native/arrow/table.hpp"

#include <riffle/anonymous_memory.hpp>

#include <nanobind/nanobind.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <exception>
#include <new>
#include <utility>

#include "bindings/python/native/errors.hpp"
#include "bindings/python/native/interpreter.hpp"
#include "os/mapping.hpp"

namespace nb = nanobind;

namespace riffle::python::arrow {

namespace {

/// A huge page starts at a multiple of its size.
constexpr std::size_t alignment = chunk_size;

/// What Arrow recommends.
constexpr std::size_t small_alignment = 64;

void free_memory(char* memory, std::size_t size) noexcept {
  anonymous_memory{}.deallocate(memory, size, alignment);
}

/// Holds unused chunks, all of `chunk_size`. The OS kernel may take the pages of most of them when it is
/// short of memory. To say so for each would slow down a loop that drops each batch before the next one.
class chunk_pool {
 public:
  /// Returns an unused chunk, or nullptr.
  char* take() noexcept {
    if (in_use_.test_and_set(std::memory_order_acquire)) return nullptr;
    char* const memory = size_ == 0 ? nullptr : unused_[--size_];
    offered_ = std::min(offered_, size_);
    in_use_.clear(std::memory_order_release);
    return memory;
  }

  void give(char* memory) noexcept {
    if (in_use_.test_and_set(std::memory_order_acquire)) return free_memory(memory, chunk_size);
    const bool full = size_ == unused_.size();
    if (!full) {
      unused_[size_++] = memory;
      if (size_ - offered_ > kept) os::advise_free(unused_[offered_++], chunk_size);
    }
    in_use_.clear(std::memory_order_release);
    if (full) free_memory(memory, chunk_size);
  }

 private:
  static constexpr std::size_t kept = 32;

  // Never waited for: in the child of a fork, a thread that is not there may hold it.
  std::atomic_flag in_use_ = ATOMIC_FLAG_INIT;
  std::array<char*, 1024> unused_{};
  std::size_t size_ = 0;
  std::size_t offered_ = 0;  // the first so many of them
};

/// It has no destructor: a consumer may hold a batch until the process ends.
constinit chunk_pool pool;

// Each mapping of its own would count against the system's limit of mappings.
chunk small_chunk(std::size_t size) {
  void* const memory = std::aligned_alloc(small_alignment, os::round_up(size, small_alignment));
  if (memory == nullptr) throw std::bad_alloc();
  return {static_cast<char*>(memory), [](char* given) { std::free(given); }};
}

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

/// Keeps a KeyboardInterrupt, a SystemExit or what else Python code raised that is no `Exception`, until the
/// main thread of Python raises it.
class interrupt {
 public:
  /// Keeps such an exception, and lets Python raise it as soon as it runs again. Another one is left alone.
  void keep(const std::exception_ptr& failure) noexcept {
    static_cast<void>(with_gil([&] {
      const nb::object raised = exception_of(failure);
      if (!raised.is_valid() || PyErr_GivenExceptionMatches(raised.ptr(), PyExc_Exception) != 0) return;
      kept_ = std::make_shared<nb::object>(raised);
      auto held = std::make_unique<std::shared_ptr<nb::object>>(kept_);
      const auto raise = [](void* given) {
        const std::unique_ptr<std::shared_ptr<nb::object>> taken(
            static_cast<std::shared_ptr<nb::object>*>(given));
        return raised_now(**taken) ? -1 : 0;
      };
      if (Py_AddPendingCall(raise, held.get()) == 0) static_cast<void>(held.release());
    }));
  }
  /// Raises the exception in place of the one that this thread is raising, if it is not raised yet. A
  /// consumer of Arrow calls it while it returns its own error to Python.
  void replace_error() noexcept {
    if (kept_ == nullptr) return;
    static_cast<void>(with_gil([this] {
      if (PyErr_Occurred() != nullptr) raised_now(*kept_);
      kept_.reset();
    }));
  }

 private:
  // Sets the exception, once. Returns whether it did.
  static bool raised_now(nb::object& kept) noexcept {
    const nb::object raised = std::exchange(kept, nb::object());
    if (!raised.is_valid()) return false;
    PyErr_SetObject(raised.type().ptr(), raised.ptr());
    return true;
  }

  std::shared_ptr<nb::object> kept_;  // no object after it was raised
};

/// A stream and the message of its last failure.
struct held_stream {
  std::shared_ptr<table_source> from;
  std::string message;
  interrupt to_raise;

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
      to_raise.keep(failure);
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
  static_cast<held_stream*>(stream->private_data)->to_raise.replace_error();
  release<held_stream>(stream);
}

struct held_schema : children<c_schema> {
  explicit held_schema(const std::vector<table_column>& from) : children(from.size()), columns(from) {
    for (std::size_t i = 0; i != columns.size(); ++i) {
      all[i] = {.format = columns[i].format.c_str(),
                .name = columns[i].name.c_str(),
                .flags = flag_nullable,
                .release = [](c_schema* given) { given->release = nullptr; }};
    }
  }
  std::vector<table_column> columns;
};

}  // namespace

chunk take_chunk(std::size_t size, bool huge_pages) {
  if (size < chunk_size) return small_chunk(size);
  char* memory = size == chunk_size ? pool.take() : nullptr;
  if (memory == nullptr) {
    memory = static_cast<char*>(anonymous_memory({.huge_pages = huge_pages}).allocate(size, alignment));
  }
  if (size == chunk_size) return {memory, [](char* given) { pool.give(given); }};
  return {memory, [size](char* given) { free_memory(given, size); }};
}

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
