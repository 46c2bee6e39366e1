/// Offers the Python class Lines, for the parts that return one or take its input.
#ifndef RIFFLE_PYTHON_LINES_HPP
#define RIFFLE_PYTHON_LINES_HPP

#include <nanobind/nanobind.h>
#include <riffle/lines.hpp>
#include <riffle/source.hpp>

#include <memory>
#include <optional>
#include <string_view>

#include "bindings/python/native/decoder.hpp"
#include "bindings/python/native/python_input.hpp"
#include "bindings/python/native/recycled_bytes.hpp"
#include "bindings/python/native/signals.hpp"

namespace riffle::python {

/// Holds an input that was opened, and how it is to be cut into lines.
struct opened_lines {
  /// Opens the input. Throws `riffle::error`, or a Python exception for an unknown encoding.
  opened_lines(python_input from, const line_options& lines, const read_options& reading, decoder text = {});

  python_input input;  // what the source borrows
  std::unique_ptr<signal_checks> signals;
  riffle::source source;
  line_options options;
  decoder decode;
};

/// Is the iterator `riffle_io.Lines`.
class python_lines {
 public:
  explicit python_lines(opened_lines opened) noexcept
      : opened_(std::move(opened)),
        in_memory_(opened_.source.kind() == input_kind::memory && opened_.source.seekable()) {}

  /// Returns a new reference to the next line, or nullptr: at the end, or with a Python exception set.
  [[gnu::always_inline]] PyObject* next() {
    line_range::cursor at = at_;
    if (ready_ && lines_->advance_in_block(at)) [[likely]] {
      at_ = at;
      return object_of(at.record);
    }
    return next_block() ? object_of(at_.record) : nullptr;
  }

  /// Returns what makes the Python objects of the lines.
  const decoder& decode() const noexcept { return opened_.decode; }

  const line_options& options() const noexcept { return opened_.options; }

  /// Visits the Python objects that it holds, for Python's garbage collector.
  int visit(visitproc visit, void* arg) const { return opened_.input.visit(visit, arg); }
  /// Gives up the input, which a cycle of references holds. No thread reads it.
  void give_up();

  /// Gives away the input, for another way to read its lines. Raises `ValueError` if a line was taken, or the
  /// input was given away before.
  opened_lines take();

 private:
  bool next_block();

  [[gnu::always_inline]] PyObject* object_of(std::string_view line) noexcept {
    return opened_.decode.text() ? opened_.decode(line) : bytes_(line);
  }

  opened_lines opened_;
  recycled_bytes bytes_;
  bool in_memory_;                   // and not decoded
  std::optional<line_range> lines_;  // from the first step on; it then has the source
  line_range::cursor at_;
  bool ready_ = false;    // whether lines_ has a value, and no thread reads a block
  bool reading_ = false;  // whether a thread reads a block
  bool given_ = false;    // whether the input was given away
};

}  // namespace riffle::python

#endif
