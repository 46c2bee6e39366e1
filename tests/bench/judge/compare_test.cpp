/// Of two runs, just the rows that changed are found, whatever the machine's drift and the noise.
#include "bench/judge/compare.hpp"
#include "text/columns.hpp"

#include <fmt/core.h>
#include <gmock/gmock.h>

#include <cmath>
#include <map>
#include <numbers>
#include <sstream>

#include "bench/host/os/machine.hpp"
#include "bench/judge/conclusions.hpp"
#include "bench/show/outputs.hpp"
#include "bench/stats/random.hpp"
#include "tests/support/given_report.hpp"
#include "tests/support/growth.hpp"

namespace riffle::bench {

namespace {

using given::but;
using given::given_run;
using given::line_of;
using given::steady;
using given::task_of;
using testing::HasSubstr;
using testing::Not;

constexpr std::array<const char*, 8> change_names{"same",      "faster",  "slower", "machines",
                                                  "undecided", "missing", "lost",   "failed"};
constexpr std::array<const char*, 3> ending_names{"fine", "undecided", "failed"};

/// "slower riffle/a 3.00 | fine failed": what is not the same, and the endings without and with a limit of 10
/// %.
std::string said_of(const report& base, const report& later) {
  const comparison found = compare_reports(base, later);
  std::map<std::string, std::vector<std::string>> changed;
  for (const compared_row& row : found.rows) {
    if (row.change == change::same) continue;
    std::string name = row.line().program + "/" + row.line().label;
    if (row.change == change::slower || row.change == change::faster)
      name += fmt::format(" {:.2f}", row.ratio);
    changed[change_names.at(static_cast<std::size_t>(row.change))].push_back(name);
  }
  std::string said;
  for (const auto& [how, names] : changed) said += how + (" " + first_few(names)) + " | ";
  const auto name_of = [](ending which) { return ending_names.at(static_cast<std::size_t>(which)); };
  return fmt::format("{}{} {}", said, name_of(ending_of(found)), name_of(ending_of(found, 0.1)));
}

std::string printed(const report& base, const report& later, bool all = false) {
  std::ostringstream out;
  print_comparison({"a.json", base}, {"b.json", later}, compare_reports(base, later), all, out);
  return out.str();
}

/// `all` with its first line, riffle/a, or another one, at these times.
report with(const std::vector<double>& seconds, report all = given_run(), std::size_t place = 0) {
  measurement& line = all.tasks.at(0).lines.at(place);
  line = line_of(line.program.c_str(), line.name, seconds);
  return all;
}
report broken(outcome how) {
  report all = given_run();
  all.tasks.at(0).lines.at(0).result = {.outcome = how, .reason = "Input/output error"};
  all.tasks.at(0).lines.at(0).seconds = {};
  return all;
}
report without_b() {
  report all = given_run();
  std::erase_if(all.tasks.at(0).lines, [](const measurement& line) { return line.name == "b"; });
  return all;
}
/// Most runs 20 % slower, but the interval reaches the base's.
report overlapping(std::size_t runs) {
  std::vector<double> seconds(runs, 0.12);
  for (std::size_t i = 0; i < (runs > 17 ? 6U : 4U); ++i) seconds.at(i) = 0.1;
  return with(seconds);
}
report hot_and_cold(double hot_slower, double device_drift) {
  report all = given_run(hot_slower);
  all.tasks.push_back(given_run(1, device_drift).tasks.at(0));
  all.tasks.back().cache = cache_mode::cold;
  return all;
}
// Half of the published contenders are 10 % off, to either side: three times the spread is more than 20 %.
report varied() {
  report all = given_run(1.2);
  for (std::size_t i = 3; i < 11; ++i) all = with(steady(0.3 * (i % 2 == 0 ? 1.1 : 1 / 1.1)), all, i);
  return all;
}

/// The published contenders drift by 1.41, riffle's by this much, and the limits not at all.
report only_published_drift(double riffle) {
  report all = given_run(1, 1.41);
  for (measurement& line : all.tasks.at(0).lines) {
    const double before = line.seconds.median / 1.41;
    if (line.is_limit()) line = line_of("limit", line.name, steady(before));
    if (line.program == "riffle") line = line_of("riffle", line.name, steady(riffle * before));
  }
  return all;
}

/// Noise as it is measured: never below, sometimes far above. By Box and Muller.
double lognormal(random_numbers& random, double deviation) {
  const auto uniform = [&random] { return (static_cast<double>(random.next() >> 11U) + 0.5) * 0x1p-53; };
  const double normal = std::sqrt(-2 * std::log(uniform())) * std::cos(2 * std::numbers::pi * uniform());
  return std::exp(deviation * normal);
}

/// 60 rows of 20 samples with noise of 3 %, 36 of them riffle's; "riffle/r0" takes `slower` times as long.
report noisy_run(std::uint64_t seed, double slower, double drift) {
  random_numbers random(seed);
  std::vector<measurement> lines;
  for (int row = 0; row < 60; ++row) {
    const double median = 1e-3 * (1 + row) * drift * (row == 0 ? slower : 1);
    std::vector<double> seconds;
    for (int i = 0; i < 20; ++i) seconds.push_back(median * lognormal(random, 0.03));
    lines.push_back(line_of(row < 36 ? "riffle" : "nvwa", "r" + std::to_string(row), seconds));
  }
  return {.facts = {.processor = "Example", .os_release = "Linux 6.18"},
          .tasks = {task_of(std::move(lines))}};
}

/// The rows that changed between two noisy runs, the second on a machine that drifts by 1.0 to 1.5.
std::vector<std::string> changed_in_noise(std::uint64_t seed, double slower) {
  const report base = noisy_run(2 * seed, 1, 1);
  const report later = noisy_run(2 * seed + 1, slower, 1 + 0.1 * static_cast<double>(seed % 6));
  std::vector<std::string> changed;
  for (const compared_row& row : compare_reports(base, later).rows) {
    if (row.change == change::slower || row.change == change::faster) changed.push_back(row.line().label);
  }
  return changed;
}

}  // namespace

TEST(bench_compare, finds_what_changed_and_nothing_else) {
  const report run = given_run();
  const report everything = given::everything();
  const std::vector<double> held_up_once{0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 1};
  const report few = with({0.1, 0.101, 0.102});
  const report nothing = with(std::vector<double>(10, 0.0));
  const auto linux_619 = [](report& all) { all.facts.os_release = "Linux 6.19"; };
  const auto other_task = [](report& all) { all.tasks.at(0) = given::hot(); };
  struct row {
    const char* about;
    report base;
    report later;
    const char* said;
  };
  const std::vector<row> rows{
      {"the same", everything, everything,
       "failed ioaccess/fread, riffle/uring | missing perl/perl-tr | fine fine"},
      {"slower, and a drift", run, given_run(3, 1.2), "slower riffle/a 3.00 | fine failed"},
      {"faster, while all else drifts", given_run(3), given_run(1, 1.5), "faster riffle/a 0.33 | fine fine"},
      {"another OS kernel, so no drift", run, but(given_run(1, 1.2), linux_619),
       "slower riffle/a 1.20, riffle/b 1.20, limit/scan 1.20 and 8 more | fine failed"},
      {"a processor without a name",
       but(run, [](report& all) { all.facts.processor = os::unknown_processor; }),
       but(given_run(1, 1.2), [](report& all) { all.facts.processor = os::unknown_processor; }),
       "slower riffle/a 1.20, riffle/b 1.20, limit/scan 1.20 and 8 more | fine failed"},
      {"four published rows give no drift", given_run(1, 1, 4), given_run(1, 1.2, 4),
       "slower riffle/a 1.20, riffle/b 1.20, limit/scan 1.20 and 4 more | fine failed"},
      {"five do", given_run(1, 1, 5), given_run(1, 1.2, 5), "fine fine"},
      {"a published row alone", run, with(steady(0.5), run, 10), "slower nvwa/p7 1.67 | fine fine"},
      {"the device drifts, memory does not", hot_and_cold(1, 1), hot_and_cold(1.3, 1.5),
       "slower riffle/a 1.30 | fine failed"},
      {"the limits do not show the drift", run, only_published_drift(1.41),
       "machines riffle/a, riffle/b, nvwa/p0 and 7 more | fine undecided"},
      {"nor riffle", run, only_published_drift(1),
       "machines riffle/a, riffle/b, nvwa/p0 and 7 more | fine undecided"},
      {"slower with and without such a drift", run, only_published_drift(2),
       "machines nvwa/p0, nvwa/p1, nvwa/p2 and 5 more | slower riffle/a 2.00, riffle/b 2.00 | fine failed"},
      {"4.5 %", run, given_run(1.045), "fine fine"},
      {"5.5 %", run, given_run(1.055), "slower riffle/a 1.05 | fine fine"},
      {"as much as the published rows vary", run, varied(), "fine fine"},
      {"intervals that overlap, of 10 runs", with(std::vector<double>(18, 0.1)), overlapping(10),
       "undecided riffle/a | fine undecided"},
      {"intervals that overlap, of 18 runs", with(std::vector<double>(18, 0.1)), overlapping(18),
       "fine fine"},
      {"three runs, not plain", few, with({0.14, 0.14, 0.14}), "undecided riffle/a | fine undecided"},
      {"three runs, plain", few, with({0.16, 0.16, 0.16}), "slower riffle/a 1.58 | fine failed"},
      {"two runs", few, with({16, 16}), "undecided riffle/a | fine undecided"},
      {"three runs as slow as the slowest of ten", with(held_up_once), with({1, 1, 1}),
       "undecided riffle/a | fine undecided"},
      {"one run", with(steady(0.007)), with({0.103}), "undecided riffle/a | fine undecided"},
      {"one run of a published program", run, with({0.3}, run, 10), "undecided nvwa/p7 | fine fine"},
      {"a new row", without_b(), run, "missing riffle/b | fine fine"},
      {"a row that is gone", run, without_b(), "lost riffle/b | fine failed"},
      {"another task in its place", run, but(run, other_task),
       "failed ioaccess/fread, riffle/uring | missing riffle/a, riffle/b, limit/scan and 17 more | failed "
       "failed"},
      {"stopped before that task", run,
       but(without_b(),
           [](report& all) {
             all.complete = false;
             all.tasks.clear();
           }),
       "lost riffle/a, riffle/b, limit/scan and 8 more | failed failed"},
      {"another state of the cache", run,
       but(run,
           [](report& all) {
             all.tasks.push_back(all.tasks.at(0));
             all.tasks.back().cache = cache_mode::written;
           }),
       "missing riffle/a, riffle/b, limit/scan and 8 more | fine fine"},
      {"it fails now", run, broken(outcome::failed), "failed riffle/a | failed failed"},
      {"it is wrong now", run, broken(outcome::wrong), "failed riffle/a | failed failed"},
      {"it failed before too", broken(outcome::failed), broken(outcome::failed),
       "failed riffle/a | fine fine"},
      {"it failed before", broken(outcome::failed), run, "missing riffle/a | fine fine"},
      {"a time of zero", run, nothing, "lost riffle/a | fine failed"},
      {"nothing", run, {}, "missing riffle/a, riffle/b, limit/scan and 8 more | failed failed"}};
  for (const row& each : rows) EXPECT_EQ(said_of(each.base, each.later), each.said) << each.about;
}

TEST(bench_compare, fails_on_answers_that_differ_on_a_made_input) {
  report other = given_run();
  for (measurement& line : other.tasks.at(0).lines) line.result.answer = answer{43, 7};
  EXPECT_EQ(ending_of(compare_reports(given_run(), other)), ending::failed);
  EXPECT_THAT(printed(given_run(), other),
              HasSubstr("\nERROR: A and B give different answers for the same generated input: lines on\n  "
                        "text of 1048576 bytes: count 42, sum 7 -> count 43, sum 7\n"));
  other.tasks.at(0).made = false;  // a user's file may have changed
  EXPECT_EQ(ending_of(compare_reports(given_run(), other)), ending::fine);
  EXPECT_EQ(ending_of(compare_reports(other, given_run())), ending::fine);
}

TEST(bench_compare, does_not_take_noise_for_a_change) {
  int with_false_rows = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    with_false_rows += changed_in_noise(seed, 1).empty() ? 0 : 1;
  EXPECT_LE(with_false_rows, 1);
}

TEST(bench_compare, finds_ten_percent_in_noise) {
  int found = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    found += changed_in_noise(seed, 1.1) == std::vector<std::string>{"r0"} ? 1 : 0;
  EXPECT_GE(found, 19);
}

// clang-format off

TEST(bench_compare, prints_what_changed_failures_first) {
  const auto prepared = [](const char* started) {
    report all = given_run(1, 1, 12);
    all.started = started;
    all.facts.version = "0.1.0";
    all.facts.active_kernel = "avx2";
    for (const char* name : {"c", "d", "e"}) all.tasks.at(0).lines.push_back(line_of("riffle", name, steady(0.1)));
    return all;
  };
  const report base = prepared("2026-11-21T10:00:00Z");
  report later = prepared("");
  std::vector<measurement>& lines = later.tasks.at(0).lines;
  lines.at(0) = line_of("riffle", "a", steady(300));
  lines.at(1) = line_of("riffle", "b", steady(0.1));
  lines.at(3) = line_of("nvwa", "p0", steady(0.5));
  lines.at(4) = line_of("nvwa", "p1", {0.3});
  lines.at(5) = line_of("nvwa", "p2", steady(0.1));
  lines.at(15) = line_of("riffle", "c", {0.1});
  lines.at(16).result.outcome = outcome::wrong;
  lines.pop_back();
  lines.push_back(line_of("riffle", "new", steady(1)));
  later.complete = false;
  later.stopped_by = "interrupted";
  later.facts.governor = "powersave";
  later.facts.read_ahead = 4096;
  later.facts.memory_available = 1;
  const std::string changes = R"(A: a.json, 2026-11-21T10:00:00Z, riffle 0.1.0 (avx2)
B: b.json, no date, riffle 0.1.0 (avx2)
   not complete: interrupted; contenders may be missing

The machines of A and B differ:
  governor: unknown -> powersave
  read ahead: unknown -> 4096
hot: the 12 published contenders were as fast in B as in A. Ratios are corrected
for that drift.

Failed or wrong                                             A         B      B/A
lines, text, 1.0 MiB, hot
  riffle/d                                             100 ms         -        -

Slower than A                                               A         B      B/A
lines, text, 1.0 MiB, hot
  riffle/a                                             100 ms     300 s  3.0e+03

Not measured again                                          A         B      B/A
lines, text, 1.0 MiB, hot
  riffle/e                                             100 ms         -        -

Too few runs to tell                                        A         B      B/A
lines, text, 1.0 MiB, hot
  riffle/c                                             100 ms    100 ms    1.00x

Faster than A                                               A         B      B/A
lines, text, 1.0 MiB, hot
  riffle/b                                             200 ms    100 ms    0.50x

Slower, but not riffle's                                    A         B      B/A
lines, text, 1.0 MiB, hot
  nvwa/p0                                              300 ms    500 ms    1.67x

Faster, but not riffle's                                    A         B      B/A
lines, text, 1.0 MiB, hot
  nvwa/p2                                              300 ms    100 ms    0.33x
)";
  const std::string counts = R"(
B: 1 failed or wrong, 1 slower, 1 not measured again, 1 with too few runs, 1
   faster, 1 of others slower, 1 of others faster, 1 of others with too few
   runs, 10 unchanged, 1 not in both.
UNDECIDED: contenders of riffle have too few runs to tell whether they changed.
  Measure again with a longer --time, or with fewer contenders.
)";
  EXPECT_EQ(printed(base, later), changes + counts);
  const std::string all = printed(base, later, true);
  EXPECT_TRUE(all.starts_with(changes) && all.ends_with(counts));
  for (const char* row : {"nvwa/p1 ", "nvwa/p3 ", "riffle/new "}) EXPECT_THAT(all, HasSubstr(row));
}

