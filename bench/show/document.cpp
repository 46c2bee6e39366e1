/// The order of a document, and the sections that stand around the tables.
#include "bench/show/document.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "text/shown.hpp"
#include "text/typed.hpp"

namespace riffle::bench {

namespace {

// "a, b, c" of those that are not empty.
std::string listed(std::vector<std::string> parts) {
  std::erase(parts, "");
  return text::joined(parts, ", ");
}

std::string known(std::string_view before, std::string_view text, std::string_view after = "") {
  if (text.empty()) return {};
  return fmt::format("{}{}{}", before, text, after);
}

std::string known_size(std::string_view before, std::uint64_t bytes, std::string_view after = "") {
  return bytes == 0 ? std::string() : known(before, text::human_size(bytes), after);
}

// "2 processors" or "1 of 2 processors"
std::string processors_in_words(const machine& machine) {
  if (machine.processors == 0) return {};
  if (machine.processors >= machine.processors_online) return counted(machine.processors, "processor");
  return fmt::format("{} of {}", machine.processors, counted(machine.processors_online, "processor"));
}

std::string number_of(std::string_view what, const std::optional<double>& bytes_a_second) {
  return bytes_a_second ? fmt::format("{} {}", what, text::short_number(*bytes_a_second * 1e-9))
                        : std::string();
}

/// The places of a report's tables of one task on one input in one state of the cache: one, or one for each
/// size, smallest first.
using same_tables = std::vector<std::size_t>;

std::vector<same_tables> groups_of(const std::vector<task_report>& tables) {
  std::vector<same_tables> groups;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const auto same = std::ranges::find_if(groups, [&](const same_tables& each) {
      const task_report& other = tables[each.front()];
      return other.name == tables[i].name && other.input == tables[i].input && other.cache == tables[i].cache;
    });
    (same != groups.end() ? *same : groups.emplace_back()).push_back(i);
  }
  for (same_tables& each : groups)
    std::ranges::stable_sort(each, {}, [&](std::size_t i) { return tables[i].bytes; });
  return groups;
}

section sizes_section(const report& all, const same_tables& sizes) {
  const task_report& largest = all.tasks[sizes.back()];
  bar_chart chart{.description =
                      "For each size: riffle, the best contender that is not riffle, and the "
                      "limit. The table below has every figure.",
                  .unit = "GB/s",
                  .caption = "For each size: riffle, the best that is not riffle, and the limit."};
  text_table table{.columns = {{"contender", column_kind::words, 9}}};
  for (const std::size_t i : sizes) {
    const std::string size = text::human_size(all.tasks[i].bytes);
    add_overview(all.tasks[i], size, chart.bars);
    table.columns.push_back({size, column_kind::figures, 9});
  }
  for (const measurement& like : largest.lines) {
    text_row row{.kind = kind_of(like), .cells = {{prefix_of(like) + like.label}}};
    for (const std::size_t i : sizes) {
      const auto& lines = all.tasks[i].lines;
      const auto line = std::ranges::find_if(lines, [&](const measurement& each) {
        return each.program == like.program && each.label == like.label;
      });
      if (line == lines.end() || !line->measured()) {
        row.cells.push_back({line == lines.end() ? "-" : std::string(outcome_in_words(*line))});
      } else {
        row.cells.push_back(
            {text::short_number(gb_per_s(all.tasks[i], *line)), text::human_seconds(line->seconds.median)});
      }
    }
    table.rows.push_back(std::move(row));
  }
  section part{.name = name_in_words(largest) + ", by size"};
  part.heading = part.name;
  chart.title = "By size: " + part.name;
  table.title = part.name + ": GB/s and median time";
  part.blocks = {std::move(chart), std::move(table)};
  return part;
}

// A race of programs, which has no choice of a method.
bool of_commands(const report& all) {
  return std::ranges::any_of(all.tasks,
                             [](const task_report& table) { return table.task == task::commands; });
}

// The speed of the largest of each group and its verdict, which links to its section.
section verdicts_section(const report& all, const conclusions& conclusions,
                         const std::vector<same_tables>& groups) {
  bar_chart chart{
      .title = "Speed of each task",
      .description = fmt::format(
          "For each task: {}, the best contender that is not riffle, and the limit. The table below "
          "has every verdict.",
          of_commands(all) ? "the fastest of riffle" : "riffle's automatic choice"),
      .unit = "GB/s",
      .caption = fmt::format("Longer is faster: {}, the best that is not riffle, and the limit.",
                             of_commands(all) ? "riffle" : "riffle's choice")};
  text_table table{.title = "What is fastest",
                   .columns = {{"task", column_kind::words}, {"verdict", column_kind::words}}};
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const task_report& shown = all.tasks[groups[i].back()];
    const verdict& given = conclusions.tables[groups[i].back()].verdict;
    const bool sweep = groups[i].size() > 1;
    std::string name = name_in_words(shown) + (sweep ? ", " + text::human_size(shown.bytes) : "");
    add_overview(shown, name, chart.bars);
    table.rows.push_back({.cells = {{.text = std::move(name), .link = fmt::format("task-{}", i + 1)},
                                    {.text = given.text, .second = given.code}}});
  }
  section part{.id = "verdict", .name = "In short", .heading = "In short", .extra = true};
  if (table.rows.empty()) {
    part.blocks = {paragraph{paragraph_kind::about, "Nothing was measured."}};
  } else {
    part.blocks = {std::move(chart), std::move(table)};
  }
  return part;
}

