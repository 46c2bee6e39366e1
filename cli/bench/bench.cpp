/// The subcommand `riffle bench`: its options in words, and the call of the benchmark.
#include "cli/bench/bench.hpp"

#include <fmt/core.h>

#include <cstdlib>
#include <iostream>
#include <memory>

#include "bench/judge/warnings.hpp"
#include "bench/measure/run.hpp"
#include "bench/show/outputs.hpp"
#include "cli/bench/forms.hpp"
#include "cli/bench/sizes.hpp"
#include "cli/command.hpp"
#include "text/columns.hpp"
#include "text/terminal.hpp"

namespace riffle::cli {

namespace {

struct arguments {
  bench::bench_options bench;
  report_forms forms;
  bool list = false;
};

constexpr const char* footer = R"(Examples:
  riffle bench                                   every task, on made inputs of 64 MiB each
  riffle bench access.log                        the tasks gc, lines and words on your file
  riffle bench --cache hot,cold access.log       the same with the page cache empty, beside it
  riffle bench --task words books/*.txt          many files as one input
  riffle bench --task ints arrays.bin            an int32 length, then so many int32, again and again
  riffle bench --contender 'riffle/*,mmap'       only these, and the limits
  riffle bench --task gc --size 4K..1G           how the size of the file matters
  riffle bench --method read --block-size 4K..4M how the size of the blocks matters
  riffle bench --html report.html                one page with charts
  riffle bench compare before.json after.json    what changed, beyond the noise
  riffle bench reproduce                         the published tables, beside this machine's

Inputs are made in $TMPDIR, or in /tmp. Ctrl-C ends the measuring and still reports.
A report overwrites an earlier one, and no other file.)";

template <class T>
void add_named(CLI::App& command, const char* option, std::vector<T>& to,
               std::optional<T> (*named)(std::string_view), const char* type, const std::string& text) {
  command
      .add_option_function<std::vector<std::string>>(
          option,
          [=, &to](const std::vector<std::string>& names) {
            to.clear();
            for (const std::string& name : names) {
              const std::optional<T> found = named(name);
              if (!found) throw CLI::ValidationError(option, fmt::format("no {} '{}': {}", type, name, text));
              to.push_back(*found);
            }
            drop_repeats(to);
          },
          text)
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name(type);
}

std::optional<bench::task> named_task(std::string_view name) {
  return bench::task_named(name);
}
std::optional<bench::cache_mode> named_cache(std::string_view name) {
  return bench::cache_mode_named(name);
}

void describe_what(CLI::App& command, arguments& given) {
  command.add_option("FILE", given.bench.files, "Read these files, all together, instead of made inputs");
  add_named(command, "--task", given.bench.tasks, named_task, "TASK", "gc, lines, words, ints or primes");
  command.add_option("--contender", given.bench.contenders, "Run those whose PROGRAM/NAME or NAME matches")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("GLOB");
  command.add_flag("--list", given.list, "List the contenders and do nothing else");
  command
      .add_option_function<std::string>(
          "--method",
          [&given](const std::string& name) { given.bench.varied.reading.method = parse_method(name); },
          "Of riffle's own rows only those by this method")
      ->type_name("NAME");
  add_named(
      command, "--cache", given.bench.caches, named_cache, "STATE",
      "hot (the default: read into the page cache), written (into it), cold (evicted before every run) or "
      "uncached (cold, and riffle keeps nothing)");
}

void describe_sweeps(CLI::App& command, arguments& given) {
  command
      .add_option_function<std::vector<unsigned>>(
          "--threads",
          [&to = given.bench.varied.threads](const std::vector<unsigned>& threads) {
            to = threads;
            drop_repeats(to);
          },
          "Threads of riffle's own rows: 1,2")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::Range(1U, 1024U))
      ->type_name("N");
  add_sizes(command, "--block-size", given.bench.varied.block_sizes,
            "Blocks of riffle's own rows: 64K, 4K,64K,1M or 4K..1M");
  add_sizes(command, "--size", given.bench.sizes,
            "Size of each made input: 64M (the default), 4K,1M or 4K..1G");
}

void describe_how(CLI::App& command, arguments& given) {
  command.add_option("--rounds", given.bench.rounds, "The most timed runs of each contender")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  command.add_option("--time", given.bench.budget, "Seconds for everything, more or less")
      ->check(is_seconds)
      ->capture_default_str();
  command.add_option("--seed", given.bench.seed, "Gives the order within each round")->capture_default_str();
  add_report_forms(command, given.forms);
}

std::string plan(const bench::bench_options& options) {
  const std::size_t tables = bench::tables_of(options);
  return fmt::format("{} table{} in about {:g} s, or what one run of each takes; --time changes it", tables,
                     tables == 1 ? "" : "s", options.budget);
}

int run(const arguments& given) {
  const report_files files(given.forms, given.bench.files);
  const bool tables = !files.standard_output();
  const bool colour = text::wants_colour(stdout);
  const text::progress_line line;
  bench::surroundings outside;
  outside.rounds.interrupted = note_interrupts();
  outside.limits = [](const std::filesystem::path& directory, const bench::clock& now) {
    return bench::measure_limits(directory, now);
  };
  outside.progress = [&](std::string_view text) { line.show(text); };
  outside.begun = [&](const bench::report& so_far) {
    line.clear();
    if (!tables) return;
    bench::print_machine(so_far.facts, std::cout);
    bench::print_limits(so_far.limits, std::cout);
    std::cout << plan(given.bench) << '\n';
    flushed();
  };
  outside.measured = [&](const bench::report& so_far) {
    line.clear();
    if (!tables) return;
    std::cout << '\n';
    bench::print_table(so_far, so_far.tasks.back(), colour, std::cout);
    flushed();
  };
  bench::report all = bench::run_bench(given.bench, outside);
  all.warnings = bench::warnings_of(all);
  line.clear();
  const bool written = files.write(all);
  if (tables && !all.warnings.empty()) {
    std::cout << '\n';
    bench::print_warnings(all.warnings, colour, std::cout);
  }
  if (tables && written && !files.page().empty())
    std::cout << "\nThe whole report: " << text::printable(std::filesystem::absolute(files.page()).string())
              << '\n';
  const std::vector<std::string> failures = bench::failures_of(all);
  for (const std::string& failure : failures) complain("riffle bench: " + failure);
  if (!all.complete) complain("riffle bench: not complete: " + all.stopped_by);
  if (outside.rounds.interrupted()) return interrupted;
  return written && failures.empty() && all.complete ? success : failure;
}

}  // namespace

std::function<bool()> note_interrupts() {
  return [noted = bench::note_interrupts()] { return noted() || !flushed(); };
}

void add_bench(CLI::App& app, int& exit_code) {
  CLI::App* const command = app.add_subcommand("bench", "Compare the ways of reading, on this machine");
  auto given = std::make_shared<arguments>();
  command->footer(footer);
  describe_what(*command, *given);
  describe_sweeps(*command, *given);
  describe_how(*command, *given);
  add_bench_compare(*command, exit_code);
  add_bench_reproduce(*command, exit_code);
  command->callback([command, given, &exit_code] {
    if (!command->get_subcommands().empty()) return;
    if (given->list) {
      write(bench::list_of_contenders(given->bench.tasks, given->bench.varied));
      return;
    }
    try {
      exit_code = run(*given);
    } catch (const std::invalid_argument& wrong) {  // options that do not go together
      throw CLI::ValidationError(wrong.what());
    }
  });
}

}  // namespace riffle::cli
