/// The page has to hold together whatever the report has in it: nothing, hostile names, zeros, or very much.
/// Whether it works only a browser can tell; one test loads it in headless Chromium.

#include <regex>

#include "bench/host/command.hpp"
#include "bench/show/document.hpp"
#include "tests/bench/given_report.hpp"
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

/// Returns the element that is not closed in its order, or the text that is no tag; empty: none.
std::string error_in(const std::string& page) {
  static const std::regex tag(R"re(<(/?)(\w+)(?: [\w-]+="[^"<]*")*(/?)>|<(?!!DOC))re");
  std::vector<std::string> open;
  for (std::sregex_iterator each(page.begin(), page.end(), tag), end; each != end; ++each) {
    const std::string name = (*each)[2];
    if (name.empty()) return "no tag: " + each->str() + each->suffix().str().substr(0, 40);
    if ((*each)[3].length() > 0 || name == "meta" || name == "br") continue;
    if ((*each)[1].length() == 0) {
      open.push_back(name);
    } else if (open.empty() || std::exchange(open.back(), "") != name) {
      return name + " closes nothing";
    } else {
      open.pop_back();
    }
  }
  return open.empty() ? "" : open.back();
}

TEST(a_page, is_well_formed_with_everything_and_with_nothing_and_loads_nothing) {
  const std::string page = page_of(given::everything());
  EXPECT_EQ(error_in(page), "");
  for (const char* loads :
       {"http:", "https:", "src=", "url(", "@import", "<link", "<script", "<iframe", " onload="})
    EXPECT_EQ(page.find(loads), std::string::npos) << loads;
  EXPECT_EQ(error_in(page_of({})), "");
  EXPECT_EQ(error_in("<p><b></p></b>"), "p closes nothing");
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
  for (measurement& line : all.tasks.front().lines) line.seconds = summary{};
  all.limits = {.ram_scan = 0};
  EXPECT_FALSE(std::regex_search(page_of(all), std::regex("[^A-Za-z](nan|inf)[^A-Za-z]")));
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
  EXPECT_THAT(chart, HasSubstr("<rect width=\"100.00%\"/>"));
  EXPECT_THAT(chart, HasSubstr("<rect width=\"25.00%\"/><rect class=\"ci\" x=\"20.00%\" width=\"10.00%\"/>"));
  EXPECT_THAT(chart, HasSubstr("role=\"img\" aria-labelledby=\"c-t c-d\""));
  EXPECT_THAT(chart, HasSubstr("<title id=\"c-t\">T</title><desc id=\"c-d\">D</desc>"));
  EXPECT_THAT(chart, HasSubstr("<line class=\"cap\" x1=\"100.00%\""));
  EXPECT_THAT(chart, HasSubstr("<tspan>p/</tspan>read</text>"));
  EXPECT_EQ(svg_of({}, "c"), "");
  EXPECT_EQ(svg_of({.bars = {{.label = "none"}}}, "c"), "");
}

/// How wide the window and the content are and how many links lead nowhere, or what stands on the console,
/// whose messages look like "[...:INFO:CONSOLE:1] "text", source: ...".
std::string seen(const std::string& browser, const std::string& page, unsigned width) {
  const test::temporary_directory directory;
  const std::string file = (directory.path() / "page.html").string();
  std::ofstream(file) << page
                      << R"(<script>document.title = [innerWidth, document.documentElement.scrollWidth,
    [...document.querySelectorAll('[href]')].filter(a => !document.querySelector(a.hash)).length]</script>)";
  // Without its sandbox, which a container's root cannot have; with a profile of its own.
  const test::shell_result loaded = test::shell(
      "'" + browser + "' --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --hide-scrollbars" +
      " --user-data-dir='" + (directory.path() / "profile").string() +
      "' --enable-logging=stderr --virtual-time-budget=5000 --dump-dom --window-size=" +
      std::to_string(width) + ",900 'file://" + file + "'");
  if (loaded.err.find(":CONSOLE") != std::string::npos) return loaded.err;
  std::smatch found;
  return std::regex_search(loaded.out, found, std::regex("<title>([^<]*)")) ? found[1].str() : loaded.out;
}

TEST(a_page, in_a_browser_fits_a_phone_and_a_desktop_and_loads_without_a_message) {
  std::optional<std::string> browser;
  for (const char* name : {"chromium-headless-shell", "chromium", "google-chrome"})
    browser = browser ? browser : os::find_program(name);
  if (!browser) GTEST_SKIP() << "no chromium-headless-shell, chromium or google-chrome in PATH";
  const std::string wide =
      "<title></title><body style=\"margin:0\"><a href=\"#x\" style=\"padding:0 1000px\"></a>";
  const std::string page = page_of(given::everything());
  EXPECT_EQ(seen(*browser, page, 360), "360,360,0");
  EXPECT_EQ(seen(*browser, page, 1280), "1280,1280,0");
  EXPECT_EQ(seen(*browser, wide, 1280), "1280,2000,1");
  EXPECT_THAT(seen(*browser, "<script>console.error('planted')</script>", 1280), HasSubstr("planted"));
}

}  // namespace
}  // namespace riffle::bench
