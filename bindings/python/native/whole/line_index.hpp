/// Offers the offsets of all lines of an input, and the lines themselves one by one.
#pragma once

#include <nanobind/nanobind.h>
#include <riffle/options.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "bindings/python/native/python_input.hpp"
#include "bindings/python/native/whole/array_shape.hpp"
#include "bindings/python/native/whole/growing_array.hpp"
#include "os/file.hpp"

namespace riffle::python {

/// The offsets of the lines of an input, and what is left of it to read a line again.
class line_offsets {
 public:
  /// Reads the input to its end. Throws `riffle::error`. Call it without the GIL.
  line_offsets(const input& from, const line_options& options, unsigned threads, const read_options& reading);

  /// Returns the offset of each line, and last that of the end.
  const growing_array<std::uint64_t>& offsets() const noexcept { return offsets_; }
  const std::string& name() const noexcept { return name_; }
  std::size_t lines() const noexcept { return offsets_.size() - 1; }
  /// Returns whether `read` needs the memory of the input; else it has a descriptor of its own.
  bool in_memory() const noexcept { return in_memory_; }
  std::uint64_t offset_of(std::size_t line) const noexcept { return offsets_.data()[line]; }
  /// Returns the size of a line as it is handed out.
  std::size_t size(std::size_t line) const noexcept;
  /// Returns the line before which a part ends that starts with `line`: it has whole lines of at most `size`
  /// bytes, or one line, none of them at or after `last`.
  std::size_t end_of_part(std::size_t line, std::size_t last, std::size_t size) const noexcept;
  /// Reads the bytes at an offset. Throws `riffle::error` if the file changed, or if riffle cannot seek in
  /// the input, as in one that is decoded.
  void read(std::uint64_t offset, std::span<char> to) const;

 private:
  growing_array<std::uint64_t> offsets_;
  bool keep_;
  bool last_ends_ = false;  // whether a delimiter ends the last line
  bool in_memory_ = false;
  std::string_view memory_;
  bool seekable_ = false;
  bool decoded_ = false;
  std::string name_;
  os::file file_;  // a descriptor of its own, if `seekable_` and not `in_memory_`
  os::file_status indexed_ = {};
};

/// The class `riffle_io.LineIndex`.
class line_index {
 public:
  line_index(python_input input, line_offsets offsets)
      : input_(std::move(input)),
        offsets_(std::move(offsets)),
        shape_{"L", sizeof(std::uint64_t), static_cast<Py_ssize_t>(offsets_.offsets().size())} {
    static_assert(sizeof(long) == sizeof(std::uint64_t));  // what "L" says
    if (!offsets_.in_memory()) const python_input unused = std::move(input_);
  }

  /// Visits the Python objects that it holds, for Python's garbage collector.
  int visit(visitproc visit, void* arg) const { return input_.visit(visit, arg); }

  /// The bytes of lines that are read together, about.
  static constexpr std::size_t part_size = std::size_t{256} << 10U;

  const line_offsets& offsets() const noexcept { return offsets_; }
  /// Returns the name of the input in messages.
  const std::string& name() const noexcept { return offsets_.name(); }
  Py_ssize_t size() const noexcept { return shape_.count - 1; }
  /// Returns a new reference to a line. `line` is from 0 to `size()` - 1.
  PyObject* line(Py_ssize_t line) const;
  /// Returns a list of lines: `first`, and those at a distance of `step`.
  nanobind::list lines(Py_ssize_t first, Py_ssize_t count, Py_ssize_t step) const;
  int get_buffer(PyObject* self, Py_buffer* view, int flags) noexcept;

 private:
  void append(nanobind::list& lines, std::size_t first, std::size_t last) const;

  python_input input_;  // holds the memory, if the lines are there
  line_offsets offsets_;
  array_shape shape_;
};

}  // namespace riffle::python
