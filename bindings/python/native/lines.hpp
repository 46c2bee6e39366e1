/// Offers the Python class Lines, for the parts that return one or take its input.
#pragma once

#include <nanobind/nanobind.h>
#include <riffle/lines.hpp>
#include <riffle/source.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "bindings/python/native/interpreter.hpp"
#include "bindings/python/native/python_input.hpp"
#include "bindings/python/native/records/makers.hpp"
#include "bindings/python/native/records/record_iterator.hpp"

namespace riffle::python {

/// Finds the lines of one source, and the place of each.
class placed_lines : public line_range {
 public:
  using line_range::line_range;
  std::uint64_t offset_of(std::string_view line) noexcept { return scan().offset_of(line.data()); }
  /// Returns whether the end of the source ended the line that was found last.
  bool ended_by_source(std::string_view line) noexcept { return scan().place() == line.data() + line.size(); }
};

/// Holds a source and, from the first step on, its lines instead: who reads no lines takes the source.
struct source_lines {
  source_lines(const input& from, const line_options& lines, const read_options& reading)
      : source(from, reading), options(lines) {}

  const riffle::source& from() const noexcept { return lines ? lines->from() : source; }
  line_range::cursor resume() { return lines.emplace(std::move(source), options).resume(); }
  bool advance(line_range::cursor& at) { return lines->advance(at); }
  [[gnu::always_inline]] bool advance_in_block(line_range::cursor& at) { return lines->advance_in_block(at); }

  riffle::source source;
  line_options options;
  std::optional<placed_lines> lines = {};
};

/// Holds the source that is read, and those that follow. Open them with the GIL held.
struct opened_lines : opened_records<source_lines> {
  static constexpr const char* what = "lines";

  /// Opens the first of `sources`, a list of one at least. `text` says how they are decoded.
  opened_lines(nanobind::list sources, const line_options& lines, const reading_options& reading,
               const decoder& text);

  bool is_record(std::string_view mark) noexcept { return !range->lines->ended_by_source(mark); }
  std::uint64_t place_of(std::string_view line) noexcept { return range->lines->offset_of(line); }
  stored_bytes stored() const noexcept {
    return {range->from().compressed_offset(), range->from().compressed_size()};
  }
};

/// Is the iterator `riffle_io.Lines`.
class python_lines : public record_iterator<opened_lines, text_maker> {
 public:
  python_lines(opened_lines opened, const line_options& options, decoder text)
      : record_iterator(std::move(opened), text_maker(std::move(text))), options_(options) {}

  /// Returns what makes the Python objects of the lines.
  const decoder& decode() const noexcept { return maker().decode(); }
  const line_options& options() const noexcept { return options_; }
  using record_iterator::take;

 private:
  line_options options_;
};

}  // namespace riffle::python
