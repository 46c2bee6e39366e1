/// The benchmark as one call: a plan and the outside world in, a report out.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/data/report.hpp"
#include "bench/host/machine.hpp"
#include "bench/measure/plan.hpp"
#include "bench/measure/rounds.hpp"

namespace riffle::bench {

/// "2026-11-21T10:00:00Z"
std::string date_now();

/// Scans 64 KiB over and over for 2 ms. A processor that waited for storage, or for the page cache, is slower
/// at first, and by some SIMD kernels more than by others.
void keep_busy();

/// What a run needs of the outside. Tests give their own.
struct surroundings {
  round_hooks rounds = {.keep_busy =
                            bench::keep_busy};  // but for `prepare` and `tell`, which the run fills in
  std::function<machine(const std::filesystem::path&)> facts = this_machine;
  std::function<double()> load = load_of_others;
  std::function<double()> stolen_seconds = bench::stolen_seconds;
  std::function<std::string()> date = date_now;
  std::function<void(std::string_view)> progress = {};  // told what runs, in one line
  std::function<void(const report&)> begun = {};        // the facts are known, nothing is measured yet
  std::function<void(const report&)> measured = {};     // the last of its tasks is complete
};

/// Runs the plan. If it is interrupted, a state of the cache cannot be had or a file changes, it returns what
/// was measured until then, with the reason in `stopped_by`. The warnings are judged by others.
report run_bench(const bench_plan& plan, const surroundings& outside);

/// Why a report is not a success: each contender that failed or gave a wrong answer, as "task on input:
/// program/name ...". Empty: none.
std::vector<std::string> failures_of(const report& all);

}  // namespace riffle::bench
