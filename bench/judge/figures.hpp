/// The lines of a table that every judgement and every form of output asks for, and their speed.
#ifndef RIFFLE_BENCH_JUDGE_FIGURES_HPP
#define RIFFLE_BENCH_JUDGE_FIGURES_HPP

#include "bench/data/report.hpp"

namespace riffle::bench {

/// 10^9 bytes a second; 0 if nothing was measured.
double gb_per_s(const task_report& table, const measurement& line);
/// The fastest measured line that is no limit; nullptr if there is none. Points into `table`.
const measurement* best_of(const task_report& table);
/// riffle's automatic choice with one thread and its own block size; the faster form if a task has two;
/// nullptr if it was not measured. Points into `table`.
const measurement* automatic_of(const task_report& table);

}  // namespace riffle::bench

#endif
