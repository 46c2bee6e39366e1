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
#include "bench/host/os/usage.hpp"
#include "bench/kernels/work.hpp"
#include "bench/measure/rounds.hpp"
#include "bench/measure/run.hpp"
#include "bench/stats/statistics.hpp"
#include "kernel/processor.hpp"
#include "text/joined.hpp"
#include "text/numbers.hpp"
#include "text/usage_error.hpp"

namespace riffle::bench {

namespace {

constexpr unsigned fewest_rounds = 8;       // which a 99 % interval takes
constexpr double shortest_sample = 0.0005;  // seconds: a sample of short data is several calls
constexpr double tolerance = 1.03;          // less is where code happens to lie

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

/// Runs a task on the data by each kernel for so many seconds; without a sample if a kernel before has its
/// walks. Throws std::runtime_error if two kernels give different answers.
std::vector<result> race(const kernel_work& work, const std::vector<kernel_pair>& kernels,
                         std::string_view data, double seconds) {
  std::vector<contender> contenders;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i != kernels.size(); ++i) {
    if (first_alike(work, kernels, i) != i) continue;
    const kernel_pair& by = kernels[i];
    places.push_back(i);
    contenders.push_back({.name = by.library.name,
                          .program = "riffle",
                          .role = role::riffle,
                          .description = {},
                          .run = [&work, &by, data](input_files) { return answer{work.run(by, data), 0}; }});
  }
  const round_options until_the_end{.rounds = std::numeric_limits<unsigned>::max(),
                                    .budget = seconds,
                                    .fewest = fewest_rounds,
                                    .precision = 0,
                                    .shortest = shortest_sample};
  const raced found = run_rounds(contenders, {}, until_the_end, {});
  std::vector<result> all(kernels.size());
  for (std::size_t i = 0; i != places.size(); ++i) {
    if (!found.results[i].reason.empty()) {
      throw std::runtime_error(
          fmt::format("{}, {}: {}", work.name, contenders[i].name, found.results[i].reason));
    }
    all[places[i]] = found.results[i];
  }
  return all;
}

constexpr std::array group_names{"places", "rows", "counts", "words", "UTF-8"};  // of a processor's row

/// A row of the table, and what the last lines and the saved row say of it.
struct verdicts {
  explicit verdicts(std::size_t kernels) { times_best.fill(std::vector<double>(kernels)); }

  std::size_t tasks = 0;
  std::vector<std::string> slower;  // "rows memory 1.41 (avx2_ahead)": times the time of the best kernel
  std::vector<std::string> saved;   // GB/s of the chosen kernel from memory
  // By group and kernel: times the time of the best, summed over the tasks of the group in each place.
  std::array<std::vector<double>, group_names.size() + 1> times_best;

  void add(const kernel_work& work, const place& where, const std::vector<kernel_pair>& kernels,
           const std::vector<result>& times, std::size_t active) {
    const std::size_t chosen = first_alike(work, kernels, active);
    const auto speed = [&](const result& of) {
      return of.samples.empty() ? 0 : static_cast<double>(where.size) / median(seconds_of(of.samples)) / 1e9;
    };
    const double most = speed(*std::ranges::max_element(times, {}, speed));
    std::string row = fmt::format("{:<19} {:<6}", work.name, where.name);
    std::pair<double, std::size_t> best{1, chosen};
    for (std::size_t i = 0; i != kernels.size(); ++i) {
      const result& alike = times[first_alike(work, kernels, i)];
      times_best.at(static_cast<std::size_t>(work.walks)).at(i) += most / speed(alike);
      row += times[i].samples.empty() ? fmt::format(" {:>12}", "")
                                      : fmt::format(" {:>11.2f}{}", speed(alike), i == chosen ? '*' : ' ');
      const difference beside = compare(alike.samples, times[chosen].samples);
      if (beside.certain && beside.ratio > std::max(best.first, tolerance)) best = {beside.ratio, i};
    }
    fmt::print("{}\n", row);
    std::fflush(stdout);
    ++tasks;
    if (best.second != chosen) {
      slower.push_back(fmt::format("{} {} {:.2f} ({})", work.name, where.name, best.first,
                                   kernels[best.second].library.name));
    }
    if (where.name == "memory") saved.push_back(fmt::format("{:.1f}", speed(times[chosen])));
  }

  /// For each group the kernel whose walks are best, and this one if it is within the tolerance: "places
  /// avx512_far, rows avx512, ...".
  std::string best_row(const std::vector<kernel_pair>& kernels, std::size_t active) const {
    std::vector<std::string> parts;
    for (std::size_t of = 0; of != group_names.size(); ++of) {
      const std::vector<double>& times = times_best.at(of);
      const auto best = std::ranges::min_element(times);
      const auto place = static_cast<std::size_t>(best - times.begin());
      const std::size_t named = times[active] <= tolerance * *best ? active : place;
      parts.push_back(fmt::format("{} {}", group_names.at(of), kernels[named].library.name));
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
  verdicts found(kernels.size());
  const double slice = given.seconds / static_cast<double>(places.size() * kernel_works().size());
  // As files are mapped and read: vectors from another place would cross lines of the cache.
  anonymous_memory pages({.huge_pages = true});
  std::pmr::vector<char> data(places.front().size, &pages);
  const kernel_work* made = nullptr;
  for (const kernel_work& work : kernel_works()) {
    if (made == nullptr || made->text != work.text) std::ranges::copy(work.text(data.size()), data.begin());
    made = &work;
    for (const place& where : places) {
      found.add(work, where, kernels, race(work, kernels, {data.data(), where.size}, slice), chosen);
    }
  }
  const std::string name = kernels[chosen].library.name;
  const std::string best = found.best_row(kernels, chosen);
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
