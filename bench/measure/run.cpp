/// Leads from the options to the report: inputs, states of the cache, contenders, rounds.
#include "bench/measure/run.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <riffle/error.hpp>
#include <stdexcept>

#include "bench/host/cache.hpp"
#include "bench/host/os/interrupt.hpp"
#include "bench/host/temporary_directory.hpp"
#include "bench/inputs/inputs.hpp"
#include "bench/measure/measurements.hpp"

namespace riffle::bench {

namespace {

constexpr std::uint64_t default_size = std::uint64_t{64} << 20;

std::vector<task> tasks_asked_for(const bench_options& options) {
  if (!options.tasks.empty()) return options.tasks;
  if (!options.files.empty()) return {task::gc, task::lines, task::words};
  return {all_tasks.begin(), all_tasks.end()};
}

std::vector<std::uint64_t> sizes_of(const bench_options& options) {
  return options.sizes.empty() ? std::vector{default_size} : options.sizes;
}

bool matches(const contender& one, const std::string& glob) {
  return matches_glob(glob, one.id()) || matches_glob(glob, one.name);
}

bool is_wanted(const contender& one, const std::vector<std::string>& globs) {
  return globs.empty() || one.role == role::limit ||
         std::ranges::any_of(globs, [&](const std::string& glob) { return matches(one, glob); });
}

using contenders_by_task = std::function<std::vector<contender>(task, const contender_options&)>;

// Those that one of the contenders asked for can do.
std::vector<task> tasks_of(const bench_options& options, const contenders_by_task& contenders) {
  std::vector<task> tasks = tasks_asked_for(options);
  std::erase_if(tasks, [&](task which) {
    return std::ranges::none_of(contenders(which, options.varied), [&](const contender& one) {
      return one.role != role::limit && is_wanted(one, options.contenders);
    });
  });
  return tasks;
}

std::size_t tables_of(const bench_options& options, const contenders_by_task& contenders) {
  std::size_t tables = 0;
  for (const task which : tasks_of(options, contenders)) {
    tables += options.files.empty() ? inputs_made(which) * sizes_of(options).size() : 1;
  }
  return tables * options.caches.size();
}

/// The run of one command: what it was asked for, and what it has measured so far.
class bench_run {
 public:
  bench_run(const bench_options& options, const surroundings& outside)
      : options_(options), outside_(outside), start_(outside.rounds.now()) {}

  report run() {
    check();
    const temporary_directory directory;
    begin(directory);
    tables_left_ = tables_of(options_, outside_.contenders);
    try {
      for (const task which : tasks_of(options_, outside_.contenders)) {
        for (const std::uint64_t size : sizes_of(options_)) run_task(which, size, directory);
      }
      if (interrupted()) stop("interrupted");
    } catch (const std::exception& failure) {
      stop(failure.what());
    }
    finish();
    return std::move(report_);
  }

 private:
  bool interrupted() const { return outside_.rounds.interrupted && outside_.rounds.interrupted(); }

  void tell(std::string_view text) const {
    if (outside_.progress) outside_.progress(text);
  }

  double seconds_left() const {
    return options_.budget - static_cast<double>(outside_.rounds.now() - start_) * 1e-9;
  }

  void stop(std::string why) {
    report_.complete = false;
    report_.stopped_by = std::move(why);
  }

  // Whatever the options or the user's files lack is said before anything is measured.
  void check() const {
    if (!options_.files.empty() && !options_.sizes.empty())
      throw std::invalid_argument("--size is for made inputs: leave out the size, or the files");
    for (const std::string& glob : options_.contenders) {
      const auto found_in = [&](task which) {
        return std::ranges::any_of(outside_.contenders(which, options_.varied),
                                   [&](const contender& one) { return matches(one, glob); });
      };
      if (!std::ranges::any_of(tasks_asked_for(options_), found_in))
        throw std::invalid_argument("no contender matches '" + glob + "'; --list shows them all");
    }
    if (options_.files.empty()) return;
    for (const task which : tasks_of(options_, outside_.contenders)) take_files(which, options_.files);
  }

  void begin(const temporary_directory& directory) {
    report_.started = outside_.date();
    report_.seed = options_.seed;
    report_.facts = outside_.facts(options_.files.empty() ? directory.path() : options_.files.front());
    report_.tick_ns = tick_of(outside_.rounds.now);
    before_ = outside_.conditions();
    report_.load = before_.load;
    tell("measuring the limits of the machine");
    if (outside_.limits) report_.limits = outside_.limits(directory.path(), outside_.rounds.now);
    if (outside_.begun) outside_.begun(report_);
  }

  void finish() {
    report_.stolen_share = stolen_share(before_, outside_.conditions(), report_.facts.processors_online);
  }

