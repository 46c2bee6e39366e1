/// `riffle bench reproduce`: repeats the published benchmarks beside their published figures.
#include <fmt/core.h>

#include <algorithm>

#include "bench/measure/run.hpp"
#include "bench/reproduce/reproduce.hpp"
#include "cli/bench/bench.hpp"
#include "cli/command_line.hpp"
#include "cli/output.hpp"
#include "text/numbers.hpp"
#include "text/terminal.hpp"

namespace riffle::cli {

namespace {

struct reproduce_arguments : progress_arguments {
  bench::reproduce_options options;
};

int run_reproduce(const reproduce_arguments& given) {
  const text::progress_line line(given.progress);
  bench::reproduce_surroundings outside;
  watch(outside, line);
  const std::vector<std::string> failures = bench::reproduce(given.options, outside, output_stream());
  for (const std::string& each : failures) complain("riffle bench reproduce: " + each);
  end_if_interrupted();
  return failures.empty() ? exit_status::success : exit_status::failure;
}

bench::reproduce_options& reproduced(arguments& given) {
  return static_cast<reproduce_arguments&>(given).options;
}
void add_program(arguments& given, std::string_view value) {
  const std::vector<std::string_view> known = bench::published_programs();
  if (std::ranges::find(known, value) == known.end()) throw no_such("program", known);
  reproduced(given).programs.emplace_back(value);
}
void set_size(arguments& given, std::string_view value) {
  reproduced(given).size = text::parse_size(value, std::uint64_t{64} << 10U, largest_input);
}
void set_time(arguments& given, std::string_view value) {
  reproduced(given).budget = text::parse_seconds(value);
}
void set_seed(arguments& given, std::string_view value) {
  reproduced(given).seed = text::parse_number(value, 0, text::any_size);
}

constexpr std::array own_options{
    valued("size", "SIZE", "Size of each generated input", set_size, "64M"),
    valued("time", "SECONDS", "Seconds for all tables; each contender runs at least once", set_time, "180"),
    valued("seed", "N", "Seed for shuffling the run order", set_seed, "1")};
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
                 .words = bench::published_programs},
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
