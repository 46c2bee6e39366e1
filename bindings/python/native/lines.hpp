/// Offers the Python class Lines, for the parts that return one or take its input.
#ifndef RIFFLE_PYTHON_LINES_HPP
#define RIFFLE_PYTHON_LINES_HPP

#include <nanobind/nanobind.h>
#include <riffle/lines.hpp>
#include <riffle/source.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "bindings/python/native/decoder.hpp"
#include "bindings/python/native/python_input.hpp"
#include "bindings/python/native/recycled.hpp"
#include "bindings/python/native/signals.hpp"

namespace riffle::python {

/// Holds an input that was opened.
struct opened_lines {
  /// Throws `riffle::error`, or a Python exception.
  opened_lines(nanobind::handle from, const line_options& lines, const read_options& reading);

  python_input input;  // what the source borrows
  std::unique_ptr<signal_checks> signals;
  riffle::source source;
  std::string name;  // that of a file object, or as messages have it
  bool inside;       // whether other bytes of the text stand before
  bool in_memory;    // and not decoded
};

/// Opens one source after another. Call it with the GIL held.
class source_chain {
 public:
  /// `sources` is a list. Opens the first, if there is one.
  source_chain(nanobind::list sources, const line_options& lines, const read_options& reading);

  /// Returns whether a source is left to be opened.
  bool more() const noexcept { return next_ < size_; }
  /// Opens the next one. If that fails, the next call tries again.
  opened_lines open();

  const line_options& options() const noexcept { return lines_; }
  int visit(visitproc visit, void* arg) const;

 private:
  nanobind::list sources_;
  std::size_t size_;
  std::size_t next_ = 0;
  line_options lines_;
  read_options reading_;
};

/// Finds the lines of one source, and the place of each.
class placed_lines : public line_range {
 public:
  using line_range::line_range;
  std::uint64_t offset_of(std::string_view line) noexcept { return scan().offset_of(line.data()); }
  /// Returns whether the end of the source ended the line that was found last.
  bool ended_by_source(std::string_view line) noexcept { return scan().place() == line.data() + line.size(); }
};

/// Is the iterator `riffle_io.Lines`.
class python_lines {
 public:
  python_lines(source_chain sources, decoder text);

  /// Returns a new reference to the next line, or nullptr: at the end, or with a Python exception set.
  [[gnu::always_inline]] PyObject* next() {
    line_range::cursor at = at_;
    if (ready_ && lines_->advance_in_block(at)) [[likely]] {
      at_ = at;
    } else {
      if (!next_block()) return nullptr;
      at.record = at_.record;
    }
    return object_of(at.record);
  }

  /// Returns what makes the Python objects of the lines.
  const decoder& decode() const noexcept { return decode_; }
  const line_options& options() const noexcept { return sources_.options(); }

  /// Returns the offset of the line handed out last in its source, in bytes; `std::nullopt` before the first.
  std::optional<std::uint64_t> offset();
  /// Returns the name of the source of the line handed out last; before the first, of the first source.
  const std::string& name() const noexcept { return name_; }

  /// Raises `ValueError` if the input was closed or given away, or a thread reads a block.
  void require_open() const;
  /// Closes the input. Raises `ValueError` if another thread reads a block.
  void close();
  bool closed() const noexcept { return state_ == state::closed; }

  /// Visits the Python objects that it holds, for Python's garbage collector.
  int visit(visitproc visit, void* arg) const;
  /// Gives up the input, which a cycle of references holds. No thread reads it.
  void give_up() noexcept;

  /// Gives away the first source and those that are left, for another way to read their lines. Raises
  /// `ValueError` if a line was taken, or the input was given away before.
  std::pair<std::optional<opened_lines>, source_chain> take();

 private:
  enum class state : std::uint8_t { open, given_away, closed };

  bool next_block();
  bool find_next();
  bool is_mark_alone();
  void begin(opened_lines opened);
  void leave_line();
  PyObject* undecoded(std::string_view line);

  [[gnu::always_inline]] PyObject* object_of(std::string_view line) noexcept {
    if (!decode_.text()) return bytes_(line);
    if (decode_.keeps_ascii() && ascii_.takes(line.size())) {
      PyObject* const ascii = ascii_(line);
      if (ascii != nullptr) [[likely]]
        return ascii;
      PyErr_Clear();  // of no memory: the next try says so again
    }
    PyObject* const text = decode_(line);
    return text != nullptr ? text : undecoded(line);
  }

  source_chain sources_;
  decoder decode_;
  recycled_bytes bytes_;  // one of the two is used
  recycled<ascii_layout> ascii_;
  std::optional<opened_lines> file_;   // the source that is read
  std::optional<placed_lines> lines_;  // of it, from the first step on; it then has the `source` of `file_`
  line_range::cursor at_;
  std::string name_;
  std::optional<std::uint64_t> offset_;  // of the line handed out last, if `at_` does not tell
  state state_ = state::open;
  bool ready_ = false;    // whether lines_ has a value, and no thread reads a block
  bool reading_ = false;  // whether a thread reads a block
};

}  // namespace riffle::python

#endif
