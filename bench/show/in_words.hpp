/// The facts of the machine and the figures of a contender, in the words of every output.
#pragma once

#include <string>
#include <string_view>

#include "bench/show/document.hpp"

namespace riffle::bench {

/// What is known, in the order in which it matters; a fact of which nothing is known is left out.
fact_list facts_in_words(const machine& machine);
/// One fact, "limits"; empty if none was measured.
fact_list limits_in_words(const limits& limits);

/// "Example Processor, Linux 6.18.0, ext4"
std::string in_a_line(const machine& machine);

/// "genome, 953.7 MiB, hot: in the page cache, filled by reading; 0.50 faults a MiB"
std::string input_in_words(const task_report& table);

/// "±0.5%": half of the 95 % interval, in percent of the median; "-" if there is no interval.
std::string half_width(const measurement& line);
/// "1.39 - 1.41 ms": the 95 % interval; "-" without one.
std::string interval_in_words(const measurement& line);
/// "80% scan": the share of the limit that binds it; empty without one.
std::string share_of_limit(const measurement& line);
/// "1.9 MiB": the most memory that its process had; "-" if that is unknown.
std::string peak_memory(const measurement& line);
/// "not run", "failed" or "wrong": why a contender has no figures; empty if it was measured.
std::string_view outcome_in_words(const measurement& line);
/// "fastest", "1.60 x", "no difference", "cannot be told apart" or "too few rounds".
std::string against_fastest(const measurement& line, const standing& standing);

}  // namespace riffle::bench
