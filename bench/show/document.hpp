/// What a report says, made once of the report and its conclusions. The terminal, Markdown and the page lay
/// it out, and see no report. Texts are as they are: each writer escapes them.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "bench/data/report.hpp"
#include "bench/judge/conclusions.hpp"

namespace riffle::bench {

/// Whose a row or a bar is.
enum class row_kind : std::uint8_t { limit, ours, theirs };

/// "processor": "Example Processor, 2 processors, L1d 32 KiB"
struct fact {
  std::string about;
  std::string text;
};
using fact_list = std::vector<fact>;

/// `bars`: where there is no chart, the bars of the rows are drawn in this column.
enum class column_kind : std::uint8_t { words, figures, bars };

struct text_column {
  std::string heading;
  column_kind kind = column_kind::figures;
  /// 0: only where there is all room (a page); 1: where lines may be long (Markdown); more: on a terminal
  /// too, where those of the least importance go if it is narrow.
  unsigned importance = 0;
};

struct text_cell {
  std::string text;
  std::string second = {};  // less prominent: another figure, or code
  std::string link = {};    // the id of a section
};

struct text_row {
  row_kind kind = row_kind::theirs;
  std::vector<text_cell> cells;
  double bar = 0;  // its length; 0: none
};

struct text_table {
  std::string title = {};
  std::vector<text_column> columns = {};
  std::vector<text_row> rows = {};
  std::string legend = {};
};

/// A bar from zero. Those of the same heading follow each other.
struct chart_bar {
  row_kind kind = row_kind::theirs;
  std::string heading = {};
  std::string prefix = {};  // of the label, less prominent: "ioaccess/"
  std::string label = {};
  double value = 0;
  std::optional<interval> ci95 = {};
};

/// A picture, for those that can draw. Everything in it stands in a table too.
struct bar_chart {
  std::string title = {};
  std::string description = {};  // what it shows, in words
  std::string unit = {};
  std::string caption = {};
  std::vector<chart_bar> bars = {};
  bool limits_cross = false;  // the limits are lines through all bars too
};

enum class paragraph_kind : std::uint8_t { about, note, failure, verdict, warning, code };

struct paragraph {
  paragraph_kind kind = paragraph_kind::note;
  std::string text;
  std::string remedy = {};  // of a warning
};

struct section {
  std::string id = {};       // to link to: letters, digits and -
  std::string name = {};     // short: "gc on genome, hot"
  std::string heading = {};  // "gc: count c, C, g and G"
  bool under = false;        // it belongs to the section before
  bool folded = false;       // of interest to few
  bool extra = false;        // left out where only what was measured is wanted
  std::vector<std::variant<paragraph, fact_list, text_table, bar_chart>> blocks = {};
};

struct document {
  std::string title = {};       // "riffle bench"
  std::string question = {};    // that it answers
  std::string date = {};        // "2026-11-21 10:00 UTC"
  std::string about = {};       // the machine in a line
  std::string incomplete = {};  // why; empty: it is complete
  std::vector<section> sections = {};
  std::string made_by = {};
};

/// Parts that are shown as soon as they are known. Without blocks if there is nothing to say.
section machine_section(const machine& facts, const limits& limits = {});
section table_section(const task_report& table, const table_conclusions& conclusions);
section warnings_section(const std::vector<warning>& warnings);

/// All of it: the picture and the verdicts first, then the warnings, each table, the machine, and what the
/// words mean.
document document_of(const report& report, const conclusions& conclusions);

/// A part of a document, in `text::terminal_columns()`; nothing without blocks. On a narrow terminal, columns
/// of little importance are left out. `colour` adds the terminal's codes.
void print_section(const section& part, bool colour, std::ostream& out);
/// Tables for a README or an issue (GitHub's Markdown).
void write_markdown(const document& all, std::ostream& out);
/// One page that needs nothing else: no network, no scripts, light and dark.
void write_page(const document& all, std::ostream& out);
/// Everything, with each sample, as one JSON object; docs/bench-json.md describes it.
void write_json(const report& report, const conclusions& conclusions, std::ostream& out);

/// "gc on genome, hot"
std::string name_in_words(const task_report& table);
row_kind kind_of(const measurement& line);
/// "ioaccess/" for published programs; riffle and the limits have a heading or a colour of their own.
std::string prefix_of(const measurement& line);

/// Adds bars under that heading: riffle's automatic choice, or else its fastest; the best that is not riffle;
/// and the limit of the first.
void add_overview(const task_report& table, const std::string& heading, std::vector<chart_bar>& bars);

/// "not run", "failed" or "wrong": why a contender has no figures; empty if it was measured.
std::string_view outcome_in_words(const measurement& line);

/// `text` for use in HTML and SVG, in elements as well as in quoted attributes: `& < > " '` become entities,
/// tabs and newlines spaces, and bytes that are not UTF-8 U+FFFD. Other control characters vanish.
std::string escaped(std::string_view text);

/// Bars from zero, under their headings, with their intervals; nothing if none has a length. The chart is as
/// wide as the page and its text is of its size: positions along the x axis are per cent, and the style sheet
/// has the rest. `id` is unique in the page.
std::string svg_of(const bar_chart& chart, std::string_view id);

}  // namespace riffle::bench
