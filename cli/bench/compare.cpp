/// The subcommand `riffle bench compare`: results in, what changed out, and a status for use in CI.
#include "bench/judge/compare.hpp"

#include <riffle/error.hpp>
#include <riffle/source.hpp>

#include <fmt/core.h>

#include <charconv>
#include <iostream>
#include <memory>

#include "bench/show/read_json.hpp"
#include "cli/bench/bench.hpp"
#include "cli/command.hpp"

namespace riffle::cli {

namespace {

struct arguments {
  std::vector<std::string> files;
  std::optional<double> fail_on;
  bool all = false;
};

constexpr const char* footer = R"(Examples:
  riffle bench --json before.json                measure, change something, measure again
  riffle bench compare before.json after.json    what changed, beyond the noise
  riffle bench compare --all laptop.json server.json cloud.json
  riffle bench compare --fail-on 10% main.json branch.json   for CI

Exits with 1 when a contender fails that did not, when answers differ, or when nothing
was measured in both. With --fail-on also when a row is slower than in the first file by
more than that and beyond the noise (limits do not count), or when a row of riffle was
not measured again.)";

// "10%" and "0.1" are the same; "10" could mean either.
double parse_share(const std::string& text) {
  double value = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  const bool percent = error == std::errc() && std::string_view(end, last) == "%";
  if (error != std::errc() || (end != last && !percent) || !(value >= 0) || value > (percent ? 1e6 : 1)) {
    throw CLI::ValidationError("--fail-on", fmt::format("'{}' is no share: write 10% or 0.1", text));
  }
  return percent ? value / 100 : value;
}

// Far more than any result takes: who names a disk by mistake is told so before the memory is full.
constexpr std::size_t largest = 64 << 20;

bench::report read_result(const std::string& file) {
  source in(input_of(file));
  std::string text;
  for (block next = in.next(); !next.empty(); next = in.next()) {
    text.append(next.data(), next.size());
    if (text.size() > largest) {
      throw error(errc::invalid_argument, "read", in.name(), std::nullopt, "too large to be a result");
    }
  }
  in.check();
  return bench::read_json(text, in.name());
}

int run(const arguments& given) {
  std::vector<bench::named_report> reports;
  reports.reserve(given.files.size());
  for (const std::string& file : given.files) reports.push_back({file, read_result(file)});
  const bench::comparison result = bench::compare_reports(reports);
  bench::print_comparison(reports, result, given.all, std::cout);
  if (!bench::anything_compared(result) || bench::anything_broke(result) || bench::answers_differ(result))
    return failure;
  if (!given.fail_on) return success;
  return bench::slower_by_more(result, *given.fail_on) || bench::anything_lost(result) ? failure : success;
}

}  // namespace

void add_bench_compare(CLI::App& bench, int& status) {
  CLI::App* const command = bench.add_subcommand("compare", "What changed between results, beyond the noise");
  auto given = std::make_shared<arguments>();
  command->footer(footer);
  command
      ->add_option("RESULT", given->files,
                   "Files of riffle bench --json; the first is what others are compared to")
      ->required()
      ->expected(2, 1000);
  command
      ->add_option_function<std::string>(
          "--fail-on", [given](const std::string& text) { given->fail_on = parse_share(text); },
          "Exit with 1 if a row is slower by more than this: 10% or 0.1")
      ->type_name("SHARE");
  command->add_flag("--all", given->all, "List the rows that did not change too");
  command->callback([given, &status] { status = run(*given); });
}

}  // namespace riffle::cli
