/// `./dev bench kernels`: races the SIMD kernels that this processor can run, and says whether riffle chose
/// well.
#include <fmt/core.h>
#include <riffle/anonymous_memory.hpp>
#include <riffle/error.hpp>
#include <riffle/kernels.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <fstream>
#include <limits>
#include <memory_resource>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/host/os/machine.hpp"
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

struct place {
  std::string name;
  std::size_t size;
};

/// A part of the second-level and of the third-level cache, and memory beyond the latter.
std::vector<place> places_here() {
  std::size_t second = text::mib;
  std::size_t third = 32 * text::mib;
  for (const std::string& cache : os::cache_sizes()) {
    const double number = std::stod(cache.substr(cache.find(' ')));
    const auto unit = static_cast<double>(cache.ends_with("MiB") ? text::mib : text::kib);
    const auto size = static_cast<std::size_t>(number * unit);
    if (cache.starts_with("L2 ")) second = size;
    if (cache.starts_with("L3 ")) third = size;
  }
  return {{"memory", std::clamp(4 * third, 64 * text::mib, 256 * text::mib)},
          {"L3", std::max(third / 4, 2 * second)},
          {"L2", second / 3}};
}

/// Returns the first kernel that has the walks of this one for a task.
std::size_t first_alike(const kernel_work& work, const std::vector<kernel_pair>& kernels, std::size_t which) {
  for (std::size_t i = 0; i != which; ++i) {
    if (same_walks(work.walks, kernels[i], kernels[which])) return i;
  }
  return which;
}

/// The text of the tasks, as large as the largest place.
class text_in_memory {
 public:
  explicit text_in_memory(std::size_t size) : data_(size, &pages_) {}
  void make(const kernel_work& work) {
    if (made_ != work.text) std::ranges::copy(work.text(data_.size()), data_.begin());
    made_ = work.text;
  }
  std::string_view first(std::size_t size) const { return {data_.data(), size}; }

 private:
  // As files are mapped and read: vectors from another place would cross lines of the cache.
  anonymous_memory pages_{{.huge_pages = true}};
  std::pmr::vector<char> data_;
  std::string (*made_)(std::size_t) = nullptr;
};

/// A table for each task in each place. Kernels with the walks of another one before have no contender.
bench_plan plan_of(const std::vector<kernel_pair>& kernels, const std::vector<place>& places,
                   text_in_memory& text, double seconds) {
  bench_plan plan{.title = "SIMD kernels", .rounds = std::numeric_limits<unsigned>::max(), .budget = seconds};
  for (const kernel_work& work : kernel_works()) {
    for (const place& where : places) {
      planned_table table{.name = work.name, .given = input{where.name, {}, where.size, true}};
      for (std::size_t i = 0; i != kernels.size(); ++i) {
        if (first_alike(work, kernels, i) != i) continue;
        const auto run = [&work, &by = kernels[i], &text, size = where.size](input_files) {
          return answer{work.run(by, text.first(size)), 0};
        };
        const auto make_text = [&work, &text](input_files) {
          text.make(work);
          return std::nullopt;
        };
        table.contenders.push_back({.name = kernels[i].library.name,
                                    .program = "riffle",
                                    .role = role::riffle,
                                    .description = {},
                                    .run = run,
                                    .unavailable = make_text});
      }
      plan.tables.push_back(std::move(table));
    }
  }
  return plan;
}

constexpr std::array group_names{"places", "rows", "counts", "words", "UTF-8"};  // of a processor's row

/// What the tables amount to, and each as a row.
struct verdicts {
  explicit verdicts(const std::vector<kernel_pair>& all, std::size_t active) : kernels(all), chosen(active) {
    times_best.fill(std::vector<double>(all.size()));
  }

  const std::vector<kernel_pair>& kernels;
  std::size_t chosen;
  std::size_t tasks = 0;
  std::vector<std::string> slower;  // "rows memory 1.41 (avx2_ahead)": times the time of the best kernel
  std::vector<std::string> saved;   // GB/s of the chosen kernel from memory
  // By group and kernel: times the time of the best, summed over the tasks of the group in each place.
  std::array<std::vector<double>, group_names.size() + 1> times_best;

  void add(const kernel_work& work, const task_report& table) {
    const auto line_of = [&](std::size_t kernel) {
      const char* const name = kernels[first_alike(work, kernels, kernel)].library.name;
      return std::ranges::find(table.lines, name, &measurement::name) - table.lines.begin();
    };
    const auto speed = [&](std::size_t kernel) { return gb_per_s(table, table.lines.at(line_of(kernel))); };
    std::string row = fmt::format("{:<19} {:<6}", work.name, table.input);
    for (std::size_t i = 0; i != kernels.size(); ++i) {
      times_best.at(static_cast<std::size_t>(work.walks)).at(i) += gb_per_s(table, table.lines[0]) / speed(i);
      const bool active = i == first_alike(work, kernels, chosen);
      row += first_alike(work, kernels, i) != i ? fmt::format(" {:>12}", "")
                                                : fmt::format(" {:>11.2f}{}", speed(i), active ? '*' : ' ');
    }
    fmt::print("{}\n", row);
    std::fflush(stdout);
    ++tasks;
    const auto beside = judge_table(table).standings.at(line_of(chosen)).against_fastest;
    if (beside && beside->certain && beside->ratio > tolerance)
      slower.push_back(
          fmt::format("{} {} {:.2f} ({})", work.name, table.input, beside->ratio, table.lines[0].name));
    if (table.input == "memory") saved.push_back(fmt::format("{:.1f}", speed(chosen)));
  }

