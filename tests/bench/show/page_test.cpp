/// The page has to hold together whatever the report has in it: nothing, hostile names, zeros, or very much.
/// Whether it works only a browser can tell; one test loads it in headless Chromium.
#include <gmock/gmock.h>

#include <algorithm>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "bench/host/command.hpp"
#include "bench/show/document.hpp"
#include "bench/show/page_parts.hpp"
#include "tests/support/given_report.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle::bench {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string laid_out(const document& all) {
  std::ostringstream out;
  write_page(all, out);
  return out.str();
}
std::string page_of(const report& all) {
  return laid_out(document_of(all, judge(all)));
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

TEST(a_page, is_well_formed_with_everything_and_with_nothing_and_loads_nothing) {
  const std::string page = page_of(given::everything());
  EXPECT_EQ(error_in(page), "");
  for (const char* loads :
       {"http:", "https:", "src=", "url(", "@import", "<link", "<script", "<iframe", " onload="})
    EXPECT_EQ(page.find(loads), std::string::npos) << loads;
  const std::string empty = page_of({});
  EXPECT_EQ(error_in(empty), "");
  EXPECT_THAT(empty, HasSubstr("Nothing was measured."));
  report no_lines = given::everything();
  for (task_report& table : no_lines.tasks) table.lines.clear();
  EXPECT_EQ(error_in(page_of(no_lines)), "");
}

TEST(a_page, lays_out_each_kind_of_block) {
  document all =
      document_of(given::everything(), given::concluded(given::everything(), given::two_warnings()));
  EXPECT_THAT(laid_out(all), Not(HasSubstr("class=\"banner\"")));
  all.incomplete = "cannot evict 'x'";
  const std::string page = laid_out(all);
  for (const char* told :
       {"<html lang=\"en\">", "<meta name=\"color-scheme\" content=\"light dark\">",
        "prefers-color-scheme: dark",
        "<p class=\"banner\" role=\"note\"><strong>Not complete:</strong> cannot evict &#39;x&#39;.",
        "<li><a href=\"#task-1\">gc on genome, hot</a></li>",
        "<a href=\"#task-3\">lines on text, hot, 64.0 MiB</a></th><td class=\"wide\">",
        "<br><code>sum = riffle::parallel_reduce(",
        "<strong>1 contender varied by more than 10 %: gc ioaccess/mmap.</strong></p><p>Compare",
        "<tr class=\"ours\"><td>3</td><th scope=\"row\">read</th><td class=\"text\">riffle</td>",
        "<td>200 ms<small>50.0 ms system</small></td>", "<p class=\"bad\">failed: riffle/uring: ",
        "<summary>lines on text, hot, 4.0 KiB</summary>", "<dt>memory</dt><dd>20.0 GiB available</dd>"})
    EXPECT_NE(page.find(told), std::string::npos) << told;
}

TEST(a_page, names_from_outside_are_text_and_never_markup) {
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

TEST(a_page, has_no_number_that_is_none) {
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

TEST(a_page, bars_are_in_proportion) {
  const std::string chart = svg_of(
      {.title = "T",
       .description = "D",
       .unit = "GB/s",
       .bars = {{.kind = row_kind::limit, .heading = "A", .label = "scan", .value = 10},
                {.heading = "B", .prefix = "p/", .label = "read", .value = 2.5, .ci95 = interval{2, 3}}},
       .limits_cross = true},
      "c");
  EXPECT_EQ(error_in(chart), "");
  EXPECT_THAT(chart, HasSubstr("<rect width=\"100.00%\"/>"));
  EXPECT_THAT(chart, HasSubstr("<rect width=\"25.00%\"/><rect class=\"ci\" x=\"20.00%\" width=\"10.00%\"/>"));
  EXPECT_THAT(chart, HasSubstr("role=\"img\" aria-labelledby=\"c-t c-d\""));
  EXPECT_THAT(chart, HasSubstr("<title id=\"c-t\">T</title><desc id=\"c-d\">D</desc>"));
  EXPECT_THAT(chart, HasSubstr("<line class=\"cap\" x1=\"100.00%\""));
  EXPECT_THAT(chart, HasSubstr("<tspan>p/</tspan>read</text>"));
  EXPECT_EQ(svg_of({}, "c"), "");
  EXPECT_EQ(svg_of({.bars = {{.label = "none"}}}, "c"), "");
}

/// How wide the window and the content are, or what stands on the console, whose messages look like
/// "[...:INFO:CONSOLE:1] "text", source: ...".
std::string widths(const std::string& browser, const std::string& page, unsigned width) {
  const test::temporary_directory directory;
  const std::string file = (directory.path() / "page.html").string();
  std::ofstream(file) << page
                      << "<script>document.body.insertAdjacentHTML('beforeend', '<p id=probe>' + innerWidth"
                         " + ' ' + document.documentElement.scrollWidth + '</p>')</script>";
  // Without its sandbox, which a container's root cannot have; with a profile of its own.
  const test::shell_result loaded = test::shell(
      "'" + browser + "' --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --hide-scrollbars" +
      " --user-data-dir='" + (directory.path() / "profile").string() +
      "' --enable-logging=stderr --virtual-time-budget=5000 --dump-dom --window-size=" +
      std::to_string(width) + ",900 'file://" + file + "'");
  if (loaded.err.find(":CONSOLE") != std::string::npos) return loaded.err;
  std::smatch found;
  const bool probed = std::regex_search(loaded.out, found, std::regex("<p id=\"probe\">([^<]*)</p>"));
  return probed ? found[1].str() : loaded.out;
}

TEST(a_page, in_a_browser_fits_a_phone_and_a_desktop_and_loads_without_a_message) {
  std::optional<std::string> browser;
  for (const char* name : {"chromium-headless-shell", "chromium", "google-chrome"})
    browser = browser ? browser : os::find_program(name);
  if (!browser) GTEST_SKIP() << "no chromium-headless-shell, chromium or google-chrome in PATH";
  const std::string wide = "<body style=\"margin:0\"><div style=\"width:2000px\">x</div>";
  const std::string page = page_of(given::everything());
  EXPECT_EQ(widths(*browser, page, 360), "360 360");
  EXPECT_EQ(widths(*browser, page, 1280), "1280 1280");
  EXPECT_EQ(widths(*browser, wide, 1280), "1280 2000");
  EXPECT_THAT(widths(*browser, "<script>console.error('planted')</script>", 1280), HasSubstr("planted"));
}

}  // namespace
}  // namespace riffle::bench
