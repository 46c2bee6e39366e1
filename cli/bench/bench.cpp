/// `riffle bench`, and the table of commands of a tool that has it.
#include "cli/bench/bench.hpp"

#include <fmt/core.h>
#include <riffle/blocks.hpp>
#include <riffle/methods.hpp>

#include <ostream>

#include "bench/host/system.hpp"
#include "cli/output.hpp"

namespace riffle::cli {

std::span<const command* const> commands() noexcept {
  static constexpr std::array table{
      &wc_command,     &count_command,   &sum_command,   &freq_command,
      &cat_command,    &split_command,   &bench_command, &bench_reproduce_command,
      &advise_command, &methods_command, &help_command};
  return table;
}

namespace {

std::string in_words(const bench::bench_plan& plan) {
  const bool of_options = std::ranges::all_of(plan.tables, &std::string::empty, &bench::planned_table::base);
  return fmt::format("{} in about {:g} s, if one run of each contender fits{}",
                     bench::counted(plan.tables.size(), "table"), plan.budget,
                     of_options ? "; --time changes it" : "");
}

// A plan says all that other options say.
bench::bench_plan planned_by(const bench_arguments& given) {
  const bench::bench_options& bench = given.bench;
  constexpr std::array allowed{"plan", "json", "markdown", "html", "save", "seed", "progress", "no-progress"};
  const auto is_allowed = [&](const option* seen) {
    return std::ranges::count(allowed, std::string_view(seen->name)) != 0;
  };
  if (!bench.files.empty() || !bench.varied.commands.empty() || !std::ranges::all_of(given.seen, is_allowed))
    throw text::usage_error(
        "--plan takes no FILE, no command, and of the options only --json, --markdown, --html, --save, "
        "--seed and --progress");
  const bench::processes race;
  race.get_ready();  // while there is no long text
  std::string text;
  for (const block part : blocks(*given.plan, {.decode = decoding::none})) text += part.bytes;
  bench::bench_plan plan = bench::plan_of_json(text, race);
  plan.seed = bench.seed;
  return plan;
}

bench::bench_plan plan_of(const bench_arguments& given) {
  if (given.plan) return planned_by(given);
  bench::bench_options options = given.bench;
  if (!given.caches.empty()) options.caches = given.caches;
  if (!given.threads.empty()) options.varied.threads = given.threads;
  for (const std::filesystem::path& file : options.files) {
    if (const decoding format = decoding_of(file); format != decoding::none)
      options.varied.reading.decode = format;
  }
  if (given.latency == 0 && given.served != 0)
    throw text::usage_error("--served needs --latency, such as --latency 1ms");
  if (given.latency != 0) {
    if (given.caches.empty()) options.caches = {bench::cache_mode::cold};
    options.storage = bench::slow_storage{.program = bench::find_slow_fs(),
                                          .latency = given.latency,
                                          .served = given.served != 0 ? given.served : 32};
  }
  return bench::make_plan(options);
}

std::vector<std::filesystem::path> inputs_of(const bench::bench_plan& plan) {
  std::vector<std::filesystem::path> all;
  for (const bench::planned_table& table : plan.tables) {
    if (table.given) all.insert(all.end(), table.given->files.begin(), table.given->files.end());
  }
  return all;
}

}  // namespace

void watch(bench::surroundings& outside, const text::progress_line& line) {
  os::note_interrupts();
  os::outlive_readers();
  outside.rounds.interrupted = [] { return os::interrupted() || !flushed(); };
  outside.progress = [&line](std::string_view text) { text.empty() ? line.clear() : line.show(text); };
}

int show_run(const bench::bench_plan& plan, std::string_view command, const text::progress_line& line,
             report_files& files, const before_table& before) {
  const bool tables = !files.standard_output();
  const bool colour = text::wants_colour(stdout);
  std::ostream& out = output_stream();
  bench::surroundings outside;
  bench::conclusions conclusions;
  watch(outside, line);
  outside.begun = [&](const bench::report& so_far) {
    line.clear();
    if (!tables) return;
    if (!before) bench::print_section(bench::machine_section(so_far.facts), false, out);
    out << text::wrapped(in_words(plan), 2);
    flushed();
  };
  outside.measured = [&](const bench::report& so_far) {
    line.clear();
    const bench::task_report& table = so_far.tasks.back();
    conclusions.tables.push_back(bench::judge_table(table));
    const std::string first = before ? before(so_far, conclusions.tables.back()) : "";
    if (!tables) return;
    out << first << '\n';
    bench::print_section(bench::table_section(table, conclusions.tables.back()), colour, out);
    flushed();
  };
  bench::report all = bench::run_bench(plan, outside);
  if (!all.complete && !flushed()) all.stopped_by = "standard output cannot be written";
  conclusions.warnings = bench::warnings_of(all);
  line.clear();
  const bool written = files.write(all, conclusions);
  if (tables && !conclusions.warnings.empty()) {
    out << '\n';
    bench::print_section(bench::warnings_section(conclusions.warnings), colour, out);
  }
  std::error_code ignored;  // the working directory may be gone
  const std::filesystem::path page =
      files.page().empty() ? std::filesystem::path() : std::filesystem::absolute(files.page(), ignored);
  if (tables && written && !page.empty())
    out << "\nThe whole report: " << text::printable(page.string()) << '\n';
  const std::vector<std::string> failures = bench::failures_of(all);
  for (const std::string& failure : failures) complain(fmt::format("{}: {}", command, failure));
  if (!all.complete) complain(fmt::format("{}: not complete: {}", command, all.stopped_by));
  end_if_interrupted();
  return written && failures.empty() && all.complete ? success : failure;
}

void end_if_interrupted() {
  if (!os::interrupted()) return;
  flush_output();
  os::end_by_signal();
}

int run_bench(const bench_arguments& given) {
  try {
    const bench::bench_plan plan = plan_of(given);
    if (!given.list) {
      report_files files(given.forms, inputs_of(plan));
      return show_run(plan, "riffle bench", text::progress_line(given.progress), files);
    }
    write(bench::list_of_contenders(plan));
    return success;
  } catch (const std::invalid_argument& wrong) {  // options that do not go together
    throw text::usage_error(wrong.what());
  }
}

}  // namespace riffle::cli
