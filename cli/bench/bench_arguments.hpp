/// What the table of `riffle bench` fills and the run takes.
#ifndef RIFFLE_CLI_BENCH_BENCH_ARGUMENTS_HPP
#define RIFFLE_CLI_BENCH_BENCH_ARGUMENTS_HPP

#include <vector>

#include "bench/host/cache.hpp"
#include "bench/measure/run.hpp"
#include "cli/bench/forms.hpp"
#include "cli/command.hpp"

namespace riffle::cli {

/// The lists replace what stands in `bench`, if they hold anything.
struct bench_arguments : arguments {
  bench::bench_options bench;
  report_forms forms;
  std::vector<bench::cache_mode> caches;
  std::vector<unsigned> threads;
  unsigned latency = 0;  // microseconds; 0: the storage is the machine's own
  unsigned served = 0;   // 0: 32
  bool list = false;
};

/// Runs the benchmark, or lists its contenders. Throws text::usage_error for options that do not go together.
int run_bench(const bench_arguments& given);

}  // namespace riffle::cli

#endif
