/// Why this file exists: the subcommand `riffle bench`: its options in words, and the call of the benchmark.
#include "bench/run.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>

#include "bench/machine.hpp"
#include "cli/command.hpp"

namespace riffle::cli {

namespace {

struct arguments {
  bench::bench_options bench;
  std::vector<std::string> tasks;
  std::string json;
  std::string method;
  bool list = false;
};

constexpr const char* footer = R"(Examples:
  riffle bench                                   every task, on made inputs of 64 MiB each
  riffle bench access.log                        the tasks gc, lines and words on your file
  riffle bench --task words books/*.txt          many files as one input
  riffle bench --task ints arrays.bin            an int32 length, then so many int32, again and again
  riffle bench --contender 'riffle/*' --contender mmap  only these, and the limit
  riffle bench --json result.json                everything that was measured, for programs)";

void describe(CLI::App& command, arguments& given) {
  command.footer(footer);
  command.add_option("FILE", given.bench.files, "Read these files, all together, instead of made inputs");
  std::vector<std::string> names;
  names.reserve(std::size(bench::all_tasks));
  for (const bench::task which : bench::all_tasks) names.emplace_back(bench::name_of(which));
  command
      .add_option("--task", given.tasks, "Run this task: gc, lines, words, ints or primes; may be repeated")
      ->check(CLI::IsMember(names))
      ->type_name("TASK")
      ->allow_extra_args(false);
  command.add_option("--contender", given.bench.contenders, "Run those whose PROGRAM/NAME or NAME matches")
      ->type_name("GLOB")
      ->allow_extra_args(false);
  command.add_flag("--list", given.list, "List the contenders and do nothing else");
  command
      .add_option("--size", given.bench.size,
                  "The size of each made input, such as 256MiB; 64 MiB by default")
      ->transform(CLI::AsSizeValue(false))
      ->type_name("SIZE");
  command.add_option("--rounds", given.bench.rounds, "Timed runs of each contender; slow ones get fewer")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  command
      .add_option("--time", given.bench.budget, "Seconds after which contenders get only the runs they need")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command.add_option("--json", given.json, "Write every result, with each sample, to FILE")
      ->type_name("FILE");
  command.add_option("--method", given.method, "riffle's own rows use only this method")->type_name("NAME");
  command
      .add_option("--block-size", given.bench.reading.block_size, "riffle's own rows use blocks of this size")
      ->transform(CLI::AsSizeValue(false))
      ->type_name("SIZE");
  command.add_flag_callback(
      "--no-cache", [&given] { given.bench.reading.keep_cache = false; },
      "riffle's own rows leave nothing in the page cache");
}

// Names and sizes are checked here, before anything is made or measured.
void complete(arguments& given) {
  if (given.bench.size > (std::uint64_t{1} << 40U)) throw CLI::ValidationError("--size", "over 1 TiB");
  for (const std::string& name : given.tasks) {
    const bench::task which = bench::task_named(name).value();
    if (std::count(given.bench.tasks.begin(), given.bench.tasks.end(), which) == 0)
      given.bench.tasks.push_back(which);
  }
  if (!given.method.empty()) given.bench.reading.method = parse_method(given.method);
  if (!given.json.empty()) given.bench.json = given.json;
}

int run(arguments& given) {
  complete(given);
  if (given.list) {
    bench::list_contenders(given.bench.tasks, std::cout);
    return success;
  }
  try {
    return bench::run_bench(given.bench, std::cout, std::cerr, bench::steady_clock(),
                            bench::on_terminal(stderr));
  } catch (const std::invalid_argument& wrong) {  // options that do not go together
    throw CLI::ValidationError(wrong.what());
  }
}

}  // namespace

void add_bench(CLI::App& app, int& exit_code) {
  CLI::App* const command = app.add_subcommand("bench", "Compare the ways of reading, on this machine");
  auto given = std::make_shared<arguments>();
  describe(*command, *given);
  command->callback([given, &exit_code] { exit_code = run(*given); });
}

}  // namespace riffle::cli
