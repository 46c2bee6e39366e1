/// The page has to hold together whatever the report has in it: nothing, hostile names, zeros, or very much.
#include <gmock/gmock.h>

#include <regex>
#include <sstream>
#include <string>

#include "bench/contenders/registry.hpp"
#include "bench/judge/figures.hpp"
#include "bench/show/markup.hpp"
#include "bench/show/outputs.hpp"
#include "bench/show/svg.hpp"
#include "bench/stats/statistics.hpp"
#include "tests/support/given_report.hpp"
#include "tests/support/markup_check.hpp"
#include "text/numbers.hpp"

namespace riffle::bench {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string page_of(const report& all) {
  std::ostringstream out;
  write_html(all, judge(all), out);
  return out.str();
}

std::string error_in(const std::string& page) {
  return riffle::testing::markup_check(page).error();
}

std::size_t count_of(const std::string& text, const std::string& what) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

TEST(bench_html, markup_check_finds_what_it_looks_for) {
  EXPECT_EQ(error_in("<p id=\"a\">x &amp; y<br></p>"), "");
  for (const char* bad :
       {"<p>", "<p><b></p></b>", "</p>", "<p a=b></p>", "<p>a & b</p>", "<p a=\"1\" a=\"2\"></p>",
        "<p id=\"a\"></p><p id=\"a\"></p>", "<a href=\"#b\"></a>", "<p>1 < 2</p>"}) {
    EXPECT_NE(error_in(bad), "") << bad;
  }
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
        "not run</strong>: perl is not installed", "failed</strong>: cannot set up a ring",
        "wrong</strong>: gives count 41, sum 7", "lines on text, hot, by size</h2>", "id=\"task-3-sizes-t\"",
        "<h3>By block size</h3>", "<h3>By threads</h3>",
        "<dt>limits</dt><dd>RAM scan 11.0, RAM copy 9.00, device 1.10",
        "<dt>run</dt><dd>load 0.50 as it began, 1.00 % of the time taken by the host",
        "<th scope=\"col\">4.0 KiB</th><th scope=\"col\">1.0 MiB</th><th scope=\"col\">64.0 MiB</th>"})
    EXPECT_THAT(page, HasSubstr(told));
  // riffle's choice, the best of others and the limit at three sizes; read in two block sizes, and by
  // threads.
  const auto rows_in = [&](const char* chart) {
    const std::size_t at = page.find(chart);
    return count_of(page.substr(at, page.find("</svg>", at) - at), "<rect width");
  };
  EXPECT_EQ(rows_in("id=\"task-3-sizes-t\""), 9U);
  EXPECT_EQ(rows_in("id=\"task-3-blocks-t\""), 2U);
  EXPECT_EQ(rows_in("id=\"task-3-threads-t\""), 2U);
  for (const warning& each : given::two_warnings()) {
    EXPECT_THAT(page, HasSubstr("<strong>" + escaped(each.text) + "</strong></p><p>" + escaped(each.remedy)));
  }
  EXPECT_THAT(page_of({}), Not(HasSubstr("data-warning")));
}

TEST(bench_html, every_measured_figure_can_be_read_back) {
  const report all = given::everything();
  const std::string page = page_of(all);
  EXPECT_THAT(page, HasSubstr("<table class=\"lines-of\" data-task=\"gc\" data-input=\"genome\" "
                              "data-cache=\"hot\" data-bytes=\"1000000000\">"));
  for (const measurement& line : all.tasks[0].lines) {
    const std::string row =
        "<th scope=\"row\">" + line.label + "</th><td>" + line.program + "</td><td>" + line.method + "</td>";
    ASSERT_THAT(page, HasSubstr(row));
    if (!line.measured()) continue;
    const std::string after = page.substr(page.find(row) + row.size(), 400);
    EXPECT_TRUE(after.starts_with("<td data-value=\"" + plain_number(line.seconds.median) + "\">" +
                                  text::human_seconds(line.seconds.median) + "</td>"))
        << after;
    EXPECT_THAT(after, HasSubstr("<td>" + text::short_number(gb_per_s(all.tasks[0], line)) + "</td>"));
  }
}

