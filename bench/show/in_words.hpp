/// The parts that a document is made of: a table's lines and the figures of a contender, in words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bench/judge/published.hpp"
#include "bench/show/document.hpp"

namespace riffle::bench {

/// "gc on genome, hot"
std::string name_in_words(const task_report& table);
row_kind kind_of(const measurement& line);
/// "ioaccess/read"; the name alone without a program, or of a peer, which names itself.
std::string prefixed(std::string_view program, std::string_view name);
/// "ioaccess/" for published programs; riffle and the limits have a heading or a colour of their own.
std::string prefix_of(const measurement& line);

/// Adds bars under that heading: riffle's automatic choice, or else its fastest; the best that is not riffle;
/// and the limit of the first.
void add_overview(const task_report& table, const std::string& heading, std::vector<chart_bar>& bars);

/// Adds the figures of one author in that unit, beside those that were measured here, and why some do not
/// hold.
void add_published(const published_table& published, const task_report& table, section& part);

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
