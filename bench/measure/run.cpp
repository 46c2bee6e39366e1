/// Leads from the plan to the report: inputs, states of the cache, contenders, rounds, and what their samples
/// amount to.
#include "bench/measure/run.hpp"

#include <fmt/chrono.h>
#include <fmt/core.h>
#include <riffle/scan.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <thread>
#include <tuple>
#include <utility>

#include "text/typed.hpp"

namespace riffle::bench {

namespace {

// 0: the limits, 1: measured, 2: not measured.
int group(const measurement& line) {
  if (!line.measured()) return 2;
  return line.is_limit() ? 0 : 1;
}

// `automatic` copies nothing if it maps, which is unknown before.
bool binds(limit_kind limit, std::string_view method, cache_mode cache) {
  const method_info* const used = method_of(method);
  switch (limit) {
    case limit_kind::scan:
    case limit_kind::decode:
      return true;
    case limit_kind::copy:
      return used != nullptr ? !used->maps && !used->past_cache : method != "automatic";
    case limit_kind::device:
      return (used != nullptr && used->past_cache) || !is_cached(cache);
  }
  return false;
}

void bind_limits(std::vector<measurement>& lines, cache_mode cache) {
  for (measurement& line : lines) {
    if (line.is_limit()) continue;
    for (const measurement& limit : lines) {
      if (!limit.sets || !limit.measured()) continue;
      // A device is as fast whatever the number of threads; it is measured with one.
      if (limit.threads != line.threads && limit.sets != limit_kind::device) continue;
      if (!binds(*limit.sets, line.method, cache)) continue;
      if (line.limit && line.limit->seconds >= limit.seconds.median) continue;
      line.limit = binding_limit{*limit.sets, limit.seconds.median};
    }
  }
}

measurement measurement_of(const contender& from, result&& raced) {
  measurement line{.name = from.name,
                   .program = from.program,
                   .role = from.role,
                   .method = from.method,
                   .label = label_of(from.name, from.role, from.block_size, from.threads),
                   .description = from.description,
                   .sets = from.sets,
                   .block_size = from.block_size,
                   .queue_depth = from.queue_depth,
                   .threads = from.threads,
                   .wanted = from.wanted,
                   .result = std::move(raced)};
  line.seconds = summarise(seconds_of(line.result.samples));
  line.usage = median_usage(line.result.samples);
  return line;
}

std::string_view table_name(const planned_table& table) {
  return table.name.empty() ? name_of(table.task) : table.name;
}

// The fastest of each kind of limit with one thread, over all tables.
limits limits_of(const std::vector<task_report>& tables) {
  limits best;
  const auto at_least = [](std::optional<double>& limit, double speed) {
    limit = std::max(limit.value_or(0), speed);
  };
  for (const task_report& table : tables) {
    for (const measurement& line : table.lines) {
      if (!line.sets || !line.measured() || line.threads != 1 || line.seconds.median <= 0) continue;
      const double speed = static_cast<double>(table.bytes) / line.seconds.median;
      if (line.sets == limit_kind::scan) at_least(best.ram_scan, speed);
      if (line.sets == limit_kind::copy) at_least(best.ram_copy, speed);
      if (line.sets == limit_kind::device) at_least(best.device, speed);
    }
  }
  return best;
}

/// The execution of a plan, and what it has measured so far.
class bench_run {
 public:
  bench_run(const bench_plan& plan, const surroundings& outside)
      : plan_(plan),
        outside_(outside),
        start_(outside.rounds.now()),
        stolen_before_(outside.stolen_seconds()) {}

  report run() {
    const temporary_directory directory;
    begin(directory);
    try {
      planned_inputs inputs(directory.path(), outside_.rounds.interrupted);
      for (std::size_t table = 0; table < plan_.tables.size() && !interrupted(); ++table)
        run_table(table, inputs, directory);
      if (interrupted()) stop("interrupted");
    } catch (const std::exception& failure) {
      stop(reason_of(failure));
    }
    if (const double available = seconds_gone() * report_.facts.processors_online; available > 0)
      report_.stolen_share = (outside_.stolen_seconds() - stolen_before_) / available;
    return std::move(report_);
  }

 private:
  bool interrupted() const { return outside_.rounds.interrupted && outside_.rounds.interrupted(); }

  // In slices, as Ctrl-C ends it.
  void idle(double seconds) const {
    constexpr double slice = 0.05;
    for (; seconds > 0 && !interrupted(); seconds -= slice)
      std::this_thread::sleep_for(std::chrono::duration<double>(std::min(seconds, slice)));
  }

  void tell(std::string_view text) const {
    if (outside_.progress) outside_.progress(text);
  }

  double seconds_gone() const { return static_cast<double>(outside_.rounds.now() - start_) * 1e-9; }
  double seconds_left() const { return plan_.budget - seconds_gone(); }

  void stop(std::string why) {
    report_.complete = false;
    report_.stopped_by = std::move(why);
  }

  void begin(const temporary_directory& directory) {
    const bool given =
        !plan_.tables.empty() && plan_.tables.front().given && !plan_.tables.front().given->files.empty();
    report_.title = plan_.title;
    report_.started = outside_.date();
    report_.seed = plan_.seed;
    report_.facts = outside_.facts(given ? plan_.tables.front().given->files.front() : directory.path());
    if (plan_.storage) {
      report_.facts.file_system = in_words(*plan_.storage);
      report_.facts.device = {};
      report_.facts.read_ahead = 0;
    }
    report_.load = outside_.load();
    if (outside_.begun) outside_.begun(report_);
  }

