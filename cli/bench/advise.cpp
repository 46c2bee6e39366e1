/// `riffle advise`: which method riffle picks for an input, and why; with --measure whether it is the
/// fastest; without an input, the limits of the machine.
#include <fmt/core.h>
#include <riffle/methods.hpp>

#include <algorithm>
#include <optional>
#include <set>
#include <sstream>

#include "bench/data/report.hpp"
#include "bench/host/cache.hpp"
#include "bench/host/limits.hpp"
#include "bench/host/machine.hpp"
#include "bench/host/os/interrupt.hpp"
#include "bench/host/temporary_directory.hpp"
#include "bench/judge/advice.hpp"
#include "bench/show/outputs.hpp"
#include "cli/advise.hpp"
#include "cli/bench/bench.hpp"
#include "cli/command_line.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/reading.hpp"
#include "text/columns.hpp"
#include "text/numbers.hpp"
#include "text/terminal.hpp"

namespace riffle::cli {

namespace {

std::string options_text(const read_options& reading) {
  return fact_line("C++", bench::as_code(reading)) + fact_line("flags", bench::as_flags(reading));
}

// The facts of a file's place: mount, device, read-ahead.
std::string place_text(const std::string& name) {
  const bench::machine facts = bench::this_machine(name);
  return fact_line("mounted", facts.mount_options) + fact_line("device", facts.device) +
         fact_line("read ahead", facts.read_ahead == 0 ? "" : text::human_size(facts.read_ahead));
}

std::string facts_text(const std::string& name, const facts& known, const choice& chosen) {
  std::string text = input_lines(name, known);
  if (known.kind == input_kind::regular_file && name != "-") text += place_text(name);
  if (known.cached) text += fact_line("in cache", fmt::format("{:.0f} %", *known.cached * 100));
  text += choice_lines(chosen);
  text += options_text({.method = chosen.method, .block_size = chosen.block_size});
  return text + unavailable_lines();
}

struct measuring_arguments : advise_arguments {
  bool measure = false;
  std::optional<double> seconds;
  bench::cache_mode cache = bench::cache_mode::hot;
};

struct advising {
  const measuring_arguments& given;

  int run() const {
    if (given.files.empty()) return describe_machine();
    std::set<bench::advised> outcomes;
    const int status = advise_each(given.files, [&](const std::string& name) {
      const facts known = examine(input_of(name), given.reading);
      const choice chosen = choose(known);
      write(facts_text(name, known, chosen));
      if (given.measure) outcomes.insert(measured(name, known));
    });
    if (outcomes.contains(bench::advised::lost) || outcomes.contains(bench::advised::failed)) return failure;
    return status == success && outcomes.contains(bench::advised::undecided) ? undecided : status;
  }

 private:
  static int describe_machine() {
    std::ostringstream text;
    bench::print_machine(bench::this_machine(std::filesystem::current_path()), text);
    write(text.str());
    flush_output();  // the limits take seconds and need a temporary directory
    os::note_interrupts();
    text.str("");
    bench::print_limits(limits_in_temporary_directory(), text);
    end_if_interrupted();
    write(text.str() + unavailable_lines());
    return success;
  }

  static bench::limits limits_in_temporary_directory() {
    const bench::temporary_directory room;
    return bench::measure_limits(room.path(), bench::steady_clock());
  }

  bench::advised measured(const std::string& name, const facts& known) const {
    const std::filesystem::path file = name == "-" ? "/dev/stdin" : name;
    if (const auto reason = bench::cannot_measure(file, known)) {
      write("  " + *reason + "\n");
      return bench::advised::failed;
    }
    if (name == "-") {
      write("  cannot measure standard input: each contender must open it; name the file\n");
      return bench::advised::failed;
    }
    const bench::advice_plan plan = bench::plan_advice(file, known, given.cache, given.seconds);
    write(fmt::format(
        "\n  {}, counting newlines{} for {:g} seconds at most\n", bench::description_of(plan.cache),
        plan.bytes < known.size ? " in the first " + text::human_size(plan.bytes) : "", plan.rounds.budget));
    flush_output();
    const text::progress_line line;
    bench::round_hooks hooks;
    hooks.tell = [&](const bench::contender& one, unsigned round, double seconds_left) {
      line.show(fmt::format("  round {}: {}; {:.0f} s left", round, one.name, seconds_left));
    };
    hooks.prepare = bench::prepare_cache(plan.cache, plan.files, plan.bytes);
    const std::vector<bench::tried> all = bench::try_ways(plan.ways, plan.files, plan.rounds, hooks);
    line.clear();
    const bench::advice advice = bench::judge(all, plan.chosen);
    std::ostringstream table;
    bench::print_tried(all, advice, plan.bytes, table);
    write(table.str() + "\n  " + advice.text + "\n");
    if (advice.faster) write(options_text(all[*advice.faster].reading));
    return advice.outcome;
  }
};

void set_measure(arguments& given, std::string_view /*value*/) {
  static_cast<measuring_arguments&>(given).measure = true;
}
void set_time(arguments& given, std::string_view value) {
  static_cast<measuring_arguments&>(given).seconds = text::parse_seconds(value);
}
std::vector<std::string_view> cache_words() {
  return {name_of(bench::cache_mode::hot), name_of(bench::cache_mode::cold)};
}
void set_cache(arguments& given, std::string_view value) {
  const auto found = bench::cache_mode_named(value);
  if (!found || (found != bench::cache_mode::hot && found != bench::cache_mode::cold))
    throw no_such("cache state", cache_words());
  static_cast<measuring_arguments&>(given).cache = *found;
}

constexpr std::array own_options{
    option{.name = "measure",
           .help = "Measure the methods on each FILE; exit with 1 if one is over 5 % faster than the "
                   "automatic choice or nothing was measured, with 3 if there were too few runs to tell",
           .set = set_measure},
    option{.name = "time",
           .value = takes::argument,
           .argument = "SECONDS",
           .help = "Seconds to measure each FILE; by default they depend on its size",
           .needs = "measure",
           .set = set_time},
    option{.name = "cache",
           .value = takes::argument,
           .argument = "STATE",
           .help = "Measure with the file in the page cache (hot) or evicted before each run (cold)",
           .preset = "hot",
           .words = cache_words,
           .explained = true,
           .needs = "measure",
           .set = set_cache}};
constexpr auto options = concatenated(guard_options, own_options);

constexpr std::array statuses{
    definition{"1", "--measure found a method that is over 5 % faster, or could measure none"},
    definition{"3", "undecided: too few runs"}};

int run_advise(const measuring_arguments& given) {
  return advising{given}.run();
}

}  // namespace

constexpr command advise_command{
    .name = "advise",
    .summary = "Show which method riffle picks for an input, and why; --measure checks the choice",
    .options = options,
    .operands = {.name = "FILE",
                 .help = "Files to examine; '-': standard input; no FILE: show the machine and its limits",
                 .set = add_advised_file},
    .examples =
        "  riffle advise                                the machine and its limits\n"
        "  riffle advise access.log                     the method riffle picks, and why\n"
        "  riffle advise --measure --time 10 access.log whether that is the fastest here\n"
        "  riffle advise --measure --cache cold big.bin the same, from the device\n"
        "  cat access.log | riffle advise -\n",
    .statuses = statuses,
    .variables = measuring_variables,
    .run = run<measuring_arguments, run_advise>};

}  // namespace riffle::cli
