/// A report as JSON, letter for letter: what no number stands for is null, and no text reaches a terminal.
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

// clang-format off

TEST(bench_json, of_the_whole_report) {
  report all = given::exact();
  const report everything = given::everything();
  all.started = everything.started;
  all.seed = 42;
  all.facts = everything.facts;
  all.facts.governor = "";
  all.limits.ram_scan = 11e9;
  all.limits.device = 1.1e9;
  std::ostringstream out;
  write_json(all, given::concluded(all, given::two_warnings()), out);
  EXPECT_EQ(out.str(),
R"json({
"schema": "riffle-bench",
"version": 5,
"started": "2026-11-21T10:00:00Z",
"complete": true,
"stopped_by": null,
"seed": 42,
"machine": {"processor":"Example Processor @ 2.50GHz","processors":2,"processors_online":4,"caches":["L1d 32 KiB","L2 1 MiB","L3 35.8 MiB"],"memory_available":21474836480,"kernel":"Linux 6.18.0","governor":null,"file_system":"ext4","device":"vda (virtio)","read_ahead":131072,"compiler":"g++ 12.2.0","flags":"-O3 -DNDEBUG","version":"0.1.0","active_kernel":"avx2 kernels"},
"limits": {"ram_scan":11000000000.0,"ram_copy":null,"device":1100000000.0},
"load": 0.0,
"stolen_share": 0.0,
"verdicts": [
  {"task":"gc","table":"gc","input":"a,b.txt","bytes":1000000000,"cache":"hot","text":"riffle/mmap 1M has the shortest median: 2.00 GB/s, 50 % of the scan limit.","code":"count = riffle::count_any_of(path, \"cCgG\", {}, {.method = riffle::method::mmap, .block_size = 1 << 20});"}
],
"warnings": [
  {"name":"frequency_scaling","text":"The processor may change its frequency between two runs: its governor is powersave.","remedy":"As root: cpupower frequency-set -g performance","tasks":[],"inputs":[],"contenders":[]},
  {"name":"unsteady","text":"1 contender varied by more than 10 %: gc ioaccess/mmap.","remedy":"Compare their minima, or run them again on a quiet machine.","tasks":["gc"],"inputs":["genome"],"contenders":["gc ioaccess/mmap"]}
],
"results": [
  {"task":"gc","table":"gc","contender":"scan","program":"limit","method":"memory","label":"scan","description":"reads by scan","input":"a,b.txt","files":2,"bytes":1000000000,"made":false,"cache":"hot","faults_per_mib":0.5,"threads":1,"block_size":0,"queue_depth":0,"outcome":"measured","reason":null,"seconds":{"median":0.25,"min":0.125,"max":0.375,"mad":0.0625,"ci95":[0.15625,0.34375],"samples":[0.125,0.15625,0.1875,0.21875,0.25,0.28125,0.3125,0.34375,0.375]},"gb_per_s":4.0,"limit":null,"of_limit":null,"answer":{"count":42,"sum":7},"user_seconds":0.25,"system_seconds":0.125,"minor_faults":480.0,"major_faults":1.0,"bytes_read":4096.0,"peak_memory":null,"delayed_seconds":0.0,"rounds":[1,2,3,4,5,6,7,8,9],"runs_per_sample":2,"failed_runs":0,"settled":true},
  {"task":"gc","table":"gc","contender":"mmap","program":"riffle","method":"mmap","label":"mmap 1M","description":"reads by mmap","input":"a,b.txt","files":2,"bytes":1000000000,"made":false,"cache":"hot","faults_per_mib":0.5,"threads":1,"block_size":1048576,"queue_depth":0,"outcome":"measured","reason":null,"seconds":{"median":0.5,"min":0.25,"max":0.75,"mad":0.125,"ci95":[0.3125,0.6875],"samples":[0.25,0.3125,0.375,0.4375,0.5,0.5625,0.625,0.6875,0.75]},"gb_per_s":2.0,"limit":{"name":"scan","seconds":0.25},"of_limit":0.5,"answer":{"count":42,"sum":7},"user_seconds":0.25,"system_seconds":0.125,"minor_faults":480.0,"major_faults":1.0,"bytes_read":4096.0,"peak_memory":null,"delayed_seconds":0.0,"rounds":[1,2,3,4,5,6,7,8,9],"runs_per_sample":2,"failed_runs":0,"settled":true},
  {"task":"gc","table":"gc","contender":"perl-tr","program":"perl","method":"process","label":"perl-tr","description":"reads by perl-tr","input":"a,b.txt","files":2,"bytes":1000000000,"made":false,"cache":"hot","faults_per_mib":0.5,"threads":1,"block_size":0,"queue_depth":0,"outcome":"unavailable","reason":"perl, \"5\", is not installed","seconds":null,"gb_per_s":null,"limit":{"name":"scan","seconds":0.25},"of_limit":null,"answer":null,"user_seconds":null,"system_seconds":null,"minor_faults":null,"major_faults":null,"bytes_read":null,"peak_memory":null,"delayed_seconds":null,"rounds":[],"runs_per_sample":1,"failed_runs":0,"settled":false}
]
}
)json");
}

// clang-format on

}  // namespace riffle::bench
