/// Implements the step from one block to the next, for lines and for words.
#include <riffle/lines.hpp>
#include <riffle/tokens.hpp>
#include <riffle/words.hpp>

#include <utility>

#include "record/record_too_long.hpp"
#include "source/source_state.hpp"

namespace riffle::inline v0 {

void detail::fail_too_long(std::string_view name, std::uint64_t offset, source_state* from) {
  if (from != nullptr) from->check();
  throw too_long(name, offset);
}

template <class Scan>
detail::scanned_range<Scan>::scanned_range(source from, const typename Scan::options_type& options)
    : source_(std::move(from)), scan_(options, source_.name(), &source_state::of(source_)) {}

template <class Scan>
auto detail::scanned_range<Scan>::next_block() -> cursor {
  while (true) {
    const std::size_t kept = scan_.unfinished();
    const block region = source_state::of(source_).next(kept, {advice::set_max_length});
    scan_.start(region, kept);
    if (region.size() == kept) return scan_.last();
    cursor at = scan_.resume();
    if (scan_.first(at)) return at;
  }
}

template class detail::scanned_range<detail::line_scan>;
template class detail::scanned_range<detail::word_scan>;
template class detail::scanned_range<detail::token_scan>;

line_range::line_range(const input& from, const line_options& lines, const read_options& reading)
    : line_range(source(from, reading), lines) {}

line_range::line_range(source from, const line_options& lines) : scanned_range(std::move(from), lines) {
  detail::source_state::of(this->from()).require_delimiter(lines.delimiter);
}

word_range::word_range(const input& from, const word_options& words, const read_options& reading)
    : scanned_range(source(from, reading), words) {}

token_range::token_range(const input& from, const word_options& words, const read_options& reading)
    : scanned_range(source(from, reading), words) {}

}  // namespace riffle::inline v0
