/// `riffle bench compare`: shows what changed between results, with an exit status for CI.
#include "bench/judge/compare.hpp"

#include <riffle/error.hpp>
#include <riffle/source.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "bench/show/outputs.hpp"
#include "cli/bench/bench.hpp"
#include "cli/command_line.hpp"
#include "cli/output.hpp"
#include "cli/reading.hpp"

namespace riffle::cli {

namespace {

struct compare_arguments : arguments {
  std::vector<std::string> files;
  std::optional<double> fail_on;
  bool all = false;
};

// "10%" and "0.1" are the same; "10" could mean either.
double parse_share(std::string_view text) {
  double value = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  const bool percent = error == std::errc() && std::string_view(end, last) == "%";
  if (error != std::errc() || (end != last && !percent) || !(value >= 0) || value > (percent ? 1e6 : 1)) {
    throw text::usage_error("not a fraction; write 10% or 0.1");
  }
  return percent ? value / 100 : value;
}

// Far more than any result takes. A disk named by mistake is refused before it fills the memory.
constexpr std::size_t largest = 64 << 20;

bench::report read_result(const std::string& file) {
  source in(input_of(file));
  std::string text;
  for (block next = in.next(); !next.empty(); next = in.next()) {
    text.append(next.data(), next.size());
    if (text.size() > largest) {
      throw error(errc::invalid_argument, "read", in.name(), std::nullopt,
                  "it is larger than 64 MiB; name a file of riffle bench --json");
    }
  }
  in.check();
  return bench::read_json(text, in.name());
}

// Each with the first; the worst of them is the status.
int run_compare(const compare_arguments& given) {
  std::vector<bench::named_report> reports;
  reports.reserve(given.files.size());
  for (const std::string& file : given.files) reports.push_back({file, read_result(file)});
  const bench::named_report& base = reports.front();
  auto worst = bench::ending::fine;
  for (std::size_t i = 1; i < reports.size(); ++i) {
    if (i > 1) output_stream() << '\n';
    const bench::comparison found = bench::compare_reports(base.report, reports[i].report);
    bench::print_comparison(base, reports[i], found, given.all, output_stream());
    worst = std::max(worst, bench::ending_of(found, given.fail_on));
  }
  if (worst == bench::ending::failed) return failure;
  return worst == bench::ending::undecided ? undecided : success;
}

void add_result(arguments& given, std::string_view value) {
  static_cast<compare_arguments&>(given).files.emplace_back(value);
}
void set_fail_on(arguments& given, std::string_view value) {
  static_cast<compare_arguments&>(given).fail_on = parse_share(value);
}
void set_all(arguments& given, std::string_view /*value*/) {
  static_cast<compare_arguments&>(given).all = true;
}

constexpr std::array options{
    valued("fail-on", "FRACTION",
           "Exit with 1 if a contender of riffle is slower by more than this: 10% or 0.1", set_fail_on),
    option{.name = "all", .help = "List unchanged contenders too", .set = set_all}};

constexpr std::array statuses{
    definition{"1", "a contender failed or differs, nothing was compared, or --fail-on found a slower one"},
    definition{"3", "undecided: too few runs, or another speed of the machine"}};

}  // namespace

constexpr command bench_compare_command{
    .name = "bench compare",
    .summary = "Show what changed between bench results, beyond the noise",
    .options = options,
    .operands = {.name = "RESULT",
                 .help = "Files written by riffle bench --json; the first is the baseline",
                 .least = 2,
                 .set = add_result},
    .notes =
        "The exit status is 1 if a contender newly fails, if answers differ, or if no contender was measured "
        "in both the baseline and another result.\n"
        "With --fail-on it is also 1 if a contender of riffle is slower than in the baseline by more than "
        "FRACTION and beyond the noise, or was not measured again. Otherwise it is 3, undecided, if a "
        "contender of riffle has too few runs to tell whether it changed, or changed no more than the "
        "machine "
        "may have between the results.",
    .examples =
        "  riffle bench --json before.json                before and after a change\n"
        "  riffle bench compare before.json after.json    what changed, beyond the noise\n"
        "  riffle bench compare --all laptop.json server.json cloud.json\n"
        "  riffle bench compare --fail-on 10% main.json branch.json   for CI\n",
    .statuses = statuses,
    .run = run<compare_arguments, run_compare>};

}  // namespace riffle::cli
