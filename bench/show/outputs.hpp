/// The forms in which a report is shown. All but JSON lay a document out.
#pragma once

#include <iosfwd>

#include "bench/show/document.hpp"

namespace riffle::bench {

/// A part of a document, in `text::terminal_columns()`; nothing without blocks. On a narrow terminal, columns
/// of little importance are left out. `colour` adds the terminal's codes.
void print_section(const section& part, bool colour, std::ostream& out);
/// Tables for a README or an issue (GitHub's Markdown).
void write_markdown(const document& all, std::ostream& out);
/// One page that needs nothing else: no network, no scripts, light and dark.
void write_page(const document& all, std::ostream& out);
/// Everything, with each sample, as one JSON object; docs/bench-json.md describes it.
void write_json(const report& report, const conclusions& conclusions, std::ostream& out);

}  // namespace riffle::bench