  void run_task(task which, std::uint64_t size, const temporary_directory& directory) {
    if (interrupted()) return;
    tell(fmt::format("{}: making the input", name_of(which)));
    const std::vector<input> inputs = options_.files.empty() ? make_inputs(which, size, directory.path())
                                                             : std::vector{take_files(which, options_.files)};
    for (const input& each : inputs) {
      for (const cache_mode cache : options_.caches) {
        if (interrupted()) return;
        run_table(which, each, cache, directory);
      }
      if (!each.made) continue;
      for (const auto& file : each.files) std::filesystem::remove(file);
    }
  }

  // A file that is to be in the cache as it was written is written anew; never the user's own.
  void run_table(task which, const input& on, cache_mode cache, const temporary_directory& directory) {
    if (cache == cache_mode::written && !on.made) {
      tell("copying the files, as they have to be written");
      const input copy = copy_of(on, directory.path());
      measure(which, copy, cache);
      for (const auto& file : copy.files) std::filesystem::remove(file);
    } else {
      measure(which, on, cache);
    }
  }

  void measure(task which, const input& on, cache_mode cache) {
    const std::vector<contender> contenders = wanted(which, cache);
    round_options rounds{.rounds = options_.rounds, .seed = options_.seed + report_.tasks.size()};
    rounds.budget = seconds_left() / static_cast<double>(tables_left_--);
    if (!is_cached(cache)) rounds.shortest = 0;
    round_hooks hooks = outside_.rounds;
    hooks.tell = [&](const contender& one, unsigned round, double) {
      tell(fmt::format("{} on {}, {}: round {}: {}; {:.0f} s left", name_of(which), on.name, name_of(cache),
                       round, one.id(), std::max(seconds_left(), 0.0)));
    };
    tell(fmt::format("{} on {}: making it {}", name_of(which), on.name, name_of(cache)));
    hooks.prepare = prepare_cache(cache, on.files);
    task_report table{.task = which,
                      .input = on.name,
                      .files = on.files.size(),
                      .bytes = on.bytes,
                      .made = on.made,
                      .cache = cache,
                      .varies_size = sizes_of(options_).size() > 1};
    if (is_cached(cache)) table.faults_per_mib = faults_per_mib(on.files.front());
    raced all = run_rounds(contenders, on.files, rounds, hooks);
    table.lines = in_order(contenders, std::move(all.results), cache);
    if (!all.stopped_by || std::ranges::any_of(table.lines, &measurement::measured)) {
      report_.tasks.push_back(std::move(table));
      if (outside_.measured) outside_.measured(report_);
    }
    if (all.stopped_by) std::rethrow_exception(all.stopped_by);
  }

  std::vector<contender> wanted(task which, cache_mode cache) const {
    contender_options varied = options_.varied;
    if (cache == cache_mode::uncached) varied.reading.keep_cache = false;
    std::vector<contender> all = outside_.contenders(which, varied);
    std::erase_if(all, [&](const contender& one) { return !is_wanted(one, options_.contenders); });
    return all;
  }

  const bench_options& options_;
  const surroundings& outside_;
  std::int64_t start_;
  std::size_t tables_left_ = 0;  // the time that is left is shared among them
  conditions before_;
  report report_;
};

}  // namespace

std::string date_now() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  ::gmtime_r(&now, &utc);
  std::array<char, sizeof "2026-01-01T00:00:00Z"> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &utc)};
}

report run_bench(const bench_options& options, const surroundings& outside) {
  return bench_run(options, outside).run();
}

std::size_t tables_of(const bench_options& options) {
  return tables_of(options, contenders_of);
}

std::function<bool()> note_interrupts() {
  os::note_interrupts();
  return os::interrupted;
}

std::vector<std::string> failures_of(const report& all) {
  std::vector<std::string> failures;
  for (const task_report& of : all.tasks) {
    for (const measurement& line : of.lines) {
      if (line.result.outcome != outcome::failed && line.result.outcome != outcome::wrong) continue;
      failures.push_back(fmt::format("{} on {}: {}/{} {}{}", name_of(of.task), of.input, line.program,
                                     line.label, line.result.outcome == outcome::failed ? "failed: " : "",
                                     line.result.reason));
    }
  }
  return failures;
}

std::string list_of_contenders(const std::vector<task>& tasks, const contender_options& options) {
  std::string list;
  std::vector<std::string> programs;
  for (const task which : tasks.empty() ? std::vector<task>(all_tasks.begin(), all_tasks.end()) : tasks) {
    list += fmt::format("{}: {}\n", name_of(which), description_of(which));
    for (const contender& one : contenders_of(which, options)) {
      list += fmt::format("  {:<35} {}\n", one.id(), one.description);
      if (std::ranges::count(programs, one.program) == 0) programs.push_back(one.program);
    }
  }
  list += "programs:\n";
  for (const std::string& program : programs)
    list += fmt::format("  {:<16} {}\n", program, origin_of(program));
  return list;
}

}  // namespace riffle::bench
