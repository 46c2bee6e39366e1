/// What a report says is asked here, of the document; the tests of the writers ask how they lay it out.
#include "bench/show/document.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "tests/bench/given_report.hpp"
#include "text/shown.hpp"

namespace riffle::bench {

namespace {

using given::race;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

template <class Block>
std::vector<Block> all_of(const section& part) {
  std::vector<Block> found;
  for (const auto& block : part.blocks) {
    if (const Block* const one = std::get_if<Block>(&block)) found.push_back(*one);
  }
  return found;
}

section shown(const task_report& table) {
  return table_section(table, judge_table(table));
}

document of(const report& all) {
  return document_of(all, judge(all));
}

std::vector<std::string> notes(const section& part) {
  std::vector<std::string> texts;
  for (const paragraph& each : all_of<paragraph>(part)) {
    if (each.kind == paragraph_kind::note) texts.push_back(each.text);
  }
  return texts;
}

// "read | riffle | 200 ms": the cells of each row under these headings.
std::vector<std::string> rows(const text_table& table, const std::vector<std::string>& headings) {
  std::vector<std::string> all;
  for (const text_row& row : table.rows) {
    std::vector<std::string> cells;
    for (const std::string& heading : headings) {
      const auto column = std::ranges::find(table.columns, heading, &text_column::heading);
      if (column == table.columns.end()) return {"no column " + heading};
      cells.push_back(row.cells.at(static_cast<std::size_t>(column - table.columns.begin())).text);
    }
    all.push_back(text::joined(cells, " | "));
  }
  return all;
}

std::vector<std::string> bars_of(const bar_chart& chart) {
  std::vector<std::string> all;
  for (const chart_bar& each : chart.bars) all.push_back(each.heading + ": " + each.prefix + each.label);
  return all;
}

}  // namespace

TEST(a_document, has_its_sections_in_their_order) {
  const document all = of(given::everything());
  std::vector<std::string> names;
  for (const section& each : all.sections) names.push_back((each.folded ? "+ " : "") + each.heading);
  EXPECT_THAT(names,
              ElementsAre("In short", "Before you trust these figures",
                          "gc on genome, hot: count c, C, g and G", "gc on genome, cold: count c, C, g and G",
                          "lines on text, hot, by size", "+ lines on text, hot, 4.0 KiB",
                          "+ lines on text, hot, 1.0 MiB", "lines on text, hot, 64.0 MiB", "The machine",
                          "What each contender does", "+ gc: count c, C, g and G",
                          "+ lines: count lines and sum their lengths", "How to read this"));
  EXPECT_EQ(all.question, "Which reading method is fastest on this machine?");
  EXPECT_EQ(all.date, "2026-11-21 10:00 UTC");
  EXPECT_EQ(all.about, "Example Processor @ 2.50GHz, Linux 6.18.0, ext4");
  report stopped = given::everything();
  stopped.title = "riffle and its peers";
  stopped.complete = false;
  stopped.stopped_by = "interrupted";
  EXPECT_EQ(of(stopped).title, "riffle bench: riffle and its peers");
  EXPECT_EQ(of(stopped).question, "riffle and its peers");
  EXPECT_EQ(of(stopped).incomplete, "interrupted");
  task_report races = race(task::commands, {{"riffle", "riffle wc", "process", 1}});
  races.base = "riffle wc";
  const document untitled = of({.tasks = {races}});
  EXPECT_EQ(untitled.question, "What is fastest on this machine?");
  const bar_chart chart = all_of<bar_chart>(untitled.sections.front()).at(0);
  EXPECT_THAT(chart.description + chart.caption, Not(HasSubstr("choice")));
}

TEST(a_document, opens_with_a_picture_and_the_verdicts_and_sets_sizes_beside_each_other) {
  const section first = of(given::everything()).sections.front();
  EXPECT_THAT(bars_of(all_of<bar_chart>(first).at(0)),
              testing::IsSupersetOf({"gc on genome, hot: riffle, automatic",
                                     "gc on genome, hot: ioaccess/read-64K", "gc on genome, hot: limit: scan",
                                     "lines on text, hot, 64.0 MiB: nvwa/ifstream-getline"}));
  const text_table verdicts = all_of<text_table>(first).at(0);
  EXPECT_THAT(rows(verdicts, {"task"}),
              ElementsAre("gc on genome, hot", "gc on genome, cold", "lines on text, hot, 64.0 MiB"));
  EXPECT_EQ(verdicts.rows[2].cells[0].link, "task-3");
  EXPECT_THAT(verdicts.rows[0].cells[1].second, HasSubstr("count_any_of"));
  const section sizes = of(given::everything()).sections.at(4);
  EXPECT_THAT(rows(all_of<text_table>(sizes).at(0), {"contender", "4.0 KiB", "64.0 MiB"}),
              testing::IsSupersetOf({"automatic | 2.25 | 5.00", "nvwa/ifstream-getline | 0.38 | 0.83"}));
  EXPECT_EQ(all_of<bar_chart>(sizes).at(0).bars.size(), 9U) << "riffle's choice, others' best, the limit";
}

TEST(a_table, says_who_had_no_turn_and_who_has_no_rank) {
  task_report table = given::hot();
  given::keep_rounds(table, 2);
  text_table few = all_of<text_table>(shown(table)).at(0);
  EXPECT_THAT(rows(few, {"#", "against the fastest"}), testing::Contains("- | too few rounds").Times(5));
  EXPECT_EQ(few.legend,
            "Contenders that do not differ share a rank; one with - cannot be told from another.");
  for (std::size_t i = 3; i < 8; ++i) given::keep_rounds(table.lines[i], 0);
  EXPECT_THAT(notes(shown(table)),
              testing::Contains("not timed: riffle/mmap, riffle/read, ioaccess/read-64K and 2 more"));
  for (measurement& line : table.lines) line.seconds = {};
  EXPECT_THAT(all_of<text_table>(shown(table)), IsEmpty());
}

TEST(a_table, of_commands_shows_what_they_used_and_counts_runs_if_there_are_no_files) {
  task_report table = race(task::commands, {{"limit", "scan", "memory", 0.1},
                                            {"command", "wc -l f", "process", 0.25},
                                            {"command", "cat f", "process", 0.5}});
  for (measurement& line : table.lines) line.usage.peak_memory = line.is_limit() ? 0 : 3 << 20;
  EXPECT_THAT(
      rows(all_of<text_table>(shown(table)).at(0), {"command", "GB/s", "CPU time", "peak", "of its limit"}),
      ElementsAre("scan | 10.0 | 100 ms |  | ", "wc -l f | 4.00 | 250 ms | 3.0 MiB | 40% scan",
                  "cat f | 2.00 | 500 ms | 3.0 MiB | 20% scan"));
  table.files = table.bytes = 0;
  EXPECT_THAT(rows(all_of<text_table>(shown(table)).at(0), {"command", "runs/s"}),
              testing::Contains("wc -l f | 4.00"));
}

TEST(a_table, of_a_plan_sets_each_beside_its_base) {
  task_report table = race(
      task::commands, {{"riffle", "riffle wc -l", "process", 0.1},
                       {"peer", "GNU wc -l", "process", 0.15},
                       {"peer", "missing", "process", 0, 0, 0, 1, outcome::unavailable, "--peer x=PATH"}});
  table.name = "newlines";
  table.title = "count newlines";
  table.base = "riffle wc -l";
  table.lines[1].wanted = 1.8;
  EXPECT_EQ(kind_of(given::but(table.lines[1], [](measurement& line) { line.role = role::earlier; })),
            row_kind::ours);
  const section part = shown(table);
  EXPECT_EQ(part.heading, "newlines: count newlines");
  const text_table set = all_of<text_table>(part).at(0);
  EXPECT_THAT(rows(set, {"contender", "x base", "wanted"}),
              ElementsAre("riffle wc -l | 1 | ", "GNU wc -l | 1.50 | 1.8"));
  const auto column = std::ranges::find(set.columns, "x base", &text_column::heading) - set.columns.begin();
  EXPECT_EQ(set.rows[1].cells[static_cast<std::size_t>(column)].second, "1.50 - 1.50");
  EXPECT_THAT(notes(part), ElementsAre("not run: missing: --peer x=PATH"));
}

}  // namespace riffle::bench
