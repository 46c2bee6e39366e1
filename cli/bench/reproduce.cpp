/// `riffle bench reproduce`: repeats the published benchmarks beside their published figures.

#include "cli/bench/bench.hpp"
#include "cli/command_line.hpp"
#include "text/typed.hpp"

namespace riffle::cli {

namespace {

struct reproduce_arguments : arguments {
  std::vector<std::string> programs;  // empty: all
  std::uint64_t size = 64 << 20;      // of each generated input
  double seconds = 180;
  std::uint64_t seed = 1;
  report_forms forms;
};

std::vector<std::string_view> programs() {
  std::vector<std::string_view> names;
  for (const bench::published_table& table : bench::published_tables()) {
    if (std::ranges::count(names, table.program) == 0) names.push_back(table.program);
  }
  return names;
}

// A table for each group of published ones, of the contenders that their figures name.
bench::bench_plan plan_of(const reproduce_arguments& given) {
  bench::bench_plan plan{
      .title = "Published benchmarks, repeated", .budget = given.seconds, .seed = given.seed};
  for (auto left = bench::published_tables(); !left.empty();) {
    const bench::published_table& first = left.front();
    const auto tables = bench::published_for(first.name, first.task);
    left = left.subspan(tables.size());
    if (!given.programs.empty() && std::ranges::count(given.programs, first.program) == 0) continue;
    bench::planned_table planned{.task = first.task,
                                 .name = std::string(first.name),
                                 .title = std::string(first.work),
                                 .size = given.size,
                                 .which = first.many_files ? 1U : 0U,
                                 .share = first.share};
    std::vector<bench::contender> all = bench::contenders_of(first.task, {});
    bench::add_walks(first.task, all);
    for (const bench::published_table& table : tables) {
      for (const bench::published_figure& figure : table.figures) {
        const auto found = std::ranges::find(all, figure.contender, &bench::contender::id);
        if (found == all.end()) continue;
        planned.contenders.push_back(std::move(*found));
        all.erase(found);
      }
    }
    plan.tables.push_back(std::move(planned));
  }
  return plan;
}

int run_reproduce(const reproduce_arguments& given) {
  report_files files(given.forms, {});
  return show_run(plan_of(given), "riffle bench reproduce", text::progress_line(given.progress), files);
}

void add_program(arguments& given, std::string_view value) {
  const std::vector<std::string_view> known = programs();
  if (std::ranges::find(known, value) == known.end()) throw no_such("program", known);
  member_of(given, &reproduce_arguments::programs).emplace_back(value);
}

constexpr std::array own_options{
    valued("size", "SIZE", "Size of each generated input",
           set_by<text::size_within<std::uint64_t{64} << 10U, largest_input>, &reproduce_arguments::size>,
           "64M"),
    valued("time", "SECONDS", "Seconds for all tables; each contender runs at least once",
           set_by<text::parse_seconds, &reproduce_arguments::seconds>, "180"),
    valued("seed", "N", "Seed for shuffling the run order",
           set_by<text::number_within<0, text::any_size - 1>, &reproduce_arguments::seed>, "1"),
    valued("save", "DIR", "Write bench.json, bench.md and bench.html to DIR",
           set_report<&reproduce_arguments::forms, &report_forms::directory>)};
constexpr auto options = concatenated(own_options, progress_options);

}  // namespace

constexpr command bench_reproduce_command{
    .name = "bench reproduce",
    .summary = "Repeat five published benchmarks and show both sets of figures",
    .options = options,
    .operands = {.name = "PROGRAM",
                 .help = "Programs to repeat: nvwa (Wu Yongwei), ioaccess (Daniel Lemire), mapped (Glen "
                         "Dayton), wc_measurements (Thomas Brown) or bitflux; no PROGRAM: all of them",
                 .set = add_program,
                 .words = programs},
    .notes =
        "riffle generates inputs in $TMPDIR, or in /tmp if that is not set, and reads them from the page "
        "cache. After Ctrl-C riffle prints what it has measured of the current table.",
    .examples =
        "  riffle bench reproduce                     all, in about three minutes\n"
        "  riffle bench reproduce ioaccess --time 20  Lemire's table, in about 20 seconds\n"
        "  riffle bench reproduce mapped --size 388M  a file of the published size\n",
    .variables = measuring_variables,
    .run = run<reproduce_arguments, run_reproduce>};

}  // namespace riffle::cli
