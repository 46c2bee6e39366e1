/// Why this file exists: the benchmark as one call: what to run in, table, JSON and exit status out.
#ifndef RIFFLE_BENCH_RUN_HPP
#define RIFFLE_BENCH_RUN_HPP

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <optional>
#include <riffle/options.hpp>
#include <string>
#include <vector>

#include "contender.hpp"
#include "rounds.hpp"

namespace riffle::bench {

struct bench_options {
  std::vector<std::filesystem::path> files = {};  // empty: made inputs
  std::vector<task> tasks = {};   // empty: all of them; on FILEs those that make sense on any file
  std::uint64_t size = 64 << 20;  // bytes of each made input
  unsigned rounds = 5;            // timed runs of each contender; slow ones get fewer
  double budget = 60;             // seconds for everything; then each contender gets only what it needs
  std::optional<std::filesystem::path> json = {};
  std::vector<std::string> contenders = {};  // globs on "program/name"; empty: all. The limit always runs.
  read_options reading = {};  // for riffle's own rows; a method named here is the only one they use
};

/// Runs the benchmark: tables to `out`, failures to `err`, and progress too where `err_is_terminal`.
/// Returns 0; 1 when anything failed or two contenders disagree. Throws riffle::error for files that cannot
/// be used and std::invalid_argument for globs that match nothing.
int run_bench(const bench_options& options, std::ostream& out, std::ostream& err, const clock& now,
              bool err_is_terminal = false);

/// Every contender of the tasks (empty: all), one a line.
void list_contenders(const std::vector<task>& tasks, std::ostream& out);

}  // namespace riffle::bench

#endif
