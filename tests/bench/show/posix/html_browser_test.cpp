/// Whether a page works only a browser can tell; this one loads it in headless Chromium.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <regex>
#include <sstream>
#include <string>

#include "bench/host/os/process.hpp"
#include "bench/host/temporary_directory.hpp"
#include "bench/show/outputs.hpp"
#include "tests/support/given_report.hpp"
#include "tests/support/shell.hpp"

namespace riffle::bench {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::optional<std::string> find_browser() {
  for (const char* name : {"chromium-headless-shell", "chromium", "google-chrome"}) {
    if (auto path = os::find_program(name)) return path;
  }
  return std::nullopt;
}

class bench_html_browser : public ::testing::Test {
 protected:
  void SetUp() override {
    browser_ = find_browser();
    if (!browser_) GTEST_SKIP() << "no chromium-headless-shell, chromium or google-chrome in PATH";
  }

  // Loads a page; `out` is the document after loading, `err` has the console's messages.
  test::shell_result load(const std::string& page, unsigned width) {
    const std::filesystem::path file = directory_.path() / "page.html";
    std::ofstream(file) << page;
    // Without its sandbox, which a container's root cannot have; with a profile of its own.
    return test::shell("'" + *browser_ +
                       "' --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --hide-scrollbars" +
                       " --user-data-dir='" + (directory_.path() / "profile").string() + "'" +
                       " --enable-logging=stderr --virtual-time-budget=5000 --dump-dom --window-size=" +
                       std::to_string(width) + ",900 'file://" + file.string() + "'");
  }

  // How wide the content is where the window is so wide.
  std::string widths(std::string page, unsigned width) {
    page +=
        "<script>document.body.insertAdjacentHTML('beforeend', '<p id=probe>' + innerWidth + ' ' +"
        " document.documentElement.scrollWidth + '</p>')</script>";
    const std::string dom = load(page, width).out;
    std::smatch found;
    return std::regex_search(dom, found, std::regex("<p id=\"probe\">([^<]*)</p>")) ? found[1].str() : dom;
  }

 private:
  std::optional<std::string> browser_;
  temporary_directory directory_;
};

std::string page_of(const report& all) {
  std::ostringstream out;
  write_html(all, judge(all), out);
  return out.str();
}

// Console messages of every level look like "[...:INFO:CONSOLE:1] "text", source: ...".
constexpr const char* console = ":CONSOLE";

TEST_F(bench_html_browser, a_message_on_the_console_is_seen) {
  const test::shell_result loaded =
      load("<!DOCTYPE html><body><script>console.error('planted')</script></body>", 1280);
  EXPECT_EQ(loaded.status, 0) << loaded.err;
  EXPECT_THAT(loaded.err, HasSubstr(console));
  EXPECT_THAT(loaded.err, HasSubstr("planted"));
}

TEST_F(bench_html_browser, the_page_loads_without_a_message) {
  const test::shell_result loaded = load(page_of(given::everything()), 1280);
  EXPECT_EQ(loaded.status, 0) << loaded.err;
  EXPECT_THAT(loaded.err, Not(HasSubstr(console)));
  EXPECT_THAT(loaded.out, HasSubstr("data-task=\"gc\""));
}

TEST_F(bench_html_browser, the_page_fits_a_phone_and_a_desktop) {
  const std::string page = page_of(given::everything());
  EXPECT_EQ(widths(page, 360), "360 360");
  EXPECT_EQ(widths(page, 1280), "1280 1280");
  EXPECT_EQ(
      widths("<!DOCTYPE html><body style=\"margin:0\"><div style=\"width:2000px\">x</div></body>", 1280),
      "1280 2000");
}

}  // namespace
}  // namespace riffle::bench
