/// `./dev bench kernels`: races the SIMD kernels that this processor can run, and says whether riffle chose
/// well.
#include <fmt/core.h>
#include <riffle/anonymous_memory.hpp>
#include <riffle/kernels.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <fstream>
#include <limits>
#include <map>
#include <memory_resource>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/host/machine.hpp"
#include "bench/judge/conclusions.hpp"
#include "bench/kernels/work.hpp"
#include "bench/measure/run.hpp"
#include "kernel/processor.hpp"
#include "text/joined.hpp"
#include "text/numbers.hpp"
#include "text/usage_error.hpp"

namespace riffle::bench {

namespace {

constexpr double tolerance = 1.03;  // less is where code happens to lie
constexpr std::array group_names{"places", "rows", "counts", "words", "UTF-8"};  // of a processor's row

/// A part of the second-level and of the third-level cache, and memory beyond the latter.
std::vector<input> places_here() {
  const auto cache = [](std::string_view level, std::size_t otherwise) {  // "L2 1 MiB"
    for (const std::string& each : cache_sizes()) {
      const auto unit = static_cast<double>(each.ends_with("MiB") ? text::mib : text::kib);
      if (each.starts_with(level)) return static_cast<std::size_t>(std::stod(each.substr(3)) * unit);
    }
    return otherwise;
  };
  const std::size_t second = cache("L2 ", text::mib);
  const std::size_t third = cache("L3 ", 32 * text::mib);
  return {{"memory", {}, std::clamp(4 * third, 64 * text::mib, 256 * text::mib)},
          {"L3", {}, std::max(third / 4, 2 * second)},
          {"L2", {}, second / 3}};
}

/// The contenders are kernels; there is a table for each task in each place.
class kernel_race {
 public:
  kernel_race() {
    for (const kernel::table* const table : kernel::available()) {
      if (table == &kernel::scalar()) continue;
      if (table == &kernel::asked_for()) chosen_ = kernels_.size();  // else the first, which is the best
      kernels_.emplace_back(*table);
    }
    times_best_.fill(std::vector<double>(kernels_.size()));
  }

  bool empty() const { return kernels_.empty(); }
  std::string name_of(std::size_t kernel) const { return kernels_[kernel].library.name; }
  std::string chosen() const { return name_of(chosen_); }

  void run(double seconds) {
    bench_plan plan{.rounds = std::numeric_limits<unsigned>::max(), .budget = seconds};
    for (const kernel_work& work : kernel_works()) {
      for (const input& where : places_) plan.tables.push_back(table_of(work, where));
    }
    fmt::print("{:<26}", "");
    for (std::size_t i = 0; i != kernels_.size(); ++i) fmt::print(" {:>12}", name_of(i));
    fmt::print("\n");
    surroundings outside{.rounds = {}};
    outside.measured = [this](const report& so_far) { add(so_far.tasks.back()); };
    const report all = run_bench(plan, outside);
    const std::vector<std::string> failures = failures_of(all);
    if (!all.complete || !failures.empty())
      throw std::runtime_error(all.complete ? text::joined(failures, "; ") : all.stopped_by);
  }

  /// For each group the kernel whose walks are best, and the chosen one if it is within the tolerance:
  /// "places avx512_far, rows avx512, ...".
  std::string best_row() const {
    std::vector<std::string> parts;
    for (std::size_t of = 0; of != group_names.size(); ++of) {
      const std::vector<double>& times = times_best_.at(of);
      const auto best = static_cast<std::size_t>(std::ranges::min_element(times) - times.begin());
      const bool is_near = times[chosen_] <= tolerance * times[best];
      parts.push_back(fmt::format("{} {}", group_names.at(of), name_of(is_near ? chosen_ : best)));
    }
    return text::joined(parts, ", ");
  }

  std::size_t tasks = 0;
  std::vector<std::string> slower;  // "rows memory 1.41 (avx2_ahead)": times the time of the best kernel
  std::vector<std::string> saved;   // GB/s of the chosen kernel from memory

 private:
  /// The first kernel that has the walks of this one for a task: it runs for all that have them.
  std::size_t first_alike(const kernel_work& work, std::size_t which) const {
    std::size_t first = 0;
    while (!same_walks(work.walks, kernels_[first], kernels_[which])) ++first;
    return first;
  }

  void make_text(const kernel_work& work) {
    if (made_ != work.text) std::ranges::copy(work.text(text_.size()), text_.begin());
    made_ = work.text;
  }

  planned_table table_of(const kernel_work& work, const input& where) {
    planned_table table{.name = work.name, .given = where};
    for (std::size_t i = 0; i != kernels_.size(); ++i) {
      if (first_alike(work, i) != i) continue;
      table.contenders.push_back(
          {.name = name_of(i),
           .program = "riffle",
           .role = role::riffle,
           .description = {},
           .run = [this, &work, i, size = where.bytes](
                      input_files) { return answer{work.run(kernels_[i], {text_.data(), size}), 0}; },
           .unavailable =
               [this, &work](input_files) {
                 make_text(work);
                 return std::nullopt;
               }});
    }
    return table;
  }

