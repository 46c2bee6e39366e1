/// Small runs of the benchmark with times as even as wanted, for the tests of comparisons.
#ifndef RIFFLE_TESTS_SUPPORT_GIVEN_RUN_HPP
#define RIFFLE_TESTS_SUPPORT_GIVEN_RUN_HPP

#include <string>
#include <utility>
#include <vector>

#include "bench/data/report.hpp"
#include "bench/stats/samples.hpp"

namespace riffle::bench::given {

inline measurement line_of(const char* program, const std::string& name, const std::vector<double>& seconds) {
  measurement line{
      .name = name, .program = program, .role = role_of_program(program), .method = "read", .label = name};
  if (line.is_limit()) line.sets = value_named<limit_kind>(name);
  unsigned round = 0;
  for (const double each : seconds) line.result.samples.push_back({++round, each, {}});
  line.result.answer = answer{42, 7};
  line.seconds = summarise(seconds);
  return line;
}

inline task_report task_of(std::vector<measurement> lines) {
  return {.task = task::lines,
          .input = "text",
          .files = 1,
          .bytes = 1 << 20,
          .made = true,
          .lines = std::move(lines)};
}

/// Ten samples within 1 %.
inline std::vector<double> steady(double median) {
  std::vector<double> seconds;
  for (int i = 0; i < 10; ++i) seconds.push_back(median * (1 + (i % 5 - 2.0) / 200));
  return seconds;
}

/// Two rows of riffle, one limit and `published` rows of published programs; everything takes `drift` times
/// as long, riffle/a `slower` times on top of that.
inline report given_run(double slower = 1, double drift = 1, int published = 8) {
  std::vector<measurement> lines{line_of("riffle", "a", steady(0.1 * drift * slower)),
                                 line_of("riffle", "b", steady(0.2 * drift)),
                                 line_of("limit", "scan", steady(0.05 * drift))};
  for (int i = 0; i < published; ++i)
    lines.push_back(line_of("nvwa", "p" + std::to_string(i), steady(0.3 * drift)));
  return {.facts = {.processor = "Example", .os_release = "Linux 6.18"},
          .tasks = {task_of(std::move(lines))}};
}

}  // namespace riffle::bench::given

#endif