// clang-format on

TEST(bench_compare, says_the_drift_and_why_there_is_none) {
  const auto drift = [](const report& base, const report& later) {
    const std::string text = printed(base, later);
    const std::size_t from = text.find("\n\n") + 2;
    return text.substr(from, text.find("\n\n", from) - from);
  };
  EXPECT_THAT(drift(given_run(), given_run(1, 1.08)), HasSubstr("were 1.08x slower in B than in A."));
  EXPECT_THAT(drift(given_run(1, 1.08), given_run()), HasSubstr("were 1.08x faster in B than in A."));
  EXPECT_THAT(drift(hot_and_cold(1, 1), hot_and_cold(1, 1.5)),
              HasSubstr("cold: the 8 published contenders were 1.50x slower in B than in A."));
  EXPECT_EQ(
      drift(given_run(), only_published_drift(1)),
      "hot: the machine changed between the runs: the 8 published contenders were 1.41x\nslower in B, and "
      "the limits of the machine were not. Ratios are absolute, and a\nchange counts only if it is one "
      "with and without that drift. Measure both again,\nin turn.");
  EXPECT_EQ(drift(given_run(1, 1, 4), given_run(1, 1.2, 4)),
            "hot: ratios are absolute: the machine's drift shows in 5 published contenders or\nmore, and 4 "
            "are in both results. Measure without --contender.");
  EXPECT_EQ(drift(given_run(), but(given_run(), [](report& all) { all.facts.flags = "-O0"; })),
            "The machines of A and B differ:\n  flags: unknown -> -O0\nB differs from A in processors, OS "
            "kernel, compiler or flags: its ratios are\nabsolute.");
  EXPECT_THAT(printed(given_run(), {}), HasSubstr("ERROR: no contender was measured in both.\n"));
}

