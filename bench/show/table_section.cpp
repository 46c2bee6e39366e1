/// The section of a table: its figures in words, its columns and rows, and what others published of it.
#include "bench/show/document.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "text/typed.hpp"

namespace riffle::bench {

namespace {

// "genome, 953.7 MiB, hot: in the page cache, filled by reading; 0.50 faults a MiB"
std::string input_in_words(const task_report& table) {
  std::string text = table.input;
  if (table.files == 0) return text;
  if (table.files > 1) text += fmt::format(" ({} files)", table.files);
  text += fmt::format(", {}, {}: {}", text::human_size(table.bytes), name_of(table.cache),
                      description_of(table.cache));
  if (table.faults_per_mib)
    text += fmt::format("; {} faults a MiB", text::short_number(*table.faults_per_mib));
  return text;
}

// "±0.5%": half of the 95 % interval, in percent of the median; "-" if there is no interval.
std::string half_width(const measurement& line) {
  const std::optional<double> reach = reach_of(line.seconds.ci95, line.seconds.median);
  if (!reach) return "-";
  const double percent = 100 * *reach;
  return fmt::format("±{:.{}f}%", percent, percent < 9.95 ? 1 : 0);
}

// "1.39 - 1.41 ms": the 95 % interval; "-" without one.
std::string interval_in_words(const measurement& line) {
  if (!line.seconds.ci95) return "-";
  const std::string low = text::human_seconds(line.seconds.ci95->low);
  const std::string high = text::human_seconds(line.seconds.ci95->high);
  const std::size_t space = low.find(' ');
  const bool same_unit = low.substr(space) == high.substr(high.find(' '));
  return (same_unit ? low.substr(0, space) : low) + " - " + high;
}

// "80% scan": the share of the limit that binds it; empty without one.
std::string share_of_limit(const measurement& line) {
  const std::optional<double> share = line.of_limit();
  return share ? fmt::format("{:.0f}% {}", 100 * *share, name_of(line.limit->kind)) : std::string();
}

std::string against_fastest(const measurement& line, const standing& standing) {
  if (line.is_limit()) return {};
  const std::optional<difference>& by = standing.against_fastest;
  if (!by) return standing.rank == 0 ? "cannot be told apart" : "fastest";
  if (by->certain && std::isfinite(by->ratio)) return text::short_number(by->ratio) + " x";
  if (by->alike()) return "no difference";
  return by->enough_rounds() ? "cannot be told apart" : "too few rounds";
}

/// What a cell is made of.
struct told {
  const task_report& table;
  const measurement& line;
  const standing& place;
  const measurement* base;  // nullptr: no table of a plan, or not measured
};

struct measured_column {
  std::string_view heading;
  column_kind kind;
  unsigned importance;
  text_cell (*cell)(const told&);
  bool (*belongs)(const task_report&) = [](const task_report&) { return true; };
};

bool has_base(const task_report& table) {
  return !table.base.empty();
}
// Of processes it matters what they use, not whose they are.
bool of_methods(const task_report& table) {
  return table.task != task::commands && !has_base(table);
}
bool wants_any(const task_report& table) {
  return std::ranges::any_of(table.lines, [](const measurement& line) { return line.wanted > 0; });
}
bool is_bound(const task_report& table) {
  return std::ranges::any_of(table.lines,
                             [](const measurement& line) { return line.of_limit().has_value(); });
}

text_cell rank_cell(const told& of) {
  if (of.line.is_limit()) return {};
  return {of.place.rank == 0 ? "-" : fmt::format("{}", of.place.rank)};
}

text_cell base_cell(const told& of) {
  if (of.base == nullptr || of.line.is_limit()) return {};
  if (of.base == &of.line) return {"1"};
  const difference found = compare(of.base->result.samples, of.line.result.samples);
  const auto& within = found.within;
  return {fmt::format("{:.2f}", found.ratio),
          within ? fmt::format("{:.2f} - {:.2f}", within->low, within->high) : std::string()};
}

text_cell cpu_cell(const told& of) {
  const usage& used = of.line.usage;
  if (used.user_seconds + used.system_seconds == 0) return {};  // of a worker it is unknown
  return {text::human_seconds(used.user_seconds + used.system_seconds),
          text::human_seconds(used.system_seconds) + " system"};
}

text_cell peak_cell(const told& of) {
  if (of.line.is_limit()) return {};
  const auto bytes = static_cast<std::uint64_t>(of.line.usage.peak_memory);
  return {bytes == 0 ? "-" : text::human_size(bytes)};
}

text_cell runs_cell(const told& of) {
  const unsigned together = of.line.result.runs_per_sample;
  return {fmt::format("{}{}", of.line.seconds.samples, together > 1 ? fmt::format(" x {}", together) : "")};
}

// A function, as its lists would else be made at each start of the tool.
std::vector<measured_column> columns_of(const task_report& table) {
  using enum column_kind;
  // clang-format off
  const std::array all{
      measured_column{"#", figures, 9, rank_cell},
      measured_column{of_methods(table) || has_base(table) ? "contender" : "command", words, 9,
                      [](const told& of) { return text_cell{of.line.label}; }},
      measured_column{"from", words, 3, [](const told& of) { return text_cell{of.line.program}; }, of_methods},
      measured_column{"method", words, 0, [](const told& of) { return text_cell{of.line.method}; }, of_methods},
      measured_column{"median", figures, 9, [](const told& of) { return text_cell{text::human_seconds(of.line.seconds.median)}; }},
      measured_column{"95%", figures, 5, [](const told& of) { return text_cell{half_width(of.line)}; }},
      measured_column{"95% interval", figures, 0, [](const told& of) { return text_cell{interval_in_words(of.line)}; }},
      measured_column{speed_unit_of(table), figures, 8, [](const told& of) { return text_cell{text::short_number(speed_of(of.table, of.line))}; }},
      measured_column{"x base", figures, 7, base_cell, has_base},
      measured_column{"wanted", figures, 6, [](const told& of) { return text_cell{of.line.wanted > 0 ? fmt::format("{:.3g}", of.line.wanted) : ""}; }, wants_any},
      measured_column{"against the fastest", figures, 0, [](const told& of) { return text_cell{against_fastest(of.line, of.place)}; }},
      measured_column{"", bars, 2, [](const told&) { return text_cell{}; }},
      measured_column{"of its limit", figures, 4, [](const told& of) { return text_cell{share_of_limit(of.line)}; }, is_bound},
      measured_column{"CPU time", figures, of_methods(table) ? 1U : 3U, cpu_cell},
      measured_column{"peak", figures, of_methods(table) ? 0U : 4U, peak_cell},
      measured_column{"minor faults", figures, 1, [](const told& of) { return text_cell{text::with_commas(of.line.usage.minor_faults)}; }},
      measured_column{"major faults", figures, 0, [](const told& of) { return text_cell{text::with_commas(of.line.usage.major_faults)}; }},
      measured_column{"runs", figures, 0, runs_cell}};
  // clang-format on
  std::vector<measured_column> columns;
  std::ranges::copy_if(all, std::back_inserter(columns),
                       [&](const measured_column& each) { return each.belongs(table); });
  return columns;
}

// A limit that binds no contender here has no bar: beside the
// bar of the memory limit, the bars of a cold run would be dots.
bool binds_one(const task_report& table, const measurement& limit) {
  return std::ranges::any_of(table.lines, [&](const measurement& line) {
    const bool same_threads = line.threads == limit.threads || limit.sets == limit_kind::device;
    return line.measured() && line.limit && line.limit->kind == limit.sets && same_threads;
  });
}

text_table table_of(const task_report& table, const std::vector<standing>& standings) {
  const std::vector<measured_column> columns = columns_of(table);
  const auto base = std::ranges::find_if(table.lines, [&](const measurement& line) {
    return has_base(table) && line.label == table.base && line.measured();
  });
  text_table shown{.title = name_in_words(table) + ": every contender",
                   .legend = "Contenders that do not differ share a rank"};
  for (const measured_column& each : columns)
    shown.columns.push_back({std::string(each.heading), each.kind, each.importance});
  bool without_rank = false;
  for (std::size_t i = 0; i < table.lines.size(); ++i) {
    const measurement& line = table.lines[i];
    if (!line.measured()) continue;
    without_rank = without_rank || (!line.is_limit() && standings[i].rank == 0);
    const told of{table, line, standings[i], base == table.lines.end() ? nullptr : &*base};
    text_row row{.kind = kind_of(line), .cells = {}};
    for (const measured_column& each : columns) row.cells.push_back(each.cell(of));
    if (!line.is_limit() || binds_one(table, line)) row.bar = speed_of(table, line);
    shown.rows.push_back(std::move(row));
  }
  shown.legend += without_rank ? "; one with - cannot be told from another." : ".";
  return shown;
}

chart_bar bar_of(const task_report& table, const measurement& line, double speed) {
  const row_kind kind = kind_of(line);
  chart_bar bar{.kind = kind, .prefix = prefix_of(line), .label = line.label, .value = speed};
  bar.heading = kind == row_kind::limit      ? "The limits"
                : line.role == role::command ? "Commands"
                : kind == row_kind::ours     ? "riffle"
                : table.base.empty()         ? "Published programs"
                                             : "Others";
  if (line.seconds.ci95 && line.seconds.ci95->low > 0) {
    const double work = bar.value * line.seconds.median;
    bar.ci95 = interval{work / line.seconds.ci95->high, work / line.seconds.ci95->low};
  }
  return bar;
}

bar_chart chart_of(const task_report& table, std::optional<std::size_t> fastest) {
  bar_chart chart{
      .title = "Speed of each contender: " + name_in_words(table),
      .description = "Bars of speed, one for each contender; the table below has every figure.",
      .unit = std::string(speed_unit_of(table)),
      .caption =
          "Longer is faster. The small frame at a bar's end is the 95 % interval of its median; the "
          "dotted lines are the limits, measured in the same rounds.",
      .limits_cross = true};
  for (const measurement& line : table.lines) {
    if (line.measured() && (!line.is_limit() || line.sets))
      chart.bars.push_back(bar_of(table, line, speed_of(table, line)));
  }
  std::ranges::stable_sort(chart.bars, {}, &chart_bar::kind);
  if (fastest) {
    const measurement& line = table.lines[*fastest];
    chart.description += fmt::format(" The fastest is {} with {} {}.", prefixed(line.program, line.label),
                                     text::short_number(speed_of(table, line)), speed_unit_of(table));
  }
  return chart;
}

// One for each contender without figures. Those that an interrupted run did not reach share one.
void add_others(const task_report& table, section& part) {
  std::vector<std::string> without_turn;
  for (const measurement& line : table.lines) {
    if (line.measured()) continue;
    const std::string who = prefixed(line.program, line.label);
    if (line.result.outcome == outcome::measured) {
      without_turn.push_back(who);
      continue;
    }
    const bool failure = line.result.outcome != outcome::unavailable;
    part.blocks.emplace_back(
        paragraph{failure ? paragraph_kind::failure : paragraph_kind::note,
                  fmt::format("{}: {}: {}", outcome_in_words(line), who, line.result.reason)});
  }
  if (!without_turn.empty())
    part.blocks.emplace_back(paragraph{paragraph_kind::note, "not timed: " + first_few(without_turn)});
}

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

// Adds the figures of one author in their unit, beside those that were measured here.
void add_published(const published_table& published, const task_report& table, section& part) {
  const std::string where = published.where.empty() ? "" : fmt::format(", {}", published.where);
  const std::string whose = fmt::format("{}, {}{}", published.author, published.year, where);
  text_table shown{.title = fmt::format("{}: published and measured here", whose),
                   .columns = {{std::string(published.unit.name), column_kind::words, 9},
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
                           {each.how ? std::string(name_of(*each.how)) : ""},
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

}  // namespace

std::string_view outcome_in_words(const measurement& line) {
  switch (line.result.outcome) {
    case outcome::measured:
      return line.measured() ? "" : "not timed";
    case outcome::unavailable:
      return "not run";
    case outcome::failed:
      return "failed";
    case outcome::wrong:
      return "wrong";
  }
  return "";
}

std::string name_in_words(const task_report& table) {
  return fmt::format("{} on {}, {}", table.name, table.input, name_of(table.cache));
}

row_kind kind_of(const measurement& line) {
  if (line.is_limit()) return row_kind::limit;
  return line.role == role::riffle || line.role == role::earlier ? row_kind::ours : row_kind::theirs;
}

std::string prefix_of(const measurement& line) {
  return line.role == role::published ? prefixed(line.program, "") : std::string();
}

void add_overview(const task_report& table, const std::string& heading, std::vector<chart_bar>& bars) {
  const auto add = [&](const measurement& line) {
    bars.push_back(bar_of(table, line, gb_per_s(table, line)));
    bars.back().heading = heading;
  };
  const measurement* const automatic = automatic_of(table);
  const measurement* const own = automatic != nullptr ? automatic : fastest_of(table, role::riffle);
  if (table.bytes == 0) return;  // others than GB/s cannot stand beside them
  if (own != nullptr) {
    add(*own);
    if (!has_base(table)) bars.back().label = "riffle, " + own->label;
  }
  for (const role of : {role::published, role::command}) {
    if (const measurement* const other = fastest_of(table, of)) add(*other);
  }
  if (own != nullptr && own->limit && own->limit->seconds > 0)
    bars.push_back({.kind = row_kind::limit,
                    .heading = heading,
                    .label = fmt::format("limit: {}", name_of(own->limit->kind)),
                    .value = static_cast<double>(table.bytes) * 1e-9 / own->limit->seconds});
}

section table_section(const task_report& table, const table_conclusions& conclusions) {
  section part{.name = name_in_words(table), .heading = table.name + ": " + table.title};
  part.blocks.emplace_back(paragraph{paragraph_kind::about, input_in_words(table)});
  if (std::ranges::any_of(table.lines, &measurement::measured)) {
    part.blocks.emplace_back(chart_of(table, conclusions.fastest));
    const auto published = published_for(table.name, table.task);
    if (published.empty()) part.blocks.emplace_back(table_of(table, conclusions.standings));
    for (const published_table& each : published) add_published(each, table, part);
  }
  add_others(table, part);
  const verdict& given = conclusions.verdict;
  part.blocks.emplace_back(paragraph{paragraph_kind::verdict, given.text});
  if (!given.code.empty()) part.blocks.emplace_back(paragraph{paragraph_kind::code, given.code});
  return part;
}

}  // namespace riffle::bench
