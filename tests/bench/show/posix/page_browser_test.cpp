/// Whether a page works only a browser can tell; this one loads it in headless Chromium.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <regex>
#include <sstream>
#include <string>

#include "bench/host/os/command.hpp"
#include "bench/host/temporary_directory.hpp"
#include "bench/show/outputs.hpp"
#include "tests/support/given_report.hpp"
#include "tests/support/shell.hpp"

namespace riffle::bench {
namespace {

using ::testing::HasSubstr;

std::optional<std::string> find_browser() {
  for (const char* name : {"chromium-headless-shell", "chromium", "google-chrome"}) {
    if (auto path = os::find_program(name)) return path;
  }
  return std::nullopt;
}

class page_in_a_browser : public ::testing::Test {
 protected:
  void SetUp() override {
    browser_ = find_browser();
    if (!browser_) GTEST_SKIP() << "no chromium-headless-shell, chromium or google-chrome in PATH";
  }

  // How wide the window and the content are, and what stands on the console, whose messages look like
  // "[...:INFO:CONSOLE:1] "text", source: ...".
  std::string widths(const std::string& page, unsigned width) {
    const std::filesystem::path file = directory_.path() / "page.html";
    std::ofstream(file)
        << page
        << "<script>document.body.insertAdjacentHTML('beforeend', '<p id=probe>' + innerWidth +"
           " ' ' + document.documentElement.scrollWidth + '</p>')</script>";
    // Without its sandbox, which a container's root cannot have; with a profile of its own.
    const test::shell_result loaded =
        test::shell("'" + *browser_ +
                    "' --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --hide-scrollbars" +
                    " --user-data-dir='" + (directory_.path() / "profile").string() + "'" +
                    " --enable-logging=stderr --virtual-time-budget=5000 --dump-dom --window-size=" +
                    std::to_string(width) + ",900 'file://" + file.string() + "'");
    if (loaded.err.find(":CONSOLE") != std::string::npos) return loaded.err;
    std::smatch found;
    return std::regex_search(loaded.out, found, std::regex("<p id=\"probe\">([^<]*)</p>")) ? found[1].str()
                                                                                           : loaded.out;
  }

 private:
  std::optional<std::string> browser_;
  temporary_directory directory_;
};

TEST_F(page_in_a_browser, the_page_fits_a_phone_and_a_desktop_and_loads_without_a_message) {
  const report all = given::everything();
  std::ostringstream page;
  write_page(document_of(all, judge(all)), page);
  EXPECT_EQ(widths(page.str(), 360), "360 360");
  EXPECT_EQ(widths(page.str(), 1280), "1280 1280");
  EXPECT_EQ(widths("<body style=\"margin:0\"><div style=\"width:2000px\">x</div>", 1280), "1280 2000");
  EXPECT_THAT(widths("<script>console.error('planted')</script>", 1280), HasSubstr("planted"));
}

}  // namespace
}  // namespace riffle::bench