TEST(bench_compare, fits_80_columns_and_shows_no_terminal_codes) {
  report before = given::everything();
  report after = before;
  after.facts.device =
      "a device with a long name, rotational, of a maker, and then\x1b[2J some more words on that";
  after.facts.flags = "-O3 -DNDEBUG -march=native -fno-plt -flto -fuse-linker-plugin -pipe -g2 -Wall -Wextra";
  for (report* each : {&before, &after}) {
    each->tasks.at(0).input = "/a/path/that/is/long/" + std::string(100, 'x') + "\x1b[2J";
    each->tasks.at(0).lines.at(3).label = std::string(100, 'y');
    each->tasks.at(0).lines.at(4).label.clear();
    for (int i = 0; i < 50; ++i) each->tasks.at(0).lines.at(4).label += "読";
    // CSI in one character; right to left
    each->tasks.at(0).lines.at(5).label =
        "\xC2\x9B"
        "2J\xE2\x80\xAE";
  }
  const std::string text = printed(before, after, true);
  std::istringstream in(text);
  std::size_t widest = 0;
  for (std::string line; std::getline(in, line);) widest = std::max(widest, text::columns_of(line));
  EXPECT_EQ(widest, 80U);
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(text, HasSubstr("/?2J? "));
}

// A file of 64 MiB may hold 100,000 tables. A search for each of them among all took minutes.
TEST(bench_compare, takes_time_in_proportion_to_the_tables) {
  const auto compare_tables = [](std::size_t count) {
    report many;
    for (std::size_t i = 0; i < count; ++i) {
      many.tasks.push_back(task_of({line_of("riffle", "a", {0.1})}));
      many.tasks.back().input = std::to_string(i);
    }
    report other = many;
    for (task_report& table : other.tasks) table.lines[0].label = "b";
    EXPECT_EQ(compare_reports(many, other).rows.size(), 2 * count);
  };
  EXPECT_LT(test::growth(2000, compare_tables), 8);
}

}  // namespace riffle::bench
