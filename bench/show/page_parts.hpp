/// What the page is put together from. Names of files and messages of the system come from outside: in a page
/// they are text, never markup.
#pragma once

#include <string>
#include <string_view>

#include "bench/show/document.hpp"

namespace riffle::bench {

/// `text` for use in HTML and SVG, in elements as well as in quoted attributes: `& < > " '` become entities,
/// tabs and newlines spaces, and bytes that are not UTF-8 U+FFFD. Other control characters vanish.
std::string escaped(std::string_view text);

/// The class in the style sheet.
std::string_view class_of(row_kind kind);

/// Bars from zero, under their headings, with their intervals; nothing if none has a length. The chart is as
/// wide as the page and its text is of its size: positions along the x axis are per cent, and the style sheet
/// has the rest. `id` is unique in the page.
std::string svg_of(const bar_chart& chart, std::string_view id);

/// The style sheet of the page, without the <style> element: two colour schemes, from 320 pixels up, print.
std::string_view report_style() noexcept;

}  // namespace riffle::bench
