/// The page has to hold together whatever the report has in it: nothing, hostile names, zeros, or very much.
#include <gmock/gmock.h>

#include <algorithm>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "bench/show/html_parts.hpp"
#include "bench/show/outputs.hpp"
#include "tests/support/given_report.hpp"

namespace riffle::bench {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string page_of(const report& all) {
  std::ostringstream out;
  write_html(all, judge(all), out);
  return out.str();
}

/// What is wrong first on a page, as a strict reader sees it: each element is closed in its order, each
/// attribute quoted, each id unique, each `&` an entity, each reference to an id (href, aria-labelledby) one
/// to an id that exists. Empty: nothing.
std::string error_in(const std::string& page) {
  static const std::regex tag(R"(<(/?)(\w+)((?: [\w-]+="[^"<]*")*)(/?)>)");
  static const std::regex attribute(R"re( ([\w-]+)="([^"]*)")re");
  static const std::regex bare("&(?!(amp|lt|gt|quot|#39|nbsp);)");
  std::vector<std::string> open;
  std::set<std::string> ids;
  std::set<std::string> wanted;
  for (std::size_t at = page.find('<'), next = 0; at != std::string::npos; at = next) {
    const std::string text = page.substr(at, page.find('>', at) + 1 - at);
    next = page.find('<', at + text.size());
    std::smatch found;
    if (text == "<!DOCTYPE html>") continue;
    if (!std::regex_match(text, found, tag)) return "no tag: " + text;
    if (std::regex_search(text + page.substr(at + text.size(), next - at - text.size()), bare))
      return "a bare & behind " + text;
    const std::string attributes = found[3];
    for (std::sregex_iterator each(attributes.begin(), attributes.end(), attribute), end; each != end;
         ++each) {
      const std::string value = (*each)[2];
      if ((*each)[1] == "id" && !ids.insert(value).second) return "the id " + value + " twice";
      if ((*each)[1] == "href") wanted.insert(value.substr(1));
      if ((*each)[1] == "aria-labelledby")
        wanted.insert({value.substr(0, value.find(' ')), value.substr(value.rfind(' ') + 1)});
    }
    if (found[4].length() > 0 || found[2] == "meta" || found[2] == "br") continue;
    if (found[1].length() == 0) {
      open.push_back(found[2]);
    } else if (open.empty() || open.back() != found[2]) {
      return text + " closes nothing";
    } else {
      open.pop_back();
    }
  }
  if (!open.empty()) return "never closed: " + open.back();
  return std::ranges::includes(ids, wanted) ? "" : "a reference to no id";
}

std::size_t count_of(const std::string& text, const std::string& what) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

TEST(bench_html, is_well_formed_with_everything_and_with_nothing_and_loads_nothing) {
  const std::string page = page_of(given::everything());
  EXPECT_EQ(error_in(page), "");
  for (const char* loads :
       {"http:", "https:", "src=", "url(", "@import", "<link", "<script", "<iframe", " onload="})
    EXPECT_THAT(page, Not(HasSubstr(loads)));
  const std::string empty = page_of({});
  EXPECT_EQ(error_in(empty), "");
  EXPECT_THAT(empty, HasSubstr("Nothing was measured."));
  report no_lines = given::everything();
  for (task_report& table : no_lines.tasks) table.lines.clear();
  EXPECT_EQ(error_in(page_of(no_lines)), "");
}

TEST(bench_html, has_all_that_a_report_tells) {
  report all = given::everything();
  EXPECT_THAT(page_of(all), Not(HasSubstr("class=\"banner\"")));
  all.complete = false;
  all.stopped_by = "cannot evict 'x': use a file on a disk";
  std::ostringstream out;
  write_html(all, given::concluded(all, given::two_warnings()), out);
  const std::string page = out.str();
  for (const char* told :
       {"<html lang=\"en\">", "<meta name=\"color-scheme\" content=\"light dark\">",
        "prefers-color-scheme: dark",
        "<p class=\"banner\" role=\"note\"><strong>Not complete:</strong> cannot evict &#39;x&#39;: use a "
        "file on a disk.",
        // riffle's automatic choice and its mmap take the same time; read takes 0.2 s against 0.125 s.
        "<td>fastest</td>", "<td>no difference</td>", "<td>1.60 ×</td>",
        "<th scope=\"row\">read</th><td>riffle</td><td>read</td><td>200 ms</td>", "<td>5.00</td>",
        "not run</strong>: perl is not installed", "failed</strong>: cannot set up a ring",
        "wrong</strong>: gives count 41, sum 7", "lines on text, hot, by size</h2>", "id=\"task-3-sizes-t\"",
        "<dt>limits</dt><dd>RAM scan 11.0, RAM copy 9.00, device 1.10",
        "<dt>run</dt><dd>load 0.50 as it began, 1.00 % of the time taken by the host",
        "<th scope=\"col\">4.0 KiB</th><th scope=\"col\">1.0 MiB</th><th scope=\"col\">64.0 MiB</th>"})
    EXPECT_THAT(page, HasSubstr(told));
  // riffle's choice, the best of others and the limit at three sizes.
  const std::size_t sizes = page.find("id=\"task-3-sizes-t\"");
  EXPECT_EQ(count_of(page.substr(sizes, page.find("</svg>", sizes) - sizes), "<rect width"), 9U);
  for (const warning& each : given::two_warnings()) {
    EXPECT_THAT(page, HasSubstr("<strong>" + escaped(each.text) + "</strong></p><p>" + escaped(each.remedy)));
  }
  EXPECT_THAT(page_of({}), Not(HasSubstr("class=\"warnings\"")));
}

TEST(bench_html, takes_too_few_rounds_neither_for_no_difference_nor_for_the_fastest) {
  report all;
  all.tasks = {given::race(task::lines, {{"nvwa", "cin-unsynced-getline", "iostream", 1},
                                         {"nvwa", "cin-synced-getline", "iostream", 1}})};
  EXPECT_EQ(count_of(page_of(all), "no difference</td>"), 1U);
  EXPECT_EQ(count_of(page_of(all), "<td>fastest</td>"), 1U);
  given::keep_rounds(all.tasks[0], 3);
  EXPECT_EQ(count_of(page_of(all), "no difference</td>"), 0U);
  EXPECT_EQ(count_of(page_of(all), "too few rounds</td>"), 1U);
  EXPECT_EQ(count_of(page_of(all), "<td>fastest</td>"), 0U);
  EXPECT_EQ(count_of(page_of(all), "<td>cannot be told apart</td>"), 1U);
}

TEST(bench_html, draws_a_bar_for_each_that_was_measured_and_a_line_for_each_limit) {
  report all = given::everything();
  all.tasks.resize(1);
  const std::string page = page_of(all);
  EXPECT_EQ(count_of(page, "<line class=\"cap\""), 2U);
  const std::size_t end = page.find("id=\"task-1-bars-t\"");
  const auto rows = [](const std::string& chart, const char* which) {
    return count_of(chart, std::string("<g class=\"row ") + which + "\"");
  };
  const std::string opening = page.substr(0, end);
  const std::string chart = page.substr(end);
  for (const char* which : {"heading", "ours", "theirs", "limit"})
    EXPECT_EQ(rows(opening, which), 1U) << which;
  EXPECT_THAT(opening, HasSubstr("gc on genome, hot</text>"));
  EXPECT_THAT(opening, HasSubstr("limit: scan</text>"));
  EXPECT_THAT(opening, HasSubstr("<tspan>ioaccess/</tspan>read-64K</text>"));
  EXPECT_EQ(rows(chart, "limit"), 2U);
  EXPECT_EQ(rows(chart, "ours"), 3U);
  EXPECT_EQ(rows(chart, "theirs"), 3U);
  EXPECT_EQ(rows(chart, "heading"), 3U);
  EXPECT_EQ(count_of(chart, "<rect class=\"ci\""), 8U);
}

TEST(bench_html, names_from_outside_are_text_and_never_markup) {
  report all = given::everything();
  const std::string hostile = "a\"'><script>alert(1)</script>&\x01\x1b[31m\xff\xc0\xaf\xed\xa0\x80\nb";
  const std::string shown =
      "a&quot;&#39;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;[31m\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD b";
  EXPECT_EQ(escaped(hostile), shown);
  EXPECT_EQ(escaped("Größe 大小 🎉\xC2\x85\xC2\xA0\x7F"), "Größe 大小 🎉\xC2\xA0");
  all.started = hostile;
  all.facts.processor = all.facts.flags = all.facts.version = hostile;
  all.facts.caches = {hostile};
  for (task_report& table : all.tasks) {
    table.input = hostile;
    for (measurement& line : table.lines) {
      line.description = line.result.reason = hostile;
      if (!line.is_limit() && line.role != role::riffle) line.name = line.label = line.program = hostile;
    }
  }
  const std::string page = page_of(all);
  EXPECT_EQ(error_in(page), "");
  EXPECT_THAT(page, HasSubstr(shown));
  EXPECT_THAT(page, Not(HasSubstr("<script")));
  EXPECT_EQ(page.find_first_of("\x01\x1b\xff"), std::string::npos);
}

TEST(bench_html, has_no_number_that_is_none) {
  report all = given::everything();
  for (task_report& table : all.tasks) table.bytes = 0;
  task_report instant = given::hot();
  for (measurement& line : instant.lines) {
    line.seconds = {};
    line.seconds.samples = 1;
    for (sample& run : line.result.samples) run.seconds = 0;
  }
  all.tasks.push_back(instant);
  all.limits = {};
  all.limits.ram_scan = 0;
  const std::string page = page_of(all);
  EXPECT_EQ(error_in(page), "");
  EXPECT_FALSE(std::regex_search(page, std::regex("[^A-Za-z](nan|inf)[^A-Za-z]")));
}

TEST(bench_html, bars_are_in_proportion) {
  const std::string chart =
      bar_chart({.id = "c", .title = "T", .description = "D"}, "GB/s",
                {{.label = "scan", .group = series_group::limit, .value = 10},
                 {.prefix = "p/", .label = "read", .value = 2.5, .ci95 = interval{2, 3}}});
  EXPECT_EQ(error_in(chart), "");
  EXPECT_THAT(chart, HasSubstr("<rect width=\"100.00%\"/>"));
  EXPECT_THAT(chart, HasSubstr("<rect width=\"25.00%\"/><rect class=\"ci\" x=\"20.00%\" width=\"10.00%\"/>"));
  EXPECT_THAT(chart, HasSubstr("role=\"img\" aria-labelledby=\"c-t c-d\""));
  EXPECT_THAT(chart, HasSubstr("<title id=\"c-t\">T</title><desc id=\"c-d\">D</desc>"));
  EXPECT_EQ(bar_chart({}, "GB/s", {}), "");
  EXPECT_EQ(bar_chart({}, "GB/s", {{.label = "none"}}), "");
}

}  // namespace
}  // namespace riffle::bench
