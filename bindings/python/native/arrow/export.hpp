/// Offers batches of lines as structs of the Arrow C data and C stream interfaces.
#ifndef RIFFLE_PYTHON_ARROW_EXPORT_HPP
#define RIFFLE_PYTHON_ARROW_EXPORT_HPP

#include <memory>
#include <optional>

#include "bindings/python/native/arrow/abi.hpp"
#include "bindings/python/native/arrow/line_batches.hpp"

namespace riffle::python::arrow {

/// Writes the type of a batch: a struct with the one field "line". The caller calls `release` of what was
/// written. Throws `std::bad_alloc`.
void export_schema(const column_options& column, c_schema& to);

/// Writes a batch of that type, which shares its memory with `lines`. Any thread may call `release` of what
/// was written, once. Throws `std::bad_alloc`.
void export_batch(const batch& lines, const column_options& column, c_array& to);

/// Hands out batches of one type.
class batch_reader {
 public:
  virtual ~batch_reader() = default;
  /// Returns the next batch; `std::nullopt` at the end. It is called without the GIL.
  virtual std::optional<batch> next() = 0;
  virtual const column_options& column() const noexcept = 0;
};

/// Writes a stream that hands out the batches of `lines`. A failure is the errno of its code, and its message
/// is that of `riffle::error`. Any thread may call its functions, one at a time. Throws `std::bad_alloc`.
void export_stream(std::shared_ptr<batch_reader> lines, c_stream& to);

}  // namespace riffle::python::arrow

#endif
