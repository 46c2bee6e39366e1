/// Finds the largest part of a run, and writes the parts.
#include "cli/wc/timing.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "cli/json.hpp"
#include "text/numbers.hpp"

namespace riffle::cli {

namespace {

double measured(const run_timing& run) {
  return run.reading + run.decoding + run.scanning;
}

// With threads, the parts are more than the run.
double whole(const run_timing& run) {
  return std::max(run.seconds, measured(run));
}

long percent(double part, double of) {
  return of > 0 ? std::lround(100 * part / of) : 0;
}

std::string part_text(const char* name, double part, double of) {
  return fmt::format("{} {} ({} %)", name, text::human_seconds(part), percent(part, of));
}

}  // namespace

std::string bound_of(const run_timing& run) {
  if (2 * measured(run) <= run.seconds) return "rest";
  if (run.scanning > std::max(run.reading, run.decoding)) return "scanning";
  if (run.decoding > run.reading) return "decoding";
  if (2 * run.waiting < run.reading) return "reading";
  return run.piped ? "program before the pipe" : "storage";
}

std::string timing_text(const run_timing& run) {
  const double all = whole(run);
  std::string line = text::human_seconds(run.seconds) + ": " + part_text("reading", run.reading, all) + ", ";
  if (run.decoding > 0) line += part_text("decoding", run.decoding, all) + ", ";
  line += part_text("scanning", run.scanning, all);
  if (all > 1.05 * run.seconds) line += ", added over threads";
  line += fmt::format("; {} page faults, {} of them waited for storage",
                      text::with_commas(static_cast<double>(run.page_faults)),
                      text::with_commas(static_cast<double>(run.faults_of_storage)));
  const std::string bound = bound_of(run);
  const long waited = percent(run.waiting, all);
  if (bound == "program before the pipe")
    return line + fmt::format("\nwaited for input {} %: the program before the pipe bounds it", waited);
  if (bound == "storage") return line + fmt::format("\nwaited for input {} %: storage bounds it", waited);
  if (bound == "rest") return line + "\nstarting, printing and the rest took most";
  return line + "\n" + bound + " bounds it";
}

std::string timing_row(const run_timing& run) {
  json_row row = json_row::of_timing();
  row.add("seconds", run.seconds).add("reading", run.reading).add("waiting", run.waiting);
  row.add("decoding", run.decoding).add("scanning", run.scanning).add("page_faults", run.page_faults);
  return row.add("page_faults_of_storage", run.faults_of_storage).add("bound", bound_of(run)).line();
}

}  // namespace riffle::cli
