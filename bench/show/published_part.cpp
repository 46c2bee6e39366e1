/// Published figures as columns beside what was measured here.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "bench/show/in_words.hpp"
#include "text/typed.hpp"

namespace riffle::bench {

namespace {

// "124", "12.4", "1.24", "0.0124"; nothing for 0.
std::string three_figures(double value) {
  if (value <= 0) return {};
  const int digits = 2 - static_cast<int>(std::floor(std::log10(value)));
  return fmt::format("{:.{}f}", value, std::clamp(digits, 0, 7));
}

std::string in_words(const range& figure) {
  if (figure.low == figure.high) return three_figures(figure.low);
  return three_figures(figure.low) + " to " + three_figures(figure.high);
}

}  // namespace

void add_published(const published_table& published, const task_report& table, section& part) {
  const std::string where = published.where.empty() ? "" : fmt::format(", {}", published.where);
  const std::string whose = fmt::format("{}, {}{}", published.author, published.year, where);
  text_table shown{.title = fmt::format("{}: published and measured here", whose),
                   .columns = {{std::string(bench::in_words(published.unit)), column_kind::words, 9},
                               {"published", column_kind::figures, 8},
                               {"here", column_kind::figures, 9},
                               {fmt::format("x {}", published.base_label), column_kind::figures, 6},
                               {"here", column_kind::figures, 7},
                               {"holds", column_kind::words, 5},
                               {"median", column_kind::figures, 1},
                               {"95%", column_kind::figures, 1},
                               {"runs", column_kind::figures, 1}}};
  for (const checked_figure& each : check_figures(published, table)) {
    const measurement* const line = each.line;
    text_row row{.kind = line != nullptr && line->role == role::riffle ? row_kind::ours : row_kind::theirs,
                 .cells = {{std::string(each.figure->label)},
                           {in_words(each.figure->figure)},
                           {line != nullptr ? three_figures(each.here) : "-"},
                           {in_words(each.times)},
                           {each.times_here ? three_figures(*each.times_here) : ""},
                           {each.how ? std::string(bench::in_words(*each.how)) : ""},
                           {line != nullptr ? text::human_seconds(line->seconds.median) : "-"},
                           {line != nullptr ? half_width(*line) : "-"},
                           {line != nullptr ? fmt::format("{}", line->seconds.samples) : "-"}}};
    shown.rows.push_back(std::move(row));
  }
  part.blocks.emplace_back(paragraph{paragraph_kind::about, whose + ":"});
  part.blocks.emplace_back(std::move(shown));
  if (!published.note.empty())
    part.blocks.emplace_back(paragraph{paragraph_kind::note, std::string(published.note)});
}

}  // namespace riffle::bench