// What each contender does, task by task.
void add_contenders(const report& all, std::vector<section>& sections) {
  std::vector<section> tasks;
  for (const task_report& table : all.tasks) {
    const std::string heading = table.name + ": " + table.title;
    if (std::ranges::count(tasks, heading, &section::heading) != 0) continue;
    fact_list does;
    for (const task_report& other : all.tasks) {
      if (other.name != table.name) continue;
      for (const measurement& line : other.lines) {
        const std::string id = prefixed(line.program, line.name);
        if (!line.description.empty() && std::ranges::count(does, id, &fact::about) == 0)
          does.push_back({id, line.description});
      }
    }
    if (does.empty()) continue;
    tasks.push_back({.heading = heading, .under = true, .folded = true, .extra = true, .blocks = {does}});
  }
  if (tasks.empty()) return;
  sections.push_back({.id = "contenders",
                      .name = "Contenders",
                      .heading = "What each contender does",
                      .extra = true,
                      .blocks = {}});
  sections.insert(sections.end(), tasks.begin(), tasks.end());
}

section reading_section() {
  return {.id = "reading",
          .name = "How to read this",
          .heading = "How to read this",
          .extra = true,
          .blocks = {fact_list{
              {"median",
               "Half of a contender's runs were faster, half slower. All contenders ran in turn, round after "
               "round, in a new order each time, so that a slow phase of the machine slows all of them."},
              {"95 % interval",
               "The true median lies in it with that confidence. \"No difference\": the ratio of two lies "
               "within 5 % of 1. \"Too few rounds\": more time gives more. \"Cannot be told apart\": their "
               "runs vary too much for that."},
              {"limit",
               "What the machine can do with the same bytes: scan them in memory, copy them, or fetch them "
               "from the device. Near 100 % of it another method gains nothing."},
              {"verified",
               "All contenders of a task must give the same answer. One that does not is reported as wrong, "
               "and its time does not count."}}}};
}

// "2026-11-21 10:00 UTC" of "2026-11-21T10:00:00Z"; other forms stay as they are.
std::string readable_date(const std::string& started) {
  if (started.size() != 20 || started[10] != 'T' || started.back() != 'Z') return started;
  return started.substr(0, 10) + " " + started.substr(11, 5) + " UTC";
}

section whole_machine_section(const report& all) {
  section part = machine_section(all.facts, all.limits);
  fact_list facts = part.blocks.empty() ? fact_list() : std::get<fact_list>(part.blocks.front());
  facts.push_back(
      {"run", fmt::format("{}{}seed {}, load {} as it began, {} % of the time taken by the host", all.started,
                          all.started.empty() ? "" : ", ", all.seed, text::short_number(all.load),
                          text::short_number(all.stolen_share * 100))});
  part.heading = "The machine";
  part.blocks = {std::move(facts)};
  return part;
}

}  // namespace

// A fact of which nothing is known is left out.
section machine_section(const machine& of, const limits& limits) {
  const std::string most =
      listed({number_of("RAM scan", limits.ram_scan), number_of("RAM copy", limits.ram_copy),
              number_of("device", limits.device)});
  fact_list all{
      {"processor", listed({of.processor, processors_in_words(of), listed(of.caches)})},
      {"memory", known_size("", of.memory_available, " available")},
      {"system", listed({of.os_release, known("governor ", of.governor)})},
      {"storage",
       listed({of.file_system + known(" on ", of.device), known_size("read-ahead ", of.read_ahead)})},
      {"riffle", listed({of.version, of.active_kernel, listed({of.compiler + known(" ", of.flags)})})},
      {"limits", known("", most, " GB/s")}};
  std::erase_if(all, [](const fact& each) { return each.text.empty(); });
  section part{.id = "machine", .name = "Machine"};
  if (!all.empty()) part.blocks = {std::move(all)};
  return part;
}

section warnings_section(const std::vector<warning>& warnings) {
  section part{.id = "warnings", .name = "Warnings"};
  for (const warning& each : warnings)
    part.blocks.emplace_back(paragraph{paragraph_kind::warning, each.text, each.remedy});
  return part;
}

document document_of(const report& report, const conclusions& conclusions) {
  const bool untitled = report.title == bench::report{}.title;
  document all{
      .title = untitled ? report.title : "riffle bench: " + report.title,
      .question = !untitled             ? report.title
                  : of_commands(report) ? "What is fastest on this machine?"
                                        : "Which reading method is fastest on this machine?",
      .date = readable_date(report.started),
      .about = listed({report.facts.processor, report.facts.os_release, report.facts.file_system}),
      .incomplete = report.complete ? "" : report.stopped_by,
      .made_by = fmt::format("Made by riffle {} with seed {}. The same --seed repeats the run order; "
                             "--json writes every run.",
                             report.facts.version, report.seed)};
  const std::vector<same_tables> groups = groups_of(report.tasks);
  all.sections.push_back(verdicts_section(report, conclusions, groups));
  if (section warned = warnings_section(conclusions.warnings); !warned.blocks.empty()) {
    warned.heading = "Before you trust these figures";
    all.sections.push_back(std::move(warned));
  }
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const bool sweep = groups[i].size() > 1;
    const std::string id = fmt::format("task-{}", i + 1);
    if (sweep) {
      all.sections.push_back(sizes_section(report, groups[i]));
      all.sections.back().id = id;
    }
    for (const std::size_t place : groups[i]) {
      section part = table_section(report.tasks[place], conclusions.tables[place]);
      part.heading = part.name + (sweep ? ", " + text::human_size(report.tasks[place].bytes)
                                        : ": " + report.tasks[place].title);
      part.under = sweep;
      part.folded = sweep && place != groups[i].back();
      if (!sweep) part.id = id;
      all.sections.push_back(std::move(part));
    }
  }
  all.sections.push_back(whole_machine_section(report));
  add_contenders(report, all.sections);
  all.sections.push_back(reading_section());
  return all;
}

}  // namespace riffle::bench
