/// Offers the Python class Lines, for the parts that return one or take its input.
#pragma once

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

#include "bindings/python/native/interpreter.hpp"
#include "bindings/python/native/python_input.hpp"
#include "bindings/python/native/records/makers.hpp"
#include "bindings/python/native/records/record_iterator.hpp"

namespace riffle::python {

/// Holds an input that was opened.
struct opened_lines {
  /// Throws `riffle::error`, or a Python exception.
  opened_lines(nanobind::handle from, const line_options& lines, const reading_options& reading);

  python_input input;  // what the source borrows
  std::unique_ptr<signal_checks> signals;
  riffle::source source;
  std::string name;  // as messages have it
  bool inside;       // whether other bytes of the text stand before
  bool in_memory;    // and not decoded
};

/// Finds the lines of one source, and the place of each.
class placed_lines : public line_range {
 public:
  using line_range::line_range;
  std::uint64_t offset_of(std::string_view line) noexcept { return scan().offset_of(line.data()); }
  /// Returns whether the end of the source ended the line that was found last.
  bool ended_by_source(std::string_view line) noexcept { return scan().place() == line.data() + line.size(); }
};

/// Holds the source that is read, and those that follow; see `opened_records`. Open them with the GIL held.
struct opened_chain {
  static constexpr const char* what = "lines";
  static constexpr const char* unit = "byte";

  /// Opens the first of `sources`, a list of one at least. `text` says how they are decoded.
  opened_chain(nanobind::list sources, const line_options& lines, const reading_options& reading,
               decoder text);

  const std::string& name() const noexcept { return file.name; }
  signal_checks& checks() const noexcept { return *file.signals; }
  bool in_memory() const noexcept { return file.in_memory; }
  bool starts_inside() const noexcept { return file.inside; }
  bool is_record(std::string_view mark) noexcept { return !range->ended_by_source(mark); }
  line_range::cursor begin() { return range.emplace(std::move(file.source), options).resume(); }
  /// Returns whether a source is left to be opened.
  bool more() const noexcept { return next < size; }
  /// Opens the next source, if there is one. If that fails, the next call tries again.
  bool open_next();
  std::uint64_t place_of(std::string_view line) noexcept { return range->offset_of(line); }
  stored_bytes stored() const noexcept {
    const riffle::source& from = range ? range->from() : file.source;
    return {from.compressed_offset(), from.compressed_size()};
  }
  int visit(visitproc visit, void* arg) const;
  opened_lines opened();

  nanobind::list sources;
  std::size_t size;
  std::size_t next = 0;
  line_options options;
  reading_options reading;
  decoder text;
  opened_lines file;
  std::optional<placed_lines> range;  // from the first step on; it then has the `source` of `file`
};

/// Is the iterator `riffle_io.Lines`.
class python_lines : public record_iterator<opened_chain, text_maker> {
 public:
  python_lines(opened_chain opened, const line_options& options, decoder text)
      : record_iterator(std::move(opened), text_maker(std::move(text))), options_(options) {}

  /// Returns what makes the Python objects of the lines.
  const decoder& decode() const noexcept { return maker().decode(); }
  const line_options& options() const noexcept { return options_; }
  using record_iterator::take;

 private:
  line_options options_;
};

}  // namespace riffle::python
