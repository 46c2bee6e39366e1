/// The tables of four published programs, as data to measure
/// and as functions that print them from what was measured.
#ifndef RIFFLE_BENCH_REPRODUCE_PUBLISHED_TABLE_HPP
#define RIFFLE_BENCH_REPRODUCE_PUBLISHED_TABLE_HPP

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/data/contender.hpp"
#include "bench/data/report.hpp"
#include "bench/reproduce/table_text.hpp"

namespace riffle::bench {

/// One table: what it is measured on and by, and how it is shown in its author's form.
struct published_table {
  std::string_view program;  // "nvwa", "ioaccess", "mapped" or "wc_measurements"
  std::string_view name;     // for progress: "nvwa, lines"
  bench::task task;
  std::size_t input;  // which of the task's generated inputs
  double share;       // of the time, beside the other tables' shares: what its slow rows need
  std::vector<std::string_view> (*ids)();          // the contenders of its rows, as "program/name"
  table_text (*text)(const task_report& results);  // in its author's form; a pure function
};

/// All of them, in the order of docs/prior-art.md.
std::span<const published_table> published_tables();

// One function for each table's text.
table_text nvwa_bytes_text(const task_report& results);
table_text nvwa_lines_text(const task_report& results);
table_text ioaccess_text(const task_report& results);
table_text mapped_text(const task_report& results);
table_text wordcount_text(const task_report& results);

// And for the contenders of its rows.
std::vector<std::string_view> nvwa_bytes_ids();
std::vector<std::string_view> nvwa_lines_ids();
std::vector<std::string_view> ioaccess_ids();
std::vector<std::string_view> mapped_ids();
std::vector<std::string_view> wordcount_ids();

}  // namespace riffle::bench

#endif
