/// Finds what changed between two results beyond the noise.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bench/data/report.hpp"

namespace riffle::bench {

struct named_report {
  std::string name;  // the file's
  bench::report report;
};

/// How a contender changed against the base. `machines`: the change of the machine may be all of it.
/// `failed`: it fails or gives a wrong answer. `lost`: the base measured it, but the later report did not,
/// though it has its table or was cut short. `missing`: it was not measured in both for another reason.
/// `undecided`: too few runs in either to tell whether it changed.
enum class change : std::uint8_t { same, faster, slower, machines, undecided, missing, lost, failed };

/// How much slower the machine was than for the base, by the published contenders of one state of the cache.
struct drift {
  std::size_t rows = 0;  // published contenders that were measured in both
  double ratio = 1;      // the median of their ratios
  double reach = 0;      // how far from it, as a logarithm, a ratio is no change
  bool known = false;    // false: ratios are absolute
  // The limits of the machine do not show `ratio`. A change counts only if it is one with and without the
  // drift.
  bool disputed = false;
};

/// A contender on an input in both reports. Points into them; null: the report does not have it.
struct compared_row {
  const task_report* table;
  const measurement* base;
  const measurement* later;
  double ratio = 1;  // to the base's seconds, without the drift; above 1: slower
  bench::change change = change::missing;

  [[nodiscard]] const measurement& line() const { return base != nullptr ? *base : *later; }
  /// Whether it is judged: a contender of riffle's, or a command of the user's.
  [[nodiscard]] bool is_riffles() const {
    return line().role == role::riffle || line().role == role::command;
  }
};

struct comparison {
  bool same_machine = false;              // processor, OS kernel, compiler and flags are equal
  std::vector<std::string> facts = {};    // that differ: "kernel: Linux 6.1 -> Linux 6.18"
  std::vector<std::string> answers = {};  // that differ on the same generated input, in one sentence each
  std::map<cache_mode, drift> drifts = {};
  std::vector<compared_row> rows = {};  // in the order of the base; then those that only the other has
};

/// Compares two reports, which must outlive the result. Contenders match by task, input, bytes, cache,
/// program and label.
///
/// The drift is the median ratio of the published contenders, which no change to riffle touches. It is taken
/// out on the same machine if there are 5 of them. A contender changed if its ratio is further away from the
/// drift than three times the spread of the published contenders, and than 5 %, and the 95 % intervals do not
/// overlap. If no limit shows half of the drift, the machine changed
/// between the runs, and no ratio corrects that. A contender that did not change is undecided if either
/// report has no interval for it; or, with a ratio so far away, fewer runs than `rounds_to_judge`.
comparison compare_reports(const report& base, const report& later);

/// What a comparison means for whoever asked for it.
enum class ending : std::uint8_t { fine, undecided, failed };

/// `failed`: nothing was measured in both, answers differ, or a contender that the base measured broke. With
/// `fail_on` also: one of riffle is slower by more than that (0.1: 10 %), or was lost. `undecided`: with
/// `fail_on`, one of riffle has too few runs.
ending ending_of(const comparison& found, std::optional<double> fail_on = {});

}  // namespace riffle::bench