  void add(const task_report& table) {
    const kernel_work& work = kernel_works()[tasks++ / places_.size()];
    const auto line_of = [&](std::size_t kernel) {
      return std::ranges::find(table.lines, name_of(first_alike(work, kernel)), &measurement::name);
    };
    const auto speed = [&](std::size_t kernel) { return gb_per_s(table, *line_of(kernel)); };
    const measurement& best = table.lines.front();
    std::string row = fmt::format("{:<19} {:<6}", work.name, table.input);
    for (std::size_t i = 0; i != kernels_.size(); ++i) {
      times_best_.at(static_cast<std::size_t>(work.walks)).at(i) += gb_per_s(table, best) / speed(i);
      row += first_alike(work, i) != i
                 ? fmt::format(" {:>12}", "")
                 : fmt::format(" {:>11.2f}{}", speed(i), first_alike(work, chosen_) == i ? '*' : ' ');
    }
    fmt::print("{}\n", row);
    std::fflush(stdout);
    const auto place = static_cast<std::size_t>(line_of(chosen_) - table.lines.begin());
    const auto beside = judge_table(table).standings.at(place).against_fastest;
    if (beside && beside->certain && beside->ratio > tolerance)
      slower.push_back(fmt::format("{} {} {:.2f} ({})", work.name, table.input, beside->ratio, best.name));
    if (table.input == "memory") saved.push_back(fmt::format("{:.1f}", speed(chosen_)));
  }

  std::vector<kernel_pair> kernels_;
  std::size_t chosen_ = 0;
  std::vector<input> places_ = places_here();
  // As files are mapped and read: vectors from another place would cross lines of the cache.
  anonymous_memory pages_{{.huge_pages = true}};
  std::pmr::vector<char> text_{places_.front().bytes,
                               &pages_};  // of the tasks, as large as the largest place
  std::string (*made_)(std::size_t) = nullptr;
  // By group and kernel: times the time of the best, summed over the tasks of the group in each place.
  std::array<std::vector<double>, group_names.size() + 1> times_best_;
};

std::string family_and_model() {
  const kernel::processor here = kernel::this_processor();
  return here.family == 0 ? "" : fmt::format("{:#x} {:#x}", here.family, here.model);
}

/// Adds a row to a file of values between tabs, which site/results.py makes a table of.
void save(const std::string& path, const kernel_race& found) {
  std::vector<std::string> names{"date", "processor", "family and model", "caches", "SIMD kernel"};
  for (const kernel_work& work : kernel_works()) names.emplace_back(work.name);
  for (const char* const name : {"best row", "times the time of the best kernel, if over 1.03"})
    names.emplace_back(name);
  std::vector<std::string> values{date_now().substr(0, 10), processor_name(), family_and_model(),
                                  text::joined(cache_sizes(), ", "), found.chosen()};
  values.insert(values.end(), found.saved.begin(), found.saved.end());
  values.insert(values.end(), {found.best_row(), text::joined(found.slower, "; ")});
  const bool fresh = !std::ifstream(path).good();
  std::ofstream file(path, std::ios::app);
  if (fresh) file << text::joined(names, "\t") << '\n';
  file << text::joined(values, "\t") << '\n';
  if (!file.flush()) throw std::runtime_error("cannot write '" + path + "'");
}

int run(int count, char** arguments) {
  std::map<std::string_view, std::string> options{{"--time", "50"}, {"--save", ""}};
  for (int i = 1; i < count; i += 2) {
    const auto named = options.find(arguments[i]);
    if (named == options.end() || i + 1 == count)
      throw text::usage_error("usage: riffle-kernels [--time SECONDS] [--save FILE]");
    named->second = arguments[i + 1];
  }
  kernel_race race;
  if (race.empty()) {
    fmt::print("kernels: this processor has no SIMD kernel, so riffle chooses scalar\n");
    return 0;
  }
  const std::string_view measured = measured_processor();
  fmt::print("{} ({}), {}; chosen as measured on {}\nGB/s, medians; * is what riffle chooses\n\n",
             processor_name(), family_and_model(), text::joined(cache_sizes(), ", "),
             measured.empty() ? "the newest of its vendor" : measured);
  race.run(text::parse_seconds(options["--time"]));
  fmt::print("\nkernels: the best row is {}\n", race.best_row());
  if (!options["--save"].empty()) save(options["--save"], race);
  const std::string all = race.slower.empty() ? "at most" : "over";
  fmt::print("kernels: {} takes {} 1.03 times the time of the best in {}\n", race.chosen(), all,
             race.slower.empty() ? fmt::format("all of {} rows", race.tasks)
                                 : fmt::format("{} of {} rows: {}", race.slower.size(), race.tasks,
                                               text::joined(race.slower, ", ")));
  return 0;
}

}  // namespace

}  // namespace riffle::bench

int main(int count, char** arguments) try {
  return riffle::bench::run(count, arguments);
} catch (const std::exception& failure) {
  fmt::print(stderr, "riffle-kernels: {}\n", failure.what());
  return 2;
}
