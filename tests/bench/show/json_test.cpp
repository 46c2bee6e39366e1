/// A report as JSON: what no number stands for is null, and no text reaches a terminal.
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "bench/show/outputs.hpp"
#include "tests/support/given_report.hpp"

namespace riffle::bench {

TEST(bench_json, is_json_whatever_a_report_holds) {
  report odd = given::everything();
  odd.started = "a\xff\x1b[2J\x7f\xC2\x9B\u202E\"\\\n";
  odd.load = std::numeric_limits<double>::quiet_NaN();
  odd.limits.device = std::numeric_limits<double>::infinity();
  std::ostringstream out;
  write_json(odd, judge(odd), out);
  for (const char* obeyed_by_a_terminal : {"\x1b", "\x7f", "\xC2\x9B", "\u202E"})
    EXPECT_EQ(out.str().find(obeyed_by_a_terminal), std::string::npos);
  const nlohmann::json all = nlohmann::json::parse(out.str());
  EXPECT_EQ(all["started"], "a\uFFFD\x1b[2J\x7f\xC2\x9B\u202E\"\\\n");
  EXPECT_TRUE(all["load"].is_null() && all["limits"]["device"].is_null());
  EXPECT_EQ(all["results"].size(), 34U);
}

}  // namespace riffle::bench
