/// Offers the Python class Lines, for the parts that return one or take its input.
#pragma once

#include <nanobind/nanobind.h>
#include <riffle/lines.hpp>
#include <riffle/source.hpp>

#include <cstdint>
#include <string_view>
#include <utility>

#include "bindings/python/native/interpreter.hpp"
#include "bindings/python/native/python_input.hpp"
#include "bindings/python/native/records/makers.hpp"
#include "bindings/python/native/records/record_iterator.hpp"

namespace riffle::python {

/// Holds the lines of the source that is read, and the sources that follow.
struct opened_lines : opened_records<detail::placed_lines> {
  using opened_records::opened_records;
  static constexpr const char* what = "lines";

  /// Returns whether the end of the source did not end the line that was found last.
  bool is_record(std::string_view mark) noexcept { return range->place() != mark.data() + mark.size(); }
  std::uint64_t place_of(std::string_view line) noexcept { return range->offset_of(line.data()); }
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