  // A file that is to be in the cache as it was written is written anew; never the user's own.
  void run_table(std::size_t table, planned_inputs& inputs, const temporary_directory& directory) {
    const planned_table& planned = plan_.tables[table];
    if (!inputs.is_ready(planned)) tell(fmt::format("{}: generating the input", table_name(planned)));
    const input& from = inputs.of(planned);
    if (interrupted()) return;
    if (plan_.storage) {
      const served_file served(from.files.front(), *plan_.storage, directory.path());
      input far = from;
      far.files = {served.path()};
      measure(table, far);
    } else if (planned.cache == cache_mode::written && planned.given && !planned.left_as_written) {
      tell("copying the files, as --cache written needs new ones");
      const input copy = copy_of(from, directory.path());
      measure(table, copy);
      for (const auto& file : copy.files) std::filesystem::remove(file);
    } else {
      measure(table, from);
    }
  }

  void measure(std::size_t table, const input& from) {
    const planned_table& planned = plan_.tables[table];
    const std::string where =
        fmt::format("{} on {}, {}", table_name(planned), from.name, name_of(planned.cache));
    round_hooks hooks = outside_.rounds;
    hooks.tell = [&](const contender& one, unsigned round, double) {
      tell(fmt::format("{}: round {}: {}; {:.0f} s left", where, round, prefixed(one.program, one.name),
                       std::max(seconds_left(), 0.0)));
    };
    tell(fmt::format("{} on {}: preparing the page cache: {}", table_name(planned), from.name,
                     name_of(planned.cache)));
    const round_options rounds = rounds_of(plan_, table, seconds_left());
    const auto prepare = prepare_cache(planned.cache, from.files, from.bytes, planned.left_as_written);
    hooks.prepare = [&] {
      prepare();
      if (!is_cached(planned.cache)) evict(planned.evicted_too);
    };
    if (planned.pause > 0) hooks.keep_busy = [&] { idle(planned.pause); };
    task_report measured{
        .task = planned.task,
        .name = std::string(table_name(planned)),
        .title = planned.title.empty() ? std::string(description_of(planned.task)) : planned.title,
        .base = planned.base,
        .input = from.name,
        .files = from.files.size(),
        .bytes = planned.bytes.value_or(from.bytes),
        .made = from.made,
        .cache = planned.cache};
    if (is_cached(planned.cache) && !from.files.empty())
      measured.faults_per_mib = faults_per_mib(from.files.front());
    double shares = 0;
    for (const planned_table& each : plan_.tables) shares += each.share;
    const double fraction = planned.share / shares;
    raced all = run_rounds(planned.contenders, from.files, rounds, hooks);
    measured.round_seconds = all.round_seconds;
    measured.seconds = plan_.budget * fraction;
    measured.share = plan_.time_of_each ? 1 : fraction;
    measured.rounds = plan_.rounds;
    measured.lines = in_order(planned.contenders, std::move(all.results), planned.cache);
    const auto ran = [](const measurement& line) { return line.result.outcome != outcome::unavailable; };
    if (!all.stopped_by || std::ranges::any_of(measured.lines, ran)) {
      report_.tasks.push_back(std::move(measured));
      report_.limits = limits_of(report_.tasks);
      if (outside_.measured) outside_.measured(report_);
    }
    if (all.stopped_by) std::rethrow_exception(all.stopped_by);
  }

  const bench_plan& plan_;
  const surroundings& outside_;
  std::int64_t start_;
  double stolen_before_;
  report report_;
};

}  // namespace

std::string label_of(std::string_view name, role part, std::size_t block_size, unsigned threads) {
  std::string label(name);
  if (block_size != 0 && part == role::riffle) label += " " + text::short_size(block_size);
  if (threads != 1) label += fmt::format(" x{}", threads);
  return label;
}

std::vector<measurement> in_order(const std::vector<contender>& contenders, std::vector<result> results,
                                  cache_mode cache) {
  std::vector<measurement> lines;
  lines.reserve(contenders.size());
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    lines.push_back(measurement_of(contenders[i], std::move(results[i])));
  }
  bind_limits(lines, cache);
  std::ranges::stable_sort(lines, {}, [](const measurement& line) {
    return std::tuple(group(line), line.seconds.median, std::string_view(line.name));
  });
  return lines;
}

std::string date_now() {
  const std::tm utc = fmt::gmtime(std::time(nullptr));
  std::array<char, sizeof "2026-01-01T00:00:00Z"> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &utc)};
}

void keep_busy() {
  constexpr std::int64_t long_enough = 2'000'000;
  static const std::string bytes(std::size_t{64} << 10U, ' ');
  for (const std::int64_t start = steady_now(); steady_now() - start < long_enough;) {
    [[maybe_unused]] const volatile std::uint64_t newlines = scan::count_byte(bytes, '\n');
  }
}

report run_bench(const bench_plan& plan, const surroundings& outside) {
  return bench_run(plan, outside).run();
}

std::vector<std::string> failures_of(const report& all) {
  std::vector<std::string> failures;
  for (const task_report& table : all.tasks) {
    for (const measurement& line : table.lines) {
      if (line.result.outcome != outcome::failed && line.result.outcome != outcome::wrong) continue;
      failures.push_back(
          fmt::format("{} on {}: {} {}{}", table.name, table.input, prefixed(line.program, line.label),
                      line.result.outcome == outcome::failed ? "failed: " : "", line.result.reason));
    }
  }
  return failures;
}

}  // namespace riffle::bench
