/// Names of files and messages of the system come from outside; in a page they are text, never markup.
#ifndef RIFFLE_BENCH_SHOW_MARKUP_HPP
#define RIFFLE_BENCH_SHOW_MARKUP_HPP

#include <string>
#include <string_view>

namespace riffle::bench {

/// `text` for use in HTML and SVG, in elements as well as in quoted attributes: `& < > " '` become entities,
/// tabs and newlines spaces, and bytes that are not UTF-8 U+FFFD. Other control characters vanish.
std::string escaped(std::string_view text);

/// A number for programs: six figures; "0" for what is not finite.
std::string plain_number(double value);

}  // namespace riffle::bench

#endif
