/// Implements the step from one block to the next, for lines and for words.
#include <riffle/lines.hpp>
#include <riffle/words.hpp>

#include <utility>

#include "source/reading.hpp"
#include "source/splits.hpp"

namespace riffle::inline v0 {

void detail::fail_too_long(std::string_view name, std::uint64_t offset, reading* from) {
  if (from != nullptr) from->check();
  throw error(errc::record_too_long, "read", name, offset);
}

line_range::line_range(const input& from, const line_options& lines, const read_options& reading)
    : line_range(source(from, reading), lines) {}

line_range::line_range(source from, const line_options& lines)
    : source_(std::move(from)), scan_(lines, source_.name(), &detail::reading::within(source_)) {
  require_delimiter(source_, lines.delimiter);
}

line_range::cursor line_range::next_block() {
  while (true) {
    const std::size_t kept = scan_.unfinished();
    const block region = detail::reading::within(source_).next(kept, detail::shorter_records);
    scan_.start(region, kept);
    if (region.size() == kept) return scan_.last();
    cursor at = scan_.resume();
    if (scan_.next(at)) return at;
  }
}

word_range::word_range(const input& from, const word_options& words, const read_options& reading)
    : source_(from, reading), scan_(words, source_.name(), &detail::reading::within(source_)) {}

word_range::cursor word_range::next_block() {
  while (true) {
    const std::size_t kept = scan_.unfinished();
    const block region = detail::reading::within(source_).next(kept, detail::shorter_records);
    scan_.start(region, kept);
    if (region.size() == kept) return scan_.last();
    cursor at = scan_.resume();
    if (scan_.first(at)) return at;
  }
}

}  // namespace riffle::inline v0
