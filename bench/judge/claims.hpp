/// The figures that the authors of four programs published, as data to set beside those measured here.
#ifndef RIFFLE_BENCH_JUDGE_CLAIMS_HPP
#define RIFFLE_BENCH_JUDGE_CLAIMS_HPP

#include <span>
#include <string_view>
#include <vector>

#include "bench/data/report.hpp"
#include "bench/stats/statistics.hpp"

namespace riffle::bench {

/// "In 2012, on ints, mmap was 1.01 times as fast as fread."
struct claim {
  int year;                 // of the measurement
  std::string_view author;  // "Daniel Lemire"
  bench::task task;
  std::string_view contender;   // "ioaccess/mmap", as the contenders are called here
  std::string_view against;     // "ioaccess/fread"
  double times_as_fast;         // as published
  std::string_view where = {};  // "AMD Ryzen 5950X"; empty: the author's machine, or any
  bool many_files = false;      // measured over many small files; false: over one large file
};

/// All of them, oldest first. Valid for ever.
std::span<const claim> claims();

/// A claim beside the same two contenders here.
struct checked_claim {
  const claim* published;
  difference here;  // `ratio` is times as fast
};

/// What the rounds say of two lines of a report: `ratio` is how many times as fast `fast` is as `slow`.
difference times_as_fast(const measurement& fast, const measurement& slow);

/// The measured line of that "program/name", of one thread; nullptr if there is none. Points into `table`.
const measurement* measured_line(const task_report& table, std::string_view id);

/// The claims whose contenders were both measured in this report, on as many files: one, or many.
std::vector<checked_claim> check_claims(const task_report& table);

}  // namespace riffle::bench

#endif
