/// `riffle advise`: which method riffle picks for an input, and why; with --measure whether it is the
/// fastest, by a plan of the benchmark; without an input, the limits of the machine.
#include <fmt/core.h>
#include <riffle/error.hpp>
#include <riffle/methods.hpp>

#include "bench/host/machine.hpp"
#include "bench/host/system.hpp"
#include "bench/inputs/inputs.hpp"
#include "cli/advise.hpp"
#include "cli/bench/bench.hpp"
#include "cli/command_line.hpp"
#include "cli/output.hpp"
#include "cli/reading.hpp"
#include "text/typed.hpp"

namespace riffle::cli {

namespace {

// With the facts of a file's place: device, read-ahead.
std::string advice_on(const std::string& name, const facts& known) {
  bench::machine place;
  if (known.kind == input_kind::regular_file && name != "-") place = bench::this_machine(name);
  return advice_lines(
      name, known,
      fact_line("device", place.device) +
          fact_line("read ahead", place.read_ahead == 0 ? "" : text::human_size(place.read_ahead)),
      [](const read_options& reading) {
        return "riffle::lines(path, " + bench::options_as_code(reading) + ")";
      });
}

struct measuring_arguments : advise_arguments {
  bool measure = false;
  std::optional<double> seconds;
  report_forms forms;
  std::vector<bench::cache_mode> caches;  // empty: hot
};

int describe_machine(const measuring_arguments& given) {
  const text::progress_line line(given.progress);
  bench::surroundings outside;
  watch(outside, line);
  outside.begun = [](const bench::report& so_far) {
    bench::print_section(bench::machine_section(so_far.facts), false, output_stream());
    flushed();  // the limits take seconds
  };
  const bench::report all = bench::run_bench(bench::plan_limits(), outside);
  line.clear();
  bench::print_section(bench::machine_section({}, all.limits), false, output_stream());
  end_if_interrupted();
  write(unavailable_lines());
  if (!all.complete) complain(fmt::format("riffle advise: not complete: {}", all.stopped_by));
  return all.complete ? success : failure;
}

// A loss is worse than what is undecided.
int worse(int one, int other) {
  return one == failure || other == failure ? failure : std::max(one, other);
}

int status_of(bench::automatic_choice choice) {
  if (choice == bench::automatic_choice::right) return success;
  return choice == bench::automatic_choice::undecided ? undecided : failure;
}

// A state of the cache is there again before riffle chooses in it.
int measured(const std::string& name, const measuring_arguments& given) {
  if (name == "-")
    throw error(errc::invalid_argument, "measure", "standard input", std::nullopt,
                "each contender must open it; name the file");
  static_cast<void>(bench::take_files(bench::task::lines, {name}));  // refuses what cannot be measured
  const facts known = examine(input_of(name), given.reading);
  bench::bench_plan plan{.tables = {}, .rounds = 1000, .budget = 0, .time_of_each = true};
  for (const bench::cache_mode cache :
       given.caches.empty() ? std::vector{bench::cache_mode::hot} : given.caches) {
    bench::bench_plan one = bench::plan_advice(name, known, cache, given.seconds);
    one.tables.front().share = one.budget;
    plan.budget += one.budget;
    plan.tables.push_back(std::move(one.tables.front()));
  }
  int outcome = success;
  const auto chosen = [&](const bench::report& so_far, bench::table_conclusions& found) {
    const std::vector<std::filesystem::path> files{name};
    bench::prepare_cache(so_far.tasks.back().cache, files, bench::most_measured);
    if (!found.verdict.of_automatic.empty()) found.verdict.text = found.verdict.of_automatic;
    outcome = worse(outcome, status_of(found.verdict.automatic));
    return '\n' + advice_on(name, examine(input_of(name), given.reading));
  };
  report_files report(given.forms, {name});
  const int ran = show_run(plan, "riffle advise", text::progress_line(given.progress), report, chosen);
  return worse(ran, outcome);
}

std::vector<std::string_view> cache_words() {
  return {name_of(bench::cache_mode::hot), name_of(bench::cache_mode::cold)};
}
void add_caches(arguments& given, std::string_view value) {
  add_list(static_cast<measuring_arguments&>(given).caches, value, [](std::string_view item) {
    const auto found = bench::value_named<bench::cache_mode>(item);
    if (found != bench::cache_mode::hot && found != bench::cache_mode::cold)
      throw no_such("cache state", cache_words());
    return *found;
  });
}

constexpr std::array own_options{
    option{.name = "measure",
           .help = "Measure the methods on each FILE; exit with 1 if one is over 5 % faster than the "
                   "automatic choice or nothing was measured, with 3 if the runs cannot tell",
           .set = set_to<true, &measuring_arguments::measure>},
    option{.name = "time",
           .argument = "SECONDS",
           .help = "Seconds to measure each FILE in each state; by default they depend on its size",
           .needs = "measure",
           .set = set_by<text::parse_seconds, &measuring_arguments::seconds>},
    option{.name = "cache",
           .argument = "STATE,...",
           .help = "Measure with the file in the page cache (hot) or evicted before each run (cold)",
           .preset = "hot",
           .words = cache_words,
           .explained = true,
           .needs = "measure",
           .set = add_caches},
    option{
        .name = "json",
        .argument = "FILE",
        .help = "Write every result and sample of the one FILE, as riffle bench does; '-': standard output",
        .needs = "measure",
        .set = set_report<&measuring_arguments::forms, &report_forms::json>}};
constexpr auto options = concatenated(guard_options, own_options, progress_options);

constexpr std::array statuses{
    definition{"1", "--measure found a method that is over 5 % faster, or could measure none"},
    definition{"3", "undecided: too few runs"}};

int run_advise(const measuring_arguments& given) {
  if (!given.forms.json.empty() && given.files.size() != 1)
    throw text::usage_error("--json holds what was measured on one FILE; name one");
  if (given.files.empty()) return describe_machine(given);
  int outcome = success;
  const int status = advise_each(given, [&](const std::string& name) {
    if (given.measure) {
      outcome = worse(outcome, measured(name, given));
    } else {
      write(advice_on(name, examine(input_of(name), given.reading)));
    }
  });
  return worse(status, outcome);
}

}  // namespace

constexpr command advise_command{
    .name = "advise",
    .summary = "Show which method riffle picks for an input, and why; --measure checks the choice",
    .options = options,
    .operands = {.name = "FILE",
                 .help = "Files to examine; '-': standard input; no FILE: show the machine and its limits",
                 .set = add_to<&advise_arguments::files>},
    .examples =
        "  riffle advise                                the machine and its limits\n"
        "  riffle advise access.log                     the method riffle picks, and why\n"
        "  riffle advise --measure --time 10 access.log whether that is the fastest here\n"
        "  riffle advise --measure --cache hot,cold f   the same, and from the device\n"
        "  cat access.log | riffle advise -\n",
    .statuses = statuses,
    .variables = measuring_variables,
    .run = run<measuring_arguments, run_advise>};

}  // namespace riffle::cli
