/// Why this file exists: the subcommand `riffle bench`: its options in words, and the call of the benchmark.
#include "bench/run.hpp"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>
#include <riffle/error.hpp>
#include <riffle/methods.hpp>

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
  for (const bench::task which : bench::all_tasks) names.emplace_back(bench::name_of(which));
  command
      .add_option("--task", given.tasks, "Run this task: gc, lines, words, ints or primes; may be repeated")
      ->check(CLI::IsMember(names))
      ->type_name("TASK")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command.add_option("--contender", given.bench.contenders, "Run those whose PROGRAM/NAME or NAME matches")
      ->type_name("GLOB")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
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
  command.add_option("--method", given.method, "riffle's own rows use only this method")->type_name("METHOD");
}

int run(arguments& given) {
  if (given.bench.size > (std::uint64_t{1} << 40)) {
    std::cerr << "riffle bench: --size is over 1 TiB\n";
    return 2;
  }
  for (const std::string& name : given.tasks) {
    const bench::task which = bench::task_named(name).value();
    if (std::count(given.bench.tasks.begin(), given.bench.tasks.end(), which) == 0)
      given.bench.tasks.push_back(which);
  }
  if (!given.method.empty()) {
    const std::optional<method> named = method_named(given.method);
    if (!named) {
      std::cerr << "riffle bench: there is no method '" << given.method << "'\n";
      return 2;
    }
    given.bench.reading.method = *named;
  }
  if (!given.json.empty()) given.bench.json = given.json;
  try {
    if (given.list) {
      bench::list_contenders(given.bench.tasks, std::cout);
      return 0;
    }
    return bench::run_bench(given.bench, std::cout, std::cerr, bench::steady_clock(),
                            isatty(STDERR_FILENO) == 1);
  } catch (const std::invalid_argument& wrong) {
    std::cerr << "riffle bench: " << wrong.what() << '\n';
    return 2;
  } catch (const std::exception& failure) {
    std::cerr << "riffle bench: " << failure.what() << '\n';
    return 1;
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
