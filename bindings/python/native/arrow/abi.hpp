/// Declares the structs of the Arrow C data and C stream interfaces, whose layout the Arrow specification
/// fixes.
#pragma once

#include <cstdint>

namespace riffle::python::arrow {

/// Says in `c_schema::flags` that a column may hold nulls. Every field of other readers does.
inline constexpr std::int64_t flag_nullable = 2;

/// Describes a type: `struct ArrowSchema`.
struct c_schema {
  const char* format;
  const char* name;
  const char* metadata;
  std::int64_t flags;
  std::int64_t n_children;
  c_schema** children;
  c_schema* dictionary;
  void (*release)(c_schema*);
  void* private_data;
};

/// Holds a column or a batch: `struct ArrowArray`.
struct c_array {
  std::int64_t length;
  std::int64_t null_count;
  std::int64_t offset;
  std::int64_t n_buffers;
  std::int64_t n_children;
  const void** buffers;
  c_array** children;
  c_array* dictionary;
  void (*release)(c_array*);
  void* private_data;
};

/// Hands out batches: `struct ArrowArrayStream`.
struct c_stream {
  int (*get_schema)(c_stream*, c_schema* out);
  int (*get_next)(c_stream*, c_array* out);
  const char* (*get_last_error)(c_stream*);
  void (*release)(c_stream*);
  void* private_data;
};

}  // namespace riffle::python::arrow
