/// The parts of a document that are made of a table's lines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bench/judge/published.hpp"
#include "bench/show/document.hpp"

namespace riffle::bench {

/// "gc on genome, hot"
std::string name_in_words(const task_report& table);
/// "gc: count c, C, g and G"
std::string heading_in_words(const task_report& table);

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

}  // namespace riffle::bench