  /// For each group the kernel whose walks are best, and this one if it is within the tolerance: "places
  /// avx512_far, rows avx512, ...".
  std::string best_row() const {
    std::vector<std::string> parts;
    for (std::size_t of = 0; of != group_names.size(); ++of) {
      const std::vector<double>& times = times_best.at(of);
      const auto best = std::ranges::min_element(times);
      const auto named = times[chosen] <= tolerance * *best ? times.begin() + chosen : best;
      parts.push_back(fmt::format("{} {}", group_names.at(of), kernels[named - times.begin()].library.name));
    }
    return text::joined(parts, ", ");
  }
};

struct options {
  double seconds = 50;
  std::string save;  // the file that gets one more row
};

options parsed(int count, char** arguments) {
  options given;
  for (int i = 1; i + 1 < count; i += 2) {
    const std::string_view name = arguments[i];
    if (name == "--time") {
      given.seconds = text::parse_seconds(arguments[i + 1]);
    } else if (name == "--save") {
      given.save = arguments[i + 1];
    } else {
      throw text::usage_error(fmt::format("unknown option '{}'; use --time or --save", name));
    }
  }
  if (count % 2 == 0) throw text::usage_error("usage: riffle-kernels [--time SECONDS] [--save FILE]");
  return given;
}

std::string family_and_model() {
  const kernel::processor here = kernel::this_processor();
  return here.family == 0 ? "" : fmt::format("{:#x} {:#x}", here.family, here.model);
}

/// Adds a row to a file of values between tabs, which site/results.py makes a table of.
void save(const std::string& path, const std::string& chosen, const std::string& best,
          const verdicts& found) {
  const bool fresh = !std::ifstream(path).good();
  std::ofstream file(path, std::ios::app);
  std::vector<std::string> names{"date", "processor", "family and model", "caches", "SIMD kernel"};
  std::vector<std::string> values{date_now().substr(0, 10), os::processor_name(), family_and_model(),
                                  text::joined(os::cache_sizes(), ", "), chosen};
  for (const kernel_work& work : kernel_works()) names.emplace_back(work.name);
  values.insert(values.end(), found.saved.begin(), found.saved.end());
  names.emplace_back("best row");
  values.push_back(best);
  names.emplace_back("times the time of the best kernel, if over 1.03");
  values.push_back(text::joined(found.slower, "; "));
  if (fresh) file << text::joined(names, "\t") << '\n';
  file << text::joined(values, "\t") << '\n';
  if (!file.flush()) throw std::runtime_error("cannot write '" + path + "'");
}

int run(const options& given) {
  std::vector<kernel_pair> kernels;
  for (const kernel::table* const table : kernel::available()) {
    if (table != &kernel::scalar()) kernels.emplace_back(*table);
  }
  if (kernels.empty()) {
    fmt::print("kernels: this processor has no SIMD kernel, so riffle chooses scalar\n");
    return 0;
  }
  std::size_t chosen = 0;  // the first is the best, unless RIFFLE_KERNEL names another
  for (std::size_t i = 0; i != kernels.size(); ++i) {
    if (&kernels[i].library == &kernel::asked_for()) chosen = i;
  }
  const std::vector<place> places = places_here();
  const std::string_view measured = measured_processor();
  fmt::print("{} ({}), {}; chosen as measured on {}\nGB/s, medians; * is what riffle chooses\n\n{:<26}",
             os::processor_name(), family_and_model(), text::joined(os::cache_sizes(), ", "),
             measured.empty() ? "the newest of its vendor" : measured, "");
  for (const kernel_pair& each : kernels) fmt::print(" {:>12}", each.library.name);
  fmt::print("\n");
  text_in_memory text(places.front().size);
  verdicts found(kernels, chosen);
  surroundings outside{.rounds = {}};
  outside.measured = [&](const report& so_far) {
    found.add(kernel_works()[found.tasks / places.size()], so_far.tasks.back());
  };
  const report all = run_bench(plan_of(kernels, places, text, given.seconds), outside);
  const std::vector<std::string> failures = failures_of(all);
  if (!failures.empty()) throw std::runtime_error(text::joined(failures, "; "));
  if (!all.complete) throw std::runtime_error(all.stopped_by);
  const std::string name = kernels[chosen].library.name;
  const std::string best = found.best_row();
  fmt::print("\nkernels: the best row is {}\n", best);
  if (!given.save.empty()) save(given.save, name, best, found);
  if (found.slower.empty()) {
    fmt::print("kernels: {} takes at most 1.03 times the time of the best in all of {} rows\n", name,
               found.tasks);
  } else {
    fmt::print("kernels: {} takes over 1.03 times the time of the best in {} of {} rows: {}\n", name,
               found.slower.size(), found.tasks, text::joined(found.slower, ", "));
  }
  return 0;
}

}  // namespace

}  // namespace riffle::bench

int main(int count, char** arguments) try {
  return riffle::bench::run(riffle::bench::parsed(count, arguments));
} catch (const std::exception& failure) {
  fmt::print(stderr, "riffle-kernels: {}\n", failure.what());
  return 2;
}
