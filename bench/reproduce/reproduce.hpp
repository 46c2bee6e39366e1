/// Measures and prints the tables of the published programs, published beside measured.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "bench/judge/claims.hpp"
#include "bench/measure/run.hpp"

namespace riffle::bench {

struct reproduce_options {
  std::vector<std::string> programs = {};  // of published_programs(); empty: all
  std::uint64_t size = 64 << 20;           // bytes of each generated input
  double budget = 180;                     // seconds of measuring, for all tables together
  std::uint64_t seed = 1;                  // of the order within each round
};

/// What it needs of the outside; an empty text of `progress` says that a table comes.
struct reproduce_surroundings : surroundings {
  registry contenders = contenders_of;
};

/// "nvwa", "ioaccess", "mapped", "wc_measurements", "bitflux".
std::vector<std::string_view> published_programs();

/// Prints the facts of the machine to `out`, measures each table and prints it, and then the warnings.
/// Interrupted, it prints what it has of the table begun without judging it, and names those that are
/// missing. Returns what failed or gave a wrong answer, and why it ended early, one line each. Throws
/// std::invalid_argument for a program that is not published here.
std::vector<std::string> reproduce(const reproduce_options& options, const reproduce_surroundings& outside,
                                   std::ostream& out);

/// A published table beside the results, in at most 80 columns. `judged`: whether the rounds came to their
/// end, so that ratios are judged.
std::string published_text(const published_table& table, const task_report& results, bool judged);

}  // namespace riffle::bench
