/// The table of `riffle bench`, and its lists and ranges: what is measured, what is varied, how long, and
/// where the report goes.
#include <fmt/core.h>

#include <array>
#include <limits>
#include <utility>

#include "cli/bench/bench.hpp"
#include "cli/command_line.hpp"
#include "cli/reading.hpp"
#include "text/typed.hpp"

namespace riffle::cli {

namespace {

template <const auto& all>
std::vector<std::string_view> names_of() {
  std::vector<std::string_view> names;
  for (const auto each : all) names.push_back(name_of(each));
  return names;
}

template <const auto& all>
auto named(std::string_view item) {
  using type = std::remove_cvref_t<decltype(all)>::value_type;
  const auto found = bench::value_named<type>(item);
  if (!found) {
    const char* const what = std::is_same_v<type, bench::task> ? "task" : "cache state";
    throw no_such(fmt::format("{} '{}'", what, item), names_of<all>());
  }
  return *found;
}

// "4K,64K,1M" is a list. "4K..1G" is a range in steps of four, up to its end: 4K 16K 64K ... 1G.
std::vector<std::uint64_t> parse_sizes(std::string_view text, std::uint64_t most) {
  const auto size_of = [most](std::string_view item) {
    try {
      return text::parse_size(item, 1, most);
    } catch (const text::usage_error&) {
      throw text::usage_error(fmt::format("not a list of sizes from 1 to {}; write 64K, 4K,64K,1M or 4K..1G",
                                          text::short_size(most)));
    }
  };
  std::vector<std::uint64_t> sizes;
  for (const std::string_view item : parse_list(text)) {
    const std::size_t dots = item.find("..");
    const std::uint64_t to = size_of(dots == item.npos ? item : item.substr(dots + 2));
    std::uint64_t from = dots == item.npos ? to : size_of(item.substr(0, dots));
    if (from > to)
      throw text::usage_error(fmt::format("reversed range '{}'; write the smaller size first", item));
    for (; from < to; from *= 4) sizes.push_back(from);
    sizes.push_back(to);
  }
  return sizes;
}

template <auto parse, auto... path>
void add_items(arguments& given, std::string_view value) {
  add_list(member_of(given, path...), value, parse);
}
template <std::uint64_t most, auto... path>
void add_sizes(arguments& given, std::string_view value) {
  append_by<[](std::string_view typed) { return parse_sizes(typed, most); }, path...>(given, value);
  drop_repeats(member_of(given, path...));
}
std::string_view as_typed(std::string_view item) {
  return item;
}
unsigned microseconds_of(std::string_view value) {
  constexpr std::array<std::pair<std::string_view, double>, 3> units{{{"us", 1}, {"ms", 1e3}, {"s", 1e6}}};
  for (const auto& [unit, microseconds] : units) {
    if (!value.ends_with(unit)) continue;
    const double latency = text::parse_seconds(value.substr(0, value.size() - unit.size())) * microseconds;
    if (latency < 1 || latency > 10e6) break;
    return static_cast<unsigned>(latency);
  }
  throw text::usage_error("not a time from 1us to 10s; write 100us or 1ms");
}

// Where the options go.
constexpr auto bench_of = &bench_arguments::bench;
constexpr auto varied_of = &bench::bench_options::varied;
using varied = bench::contender_options;

void add_bench_file(arguments& given, std::string_view value) {
  member_of(given, bench_of).files.emplace_back(value);
}
void add_word_of_command(arguments& given, std::string_view value) {
  auto& commands = member_of(given, bench_of, varied_of, &varied::commands);
  if (value == "--") return void(commands.emplace_back());
  commands.back().emplace_back(value);
}
void set_time(arguments& given, std::string_view value) {
  bench::bench_options& bench = member_of(given, bench_of);
  bench.budget = bench.varied.most_seconds = text::parse_seconds(value);
}

constexpr std::array what{
    valued("task", "TASK,...", "Tasks to run",
           add_items<named<bench::all_tasks>, bench_of, &bench::bench_options::tasks>, "",
           names_of<bench::all_tasks>),
    valued("contender", "GLOB,...", "Run the contenders whose PROGRAM/NAME or NAME matches",
           add_items<as_typed, bench_of, &bench::bench_options::contenders>),
    option{
        .name = "list", .help = "List the contenders and exit", .set = set_to<true, &bench_arguments::list>},
    valued("method", "NAME", "Run riffle's contenders with this method only",
           set_by<parse_method, bench_of, varied_of, &varied::reading, &read_options::method>, "",
           method_names),
    option{.name = "cache",
           .argument = "STATE,...",
           .help = "State of the page cache: hot (filled by reading), written (filled by writing) or "
                   "cold (evicted before every run)",
           .preset = "hot",
           .words = names_of<bench::all_cache_modes>,
           .explained = true,
           .set = add_items<named<bench::all_cache_modes>, &bench_arguments::caches>},
    valued("latency", "TIME",
           "Serve the input by riffle-slow-fs, as storage that takes TIME a request, such as 1ms; the "
           "cache is cold then",
           set_by<microseconds_of, &bench_arguments::latency>),
    valued("served", "N", "Requests that such storage serves at once, 1 to 1024",
           set_by<text::number_within<1, 1024>, &bench_arguments::served>, "32"),
    option{.name = "any-output",
           .help = "Let the outputs of the COMMANDs differ",
           .set = set_to<true, bench_of, varied_of, &varied::any_output>},
    option{.name = "ignore-failure",
           .help = "Count a run of a COMMAND that fails, which else ends the race",
           .set = set_to<true, bench_of, varied_of, &varied::ignore_failure>},
    valued("plan", "N", "Run the plan, JSON, that descriptor N gives",
           set_by<text::number_within<0, std::numeric_limits<int>::max()>, &bench_arguments::plan>)};
constexpr std::array sweeps{
    valued("threads", "N,...", "Threads of riffle's contenders, 1 to 1024, such as 1,2",
           add_items<text::number_within<1, most_threads>, &bench_arguments::threads>, "1"),
    valued("block-size", "SIZES",
           "Block sizes of riffle's contenders, at most 1G, such as 64K, 4K,64K,1M or 4K..1M",
           add_sizes<largest_block, bench_of, varied_of, &varied::block_sizes>),
    valued("size", "SIZES", "Sizes of each generated input, at most 1T, such as 64M, 4K,1M or 4K..1G",
           add_sizes<largest_input, bench_of, &bench::bench_options::sizes>, "64M")};
constexpr std::array how{
    valued("rounds", "N", "Timed runs of each contender at most, 1 to 100000",
           set_by<text::number_within<1, 100000>, bench_of, &bench::bench_options::rounds>, "50"),
    valued("time", "SECONDS", "Seconds for the whole run, roughly", set_time, "100"),
    valued("seed", "N", "Seed for shuffling the run order",
           set_by<text::number_within<0, text::any_size - 1>, bench_of, &bench::bench_options::seed>, "1")};
constexpr std::array where{
    valued("json", "FILE", "Write every result and sample, for programs; '-': standard output",
           set_report<&bench_arguments::forms, &report_forms::json>),
    valued("markdown", "FILE", "Write tables for a README or an issue",
           set_report<&bench_arguments::forms, &report_forms::markdown>),
    valued("html", "FILE", "Write one page with charts, for a browser",
           set_report<&bench_arguments::forms, &report_forms::html>),
    valued("save", "DIR", "Write bench.json, bench.md and bench.html to DIR",
           set_report<&bench_arguments::forms, &report_forms::directory>)};
constexpr auto options = concatenated(what, sweeps, how, where, progress_options);

constexpr std::array statuses{
    definition{"1", "a contender gave a wrong answer, failed, or the run is incomplete"}};
constexpr std::array variables{measuring_variables[0],
                               definition{"NO_COLOR", "if it is not empty, bench prints without colour"},
                               definition{"PATH", "where bench finds wc and perl, which it measures too"}};

}  // namespace

constexpr command bench_command{
    .name = "bench",
    .summary = "Measure which reading method is fastest on this machine",
    .options = options,
    .operands = {.name = "FILE",
                 .help = "Files to read as one input; no FILE: generated inputs",
                 .set = add_bench_file,
                 .after = "COMMAND",
                 .after_help =
                     "Race commands of yours, which read the FILEs: one word for sh -c, or a program and its "
                     "arguments; their outputs are compared",
                 .set_after = add_word_of_command},
    .notes =
        "See also 'riffle bench reproduce --help'. To read a file named reproduce, write ./reproduce.\n"
        "riffle generates inputs in $TMPDIR, or in /tmp if that is not set. After Ctrl-C riffle reports what "
        "it has measured. A report overwrites an earlier report or an empty file, but no other.",
    .examples =
        "  riffle bench                                   every task, on inputs of 64 MiB\n"
        "  riffle bench access.log                        gc, lines and words on a file\n"
        "  riffle bench --cache hot,cold access.log       with and without the cache\n"
        "  riffle bench --latency 1ms --served 16         as from network storage\n"
        "  riffle bench --task words books/*.txt          many files as one input\n"
        "  riffle bench --task ints arrays.bin            arrays of int32, length first\n"
        "  riffle bench --contender 'riffle/*,mmap'       only these and the limits\n"
        "  riffle bench --task gc --size 4K..1G           speed by size of the input\n"
        "  riffle bench --method read --block-size 4K..4M speed by size of the blocks\n"
        "  riffle bench --html report.html                one page with charts\n"
        "  riffle bench f -- 'wc -l <f' -- 'grep -c ^ f'  commands of yours\n"
        "  riffle bench reproduce                         the published benchmarks\n",
    .statuses = statuses,
    .variables = variables,
    .run = run<bench_arguments, run_bench>};

std::vector<std::string_view> parse_list(std::string_view text) {
  std::vector<std::string_view> items;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    if (end == begin) throw text::usage_error("an item of the list is empty; write a,b");
    items.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return items;
}

}  // namespace riffle::cli
