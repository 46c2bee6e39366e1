/// Finds what changed between results beyond the noise.
#ifndef RIFFLE_BENCH_JUDGE_COMPARE_HPP
#define RIFFLE_BENCH_JUDGE_COMPARE_HPP

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/data/report.hpp"

namespace riffle::bench {

struct named_report {
  std::string name;  // the file's
  bench::report report;
};

/// How a contender changed against the base. `failed`: it fails or gives a wrong answer. `lost`: the base
/// measured it, but the later report did not, though it has its table or was cut short. `missing`: it was not
/// measured in both for another reason. `machine`: a contender that runs none of riffle's code is faster or
/// slower on the same machine: a published one, or the limits of copying and of the device. `undecided`: too
/// few runs in either to tell whether it changed.
enum class change : std::uint8_t { none, faster, slower, missing, lost, failed, machine, undecided };

/// A contender on an input in a later report.
struct compared_cell {
  std::optional<double> seconds = {};  // the median; nothing: not measured
  double ratio = 1;                    // to the base's seconds, without the drift; above 1: slower
  bench::change change = change::missing;
};

/// A contender on an input, in all reports.
struct compared_row {
  bench::task task{};
  std::string input = {};
  std::uint64_t bytes = 0;
  cache_mode cache = cache_mode::hot;
  std::string program = {};
  bench::role role = bench::role::published;
  std::string label = {};
  std::optional<double> seconds = {};     // in the base
  std::vector<compared_cell> cells = {};  // one for each later report
};

/// The machine's drift, measured by the published contenders: how much slower it was than for the base.
struct yardsticks {
  std::size_t rows = 0;              // published contenders that were measured in both
  std::optional<double> drift = {};  // that was taken out; nothing: the ratios are absolute
  double spread = 0;                 // of their log ratios: the median absolute deviation
};

/// A later report as a whole, against the base.
struct compared_report {
  bool same_machine = false;              // processor, OS kernel, compiler and flags are equal
  yardsticks memory = {};                 // contenders that read from the page cache: hot, written
  yardsticks device = {};                 // contenders that do not: cold, uncached
  std::vector<std::string> facts = {};    // that differ: "kernel: Linux 6.1 -> Linux 6.18"
  std::vector<std::string> answers = {};  // that differ on the same generated input, in one sentence each
};

struct comparison {
  std::vector<compared_row> rows = {};        // in the order of the base; then those that only others have
  std::vector<compared_report> reports = {};  // all but the base
};

/// Compares the first report with each later one. Contenders
/// match by task, input, bytes, cache, program and label.
///
/// The runs are not paired, and one machine is up to 1.5 times slower from one run to the next, all of it
/// alike. On the same machine that drift is the median ratio of the published contenders, which no change
/// to riffle touches. It is taken out, for memory and for the device apart. With fewer than 5 of them, or on
/// another machine, ratios are absolute.
///
/// A contender changed if the 95 % intervals do not overlap and the ratio is away from 1 by more than 5 %
/// and by more than three times the spread of the published contenders. A contender that did not change is
/// undecided if either report has no interval for it; or, with a ratio as far away from 1 as that of a
/// change, fewer runs than `rounds_to_judge`.
comparison compare_reports(const std::vector<named_report>& reports);

/// Was anything measured in the base and in a later report?
bool anything_compared(const comparison& comparison);
/// Did a contender that the base measured fail, or give a wrong answer, in a later report?
bool anything_broke(const comparison& comparison);
/// Are there answers that differ?
bool answers_differ(const comparison& comparison);
/// Is a contender of riffle lost in a later report?
bool anything_lost(const comparison& comparison);
/// Does a contender of riffle that was measured in both have too few runs, in the base or in a later report?
bool anything_undecided(const comparison& comparison);
/// Is a contender of riffle or a published one slower in any later report, beyond the noise and by more than
/// `share` (0.1: 10 %)?
bool slower_by_more(const comparison& comparison, double share);

}  // namespace riffle::bench

#endif
