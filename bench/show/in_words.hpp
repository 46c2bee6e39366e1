/// The facts of the machine, its limits and the figures of a contender, in the words of every output.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bench/data/report.hpp"
#include "bench/judge/conclusions.hpp"

namespace riffle::bench {

/// "processor": "Example Processor, 2 processors, L1d 32 KiB"
struct fact {
  std::string_view about;
  std::string text;
};

/// What is known, in the order in which it matters; a fact of which nothing is known is left out.
std::vector<fact> facts_in_words(const machine& machine);
/// One fact, "limits"; empty if none was measured.
std::vector<fact> limits_in_words(const limits& limits);

/// "genome, 953.7 MiB, hot: in the page cache, filled by reading; 0.50 faults a MiB": under a table's
/// heading. `name` is the input's, as that output shows it.
std::string input_in_words(const task_report& table, std::string_view name);

/// "±0.5%": half of the 95 % interval, in percent of the median; "-" if there is no interval.
std::string half_width(const measurement& line);
/// "80% scan": the share of the limit that binds it; empty without one.
std::string share_of_limit(const measurement& line);
/// "12 ms + 3 ms": processor time of a run, the user's and the system's.
std::string processor_time(const measurement& line);
/// "1.9 MiB": the most memory that its process had; "-" if that is unknown.
std::string peak_memory(const measurement& line);
/// "not run", "failed" or "wrong": why a contender has no figures; empty if it was measured.
std::string_view outcome_in_words(const measurement& line);

/// Of two that are not certain to differ: "no difference", "cannot be told apart" or "too few rounds".
std::string_view in_words(const difference& uncertain);

/// "1"; "-" without a rank.
std::string rank_in_words(const standing& standing);
/// Whether a contender was measured and has no rank.
bool lacks_ranks(const task_report& table, const std::vector<standing>& standings);

}  // namespace riffle::bench
