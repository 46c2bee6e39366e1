/// Why this file exists: what was measured, as plain data, and the forms in which it is shown.
#ifndef RIFFLE_BENCH_REPORT_HPP
#define RIFFLE_BENCH_REPORT_HPP

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "contender.hpp"
#include "machine.hpp"
#include "rounds.hpp"
#include "statistics.hpp"

namespace riffle::bench {

/// One contender's result on one input.
struct line_of_report {
  std::string name;
  std::string program;
  std::string method;
  std::string description;
  bench::result result;
  summary seconds;  // of result.seconds
};

/// One task on one input. `lines` are the limit first, then the measured ones from the fastest to the
/// slowest, then the others.
struct task_report {
  bench::task task{};
  std::string input;
  std::size_t files = 0;
  std::uint64_t bytes = 0;
  bool made = false;
  std::vector<line_of_report> lines;
};

/// Puts contenders and their results, which are in the same order, together in the report's order.
std::vector<line_of_report> in_order(const std::vector<contender>& contenders, std::vector<result> results);

/// 10^9 bytes a second; 0 when nothing was measured.
double gb_per_s(const task_report& report, const line_of_report& line);
/// The limit's line if it was measured; else nullptr. Points into `report`.
const line_of_report* limit_of(const task_report& report);
/// The fastest measured line that is not the limit; nullptr when there is none. Points into `report`.
const line_of_report* best_of(const task_report& report);

/// One or two sentences: which way is fastest, and how riffle's automatic choice compares.
std::string verdict(const task_report& report);

/// The facts of the machine, at most 100 columns wide.
void print_machine(const machine& facts, std::ostream& out);
/// One task's table and verdict, at most 100 columns wide.
void print_table(const task_report& report, std::ostream& out);
/// Everything, with each sample, as one JSON object.
void write_json(const machine& facts, const std::vector<task_report>& reports, std::ostream& out);

}  // namespace riffle::bench

#endif
