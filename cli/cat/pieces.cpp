/// Lines are cut by the scanner of the library, which also bounds their length.
#include "cli/cat/pieces.hpp"

#include "source/source_state.hpp"

namespace riffle::cli {

pieces::pieces(source& from, const cat_arguments& given)
    : from_(from),
      whole_lines_(given.whole_lines),
      scan_({.delimiter = given.delimiter, .strip_cr = given.strip_cr, .max_length = given.max_length},
            from.name(), &detail::source_state::of(from)) {}

block pieces::next_lines() {
  while (true) {
    if (failure_) throw error(*failure_);
    const block region = detail::source_state::of(from_).next(kept_, detail::shorter_records);
    scan_.start(region, kept_);
    if (region.size() == kept_) {  // the end; what was kept is the last line
      kept_ = 0;
      static_cast<void>(scan_.last());
      return region;
    }
    const block lines = lines_of(region);
    if (!lines.empty()) return lines;
  }
}

// Returns the whole lines of the region. A line that is too long is told when the lines before it are done.
block pieces::lines_of(const block& region) {
  detail::line_scan::cursor at = scan_.resume();
  const char* end = region.data();
  try {
    for (; scan_.next(at); end = at.line) {
    }
    kept_ = scan_.unfinished();
  } catch (const error& too_long) {
    failure_ = too_long;
  }
  return {region.bytes.substr(0, static_cast<std::size_t>(end - region.data())), region.offset};
}

}  // namespace riffle::cli
