/// The look of the HTML report, apart from its content.
#ifndef RIFFLE_BENCH_SHOW_HTML_STYLE_HPP
#define RIFFLE_BENCH_SHOW_HTML_STYLE_HPP

#include <string_view>

namespace riffle::bench {

/// The style sheet of the page, without the <style> element: two colour schemes, from 320 pixels up, print.
std::string_view report_style() noexcept;

}  // namespace riffle::bench

#endif
