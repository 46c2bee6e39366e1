/// Checks the options against the registry and the user's files, before anything is measured.
#include "bench/measure/run.hpp"

#include <fmt/core.h>
#include <riffle/blocks.hpp>
#include <riffle/scan.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "text/shown.hpp"

namespace riffle::bench {

namespace {

constexpr std::uint64_t default_size = std::uint64_t{64} << 20;

std::vector<task> tasks_asked_for(const bench_options& options) {
  if (!options.varied.commands.empty()) return {task::commands};
  if (!options.tasks.empty()) return options.tasks;
  if (!options.files.empty()) return {task::gc, task::lines, task::words};
  return {all_tasks.begin(), all_tasks.end()};
}

bool matches(const contender& one, const std::string& glob) {
  return matches_glob(glob, one.id()) || matches_glob(glob, one.name);
}

bool is_wanted(const contender& one, const std::vector<std::string>& globs) {
  return globs.empty() || one.role == role::limit ||
         std::ranges::any_of(globs, [&](const std::string& glob) { return matches(one, glob); });
}

bool competes(const std::vector<contender>& all) {
  return std::ranges::any_of(all, [](const contender& one) { return one.role != role::limit; });
}

// The contenders that are wanted, task by task.
std::vector<std::vector<contender>> competitors_of(const bench_options& options, const registry& contenders) {
  std::vector<std::vector<contender>> tasks;
  std::vector<std::string> unmatched = options.contenders;
  for (const task which : tasks_asked_for(options)) {
    std::vector<contender> all = contenders(which, options.varied);
    std::erase_if(unmatched, [&](const std::string& glob) {
      return std::ranges::any_of(all, [&](const contender& one) { return matches(one, glob); });
    });
    std::erase_if(all, [&](const contender& one) { return !is_wanted(one, options.contenders); });
    if (competes(all)) tasks.push_back(std::move(all));
  }
  if (!unmatched.empty())
    throw std::invalid_argument("no contender matches '" + unmatched.front() + "'" +
                                (options.varied.threads == std::vector{1U}
                                     ? "; --list shows them all"
                                     : " with so many threads; use --threads 1, or --list to see them all"));
  if (tasks.empty())
    throw std::invalid_argument("'" + text::joined(options.contenders, ",") +
                                "' matches limits only; name a contender too");
  return tasks;
}

// Each input in each state of the cache.
void add_tables(const std::vector<contender>& all, planned_table table, const std::vector<cache_mode>& caches,
                std::vector<planned_table>& to) {
  const bool has_files = !table.given || !table.given->files.empty();
  for (const cache_mode cache : caches) {
    table.cache = cache;
    table.contenders = all;
    std::erase_if(table.contenders, [&](const contender& one) {
      return (one.for_storage && is_cached(cache)) || (one.role == role::limit && !has_files);
    });
    if (competes(table.contenders)) to.push_back(table);
  }
}

// Options that do not go together.
void check(const bench_options& options) {
  const contender_options& varied = options.varied;
  const bool race = !varied.commands.empty();
  const bool far = options.storage.has_value();
  const auto names = [&](cache_mode mode) { return std::ranges::count(options.caches, mode) != 0; };
  const auto is_blank = [](const std::vector<std::string>& words) {
    return words.empty() || words.front().find_first_not_of(" \t\n") == std::string::npos;
  };
  const std::pair<bool, const char*> faults[] = {
      {!options.files.empty() && !options.sizes.empty(),
       "--size applies to generated inputs only; leave out --size or FILE"},
      {far && std::ranges::any_of(options.caches, is_cached),
       "--latency measures a cold file; leave out --cache, or use --cache cold"},
      {far && options.files.size() > 1, "--latency serves one file; leave out the other FILEs"},
      {!race && (varied.any_output || varied.ignore_failure),
       "--any-output and --ignore-failure need commands; write them after '--'"},
      {std::ranges::any_of(varied.commands, is_blank),
       "no command after '--'; write -- 'wc -l FILE' -- 'grep -c x FILE'"},
      {race && (!options.tasks.empty() || !options.contenders.empty() || !options.sizes.empty() || far ||
                varied.threads != std::vector{1U} || !varied.block_sizes.empty() ||
                varied.reading.method != method::automatic),
       "commands take no --task, --contender, --method, --threads, --block-size, --size and --latency"},
      {race && names(cache_mode::written),
       "--cache written measures copies, which no command reads; use hot or cold"},
      {race && names(cache_mode::cold) && options.files.empty(),
       "--cache cold needs the files that the commands read; name them before '--'"}};
  for (const auto& [holds, message] : faults) {
    if (holds) throw std::invalid_argument(message);
  }
}

/// The inputs of a task: the user's files, or one of each size that is not empty.
std::vector<planned_table> inputs_of(task which, const bench_options& options) {
  if (which == task::commands && options.files.empty())
    return {{.task = which, .given = input{.name = "no files", .files = {}}}};
  if (!options.files.empty()) return {{.task = which, .given = take_files(which, options.files)}};
  const std::size_t inputs = options.storage ? 1 : inputs_made(which);  // the others are many files
  std::vector<planned_table> tables;
  for (const std::uint64_t size : options.sizes.empty() ? std::vector{default_size} : options.sizes) {
    for (std::size_t input = 0; input < inputs; ++input) {
      if (size >= least_size(which, input)) tables.push_back({.task = which, .size = size, .which = input});
    }
  }
  return tables;
}

// The least work that touches every byte, so that the reading takes most of the time.
answer count_newlines(const std::filesystem::path& file, const read_options& reading) {
  answer total;
  block_range parts = blocks(file, reading);
  for (const block part : parts) {
    const std::string_view bytes = part.bytes.substr(0, static_cast<std::size_t>(most_measured - total.sum));
    total += {scan::count_lines(bytes), bytes.size()};
    if (total.sum == most_measured) break;
  }
  parts.from().check();
  return total;
}

std::vector<contender> methods_of(const facts& known, decoding decode) {
  std::vector<contender> all;
  const auto add = [&](method which, std::size_t block_size) {
    const read_options reading{.method = which,
                               .block_size = block_size,
                               .decode = decode,
                               .mapping = {.fault_guard = known.fault_guard}};
    const std::string name(name_of(which));
    all.push_back({.task = task::lines,
                   .name = name,
                   .program = "riffle",
                   .role = role::riffle,
                   .method = name,
                   .description = "blocks, count_lines",
                   .run = each_file([reading](const auto& file) { return count_newlines(file, reading); }),
                   .block_size = block_size});
  };
  add(method::automatic, 0);
  for (const method_info& info : methods()) {
    // Without the guard a mapping could crash.
    if (!info.takes(known.kind) || info.unavailable() || (info.maps && !known.fault_guard)) continue;
    add(info.id, 0);
    if (info.one_position || info.queues) continue;
    // All block sizes above the file size are alike.
    if (info.block_size / 4 < known.size) add(info.id, info.block_size / 4);
    if (info.block_size < known.size) add(info.id, info.block_size * 4);
  }
  return all;
}

// The time in which every contender gets its rounds on a current machine. The rounds end earlier if all have
// settled. The slowest contender reads at a fraction of this speed, the fastest at several times of it.
double seconds_needed(std::size_t contenders, std::uint64_t bytes, cache_mode cache) {
  constexpr double shortest = 5;
  const double bytes_a_second = is_cached(cache) ? 4e9 : 1e9;
  const std::size_t rounds = rounds_to_judge + rounds_to_judge / 3;
  const auto runs = static_cast<double>(contenders * rounds);
  return std::max(shortest, std::ceil(runs * static_cast<double>(bytes) / bytes_a_second));
}

}  // namespace

bench_plan make_plan(const bench_options& options, const registry& contenders) {
  check(options);
  bench_plan plan{.rounds = options.rounds,
                  .budget = options.budget,
                  .seed = options.seed,
                  .storage = options.storage,
                  .stop_at_failure = !options.varied.commands.empty()};
  bool has_input = false;
  for (const std::vector<contender>& all : competitors_of(options, contenders)) {
    for (const planned_table& table : inputs_of(all.front().task, options)) {
      has_input = true;
      add_tables(all, table, options.caches, plan.tables);
    }
  }
  if (!has_input) throw std::invalid_argument("no input is that small; use a larger --size, such as 64K");
  if (plan.tables.empty())
    throw std::invalid_argument("'" + text::joined(options.contenders, ",") +
                                "' reads no cached file; use --cache cold");
  // Contenders of cold tables start threads, and after a program's first one glibc takes a lock for each
  // getc.
  std::ranges::stable_partition(plan.tables, [](const planned_table& each) { return is_cached(each.cache); });
  return plan;
}

round_options rounds_of(const bench_plan& plan, std::size_t table, double seconds_left) {
  const double shares =
      std::accumulate(plan.tables.begin() + static_cast<std::ptrdiff_t>(table), plan.tables.end(), 0.0,
                      [](double sum, const planned_table& each) { return sum + each.share; });
  round_options rounds{.rounds = plan.rounds,
                       .budget = seconds_left * plan.tables.at(table).share / shares,
                       .seed = plan.seed + table,
                       .stop_at_failure = plan.stop_at_failure};
  // Together they would find in the cache what the first of them left there.
  if (!is_cached(plan.tables.at(table).cache)) rounds.shortest = 0;
  if (plan.tables.at(table).task == task::commands) rounds.shortest = 0;
  return rounds;
}

std::string list_of_contenders(const bench_plan& plan) {
  std::string list;
  std::vector<task> tasks;
  std::vector<std::string> programs;
  for (const planned_table& table : plan.tables) {
    if (std::ranges::count(tasks, table.task) != 0) continue;
    tasks.push_back(table.task);
    list += fmt::format("{}: {}\n", name_of(table.task), description_of(table.task));
    for (const contender& one : table.contenders) {
      list += fmt::format("  {:<35} {}\n", one.id(), one.description);
      if (std::ranges::count(programs, one.program) == 0) programs.push_back(one.program);
    }
  }
  list += "programs:\n";
  for (const std::string& program : programs)
    list += fmt::format("  {:<16} {}\n", program, origin_of(program));
  return list;
}

bool planned_inputs::is_ready(const planned_table& table) const {
  return table.given || (!generated_.empty() && task_ == table.task && size_ == table.size);
}

const input& planned_inputs::of(const planned_table& table) {
  if (table.given) return *table.given;
  if (!is_ready(table)) {
    for (const input& each : std::exchange(generated_, {})) {
      for (const auto& file : each.files) std::filesystem::remove(file);
    }
    generated_ = make_inputs(table.task, table.size, directory_, interrupted_);
    task_ = table.task;
    size_ = table.size;
  }
  return generated_.at(table.which);
}

bench_plan plan_advice(const std::filesystem::path& file, const facts& known, cache_mode cache,
                       std::optional<double> seconds) {
  const bool compressed = decoding_of(file) != decoding::none;  // then the newlines of what it holds count
  planned_table table{.task = task::lines,
                      .given = take_files(task::lines, {file}),
                      .cache = cache,
                      .contenders = methods_of(known, compressed ? decoding::automatic : decoding::none)};
  table.given->bytes = std::min(table.given->bytes, most_measured);
  const double budget = seconds.value_or(seconds_needed(table.contenders.size(), table.given->bytes, cache));
  return {.tables = {std::move(table)}, .rounds = 1000, .budget = budget};
}

bench_plan plan_limits() {
  constexpr std::uint64_t larger_than_caches = std::uint64_t{256} << 20U;
  const std::uint64_t size =
      std::min(larger_than_caches, std::max(memory_available() / 16, larger_than_caches / 64));
  planned_table table{.task = task::gc, .size = size, .contenders = contenders_of(task::gc, {})};
  std::erase_if(table.contenders, [](const contender& each) { return each.role != role::limit; });
  return {.tables = {std::move(table)}, .budget = 3};
}

}  // namespace riffle::bench