TEST(bench_html, takes_too_few_rounds_neither_for_no_difference_nor_for_the_fastest) {
  report all;
  all.tasks = {given::race(task::lines, {{"nvwa", "cin-unsynced-getline", "iostream", 1},
                                         {"nvwa", "cin-synced-getline", "iostream", 1}})};
  EXPECT_EQ(count_of(page_of(all), "no difference</td>"), 2U);  // in the table, and for the published figure
  EXPECT_EQ(count_of(page_of(all), "<td>fastest</td>"), 1U);
  given::keep_rounds(all.tasks[0], 3);
  EXPECT_EQ(count_of(page_of(all), "no difference</td>"), 0U);
  EXPECT_EQ(count_of(page_of(all), "too few rounds</td>"), 3U);
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

TEST(bench_html, sets_each_published_figure_beside_ours) {
  report all;
  all.tasks = {given::race(task::lines, {{"nvwa", "cin-synced-getline", "iostream", 10},
                                         {"nvwa", "cin-unsynced-getline", "iostream", 0.5},
                                         {"nvwa", "fgets", "stdio", 20}})};
  EXPECT_THAT(
      page_of(all),
      HasSubstr(R"(<tr><th scope="row">2016, Wu Yongwei</th><td class="text">lines on input, hot</td>)"
                R"(<td class="text">nvwa/cin-unsynced-getline against nvwa/cin-synced-getline</td>)"
                R"(<td>13.9 to 39.3 times</td><td data-value="20">20.0 times</td>)"
                R"(<td class="text">yes</td></tr>)"));
  EXPECT_EQ(count_of(page_of(all), "<td class=\"text\">reversed</td>"), 1U);
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

// The report of every task in these states of the cache, by all contenders that there are with such options.
report product(const contender_options& varied, const std::vector<cache_mode>& caches) {
  report all = given::everything();
  all.tasks.clear();
  for (const task which : all_tasks) {
    const std::vector<contender> contenders = contenders_of(which, varied);
    std::vector<result> results;
    for (std::size_t i = 0; i < contenders.size(); ++i)
      results.push_back(given::took(0.01234567 * static_cast<double>(i + 1)));
    for (const cache_mode cache : caches)
      all.tasks.push_back({.task = which,
                           .input = "text",
                           .files = 1,
                           .bytes = 64 << 20,
                           .made = true,
                           .cache = cache,
                           .lines = in_order(contenders, results, cache)});
  }
  return all;
}

TEST(bench_html, stays_below_500_kilobytes_and_is_brief_about_the_last_tasks_first) {
  constexpr const char* note =
      "<p class=\"note\">To keep this page below 500 KB, the charts and all contenders";
  EXPECT_THAT(page_of(product({}, {cache_mode::hot})), Not(HasSubstr(note)));
  contender_options varied{.threads = {1, 2}};
  for (unsigned bits = 12; bits <= 22; ++bits) varied.block_sizes.push_back(std::size_t{1} << bits);
  report all = product(varied, {cache_mode::hot, cache_mode::written, cache_mode::cold});
  const result wrong{.outcome = outcome::wrong, .reason = "gives count 41"};
  all.tasks.back().lines.push_back(
      {.name = "miscounts", .program = "nvwa", .label = "miscounts", .result = wrong});
  const std::string page = page_of(all);
  EXPECT_EQ(error_in(page), "");
  EXPECT_LT(page.size(), 500000U);
  EXPECT_LT(page.find("<figure>"), page.find(note));
  EXPECT_GT(page.find(note), page.rfind("<figure>"));
  EXPECT_THAT(page, HasSubstr("gives count 41"));  // what went wrong is never left out
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
