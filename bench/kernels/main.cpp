/// `./dev bench kernels`: races the SIMD kernels that this processor can run, and says whether riffle chose
/// well.
#include <fmt/core.h>
#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <exception>
#include <fstream>
#include <limits>
#include <map>
#include <memory_resource>
#include <riffle/anonymous_memory.hpp>
#include <riffle/detail/match_scan.hpp>
#include <riffle/detail/place_scan.hpp>
#include <riffle/kernels.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/host/machine.hpp"
#include "bench/judge/conclusions.hpp"
#include "bench/measure/run.hpp"
#include "bench/stats/statistics.hpp"
#include "cli/kernel/kernels.hpp"
#include "kernel/processor.hpp"
#include "text/shown.hpp"
#include "text/typed.hpp"

namespace riffle::bench {

namespace {

constexpr double tolerance = 1.03;  // less is where code happens to lie

/// Holds the SIMD kernels of one name.
struct kernel_pair {
  explicit kernel_pair(const kernel::table& of) : library(of), tool(cli::kernel::beside(of)) {}
  const kernel::table& library;
  const cli::kernel::table& tool;
};

/// The walks that a row of processors chooses together, as kernel/kernels.hpp groups them.
enum class group : std::uint8_t { places, rows, counts, words, utf8, others };
constexpr std::array group_names{"places", "rows", "counts", "words", "UTF-8"};  // of a processor's row

/// Whether two tables have the very walks of a group.
template <class Walks>
bool alike(const kernel::table& one, const kernel::table& other) {
  return static_cast<const Walks&>(one) == other;
}
constexpr bool (*same_walks[])(const kernel::table&, const kernel::table&) = {
    alike<kernel::place_walks>, alike<kernel::row_walks>,  alike<kernel::count_walks>,
    alike<kernel::word_walks>,  alike<kernel::utf8_walks>, alike<kernel::other_walks>};

/// One task, as riffle's own loops do it. What `run` returns is the same for every kernel.
struct kernel_work {
  const char* name;
  group walks;
  std::string (*text)(std::size_t size);
  std::uint64_t (*run)(const kernel_pair& by, std::string_view data);
};

using detail::batch_size;
constexpr std::size_t pattern = std::size_t{1} << 20U;  // repeated: random text takes long to make

/// Repeats what `add` adds to a text.
template <class Add>
std::string repeated(std::size_t size, Add add) {
  random_numbers random(1);
  std::string text;
  while (text.size() < std::min(size, pattern)) add(text, random);
  const std::size_t once = text.size();
  while (text.size() < size) text.append(text, 0, once);
  text.resize(size);
  return text;
}

template <std::size_t mean>
std::string lines(std::size_t size) {
  return repeated(size, [](std::string& text, random_numbers& random) {
    const std::size_t end = text.size() + mean - mean / 4 + random.below(mean / 2 + 1) - 1;
    while (text.size() < end) text.append(1 + random.below(9), 'a').append(1, ' ');
    text.resize(end);
    text += '\n';
  });
}

/// 12 columns, of which every third is quoted, with a delimiter, a newline or two quotes in some.
std::string csv(std::size_t size) {
  return repeated(size, [](std::string& text, random_numbers& random) {
    for (std::size_t column = 0; column < 12; ++column) {
      const std::string value(1 + random.below(14), static_cast<char>('a' + column));
      static constexpr std::string_view inside[] = {"", "", "", ",", "\n", "\"\""};
      text += column % 3 == 0 ? '"' + value + std::string(inside[random.below(6)]) + '"' : value;
      text += column == 11 ? '\n' : ',';
    }
  });
}

/// Short words, one letter in 16 of two bytes.
std::string foreign_words(std::size_t size) {
  return repeated(size, [](std::string& text, random_numbers& random) {
    const std::size_t letter = random.below(16);
    letter == 0 ? text += "\xC3\xA9" : text += "eacegimot h\n,.GT"[letter];
  });
}

/// Calls `take` with each batch of 4 KiB.
template <class Take>
void by_batches(std::string_view data, Take take) {
  for (std::size_t at = 0; at < data.size(); at += batch_size) take(data.substr(at, batch_size));
}

std::uint64_t find_lines(const kernel_pair& by, std::string_view data) {
  std::array<std::uint16_t, batch_size + detail::place_slack> places;
  std::uint64_t sum = 0;
  by_batches(data, [&](std::string_view batch) {
    const std::size_t found = by.library.match_delimiter(batch.data(), batch.size(), '\n', places.data());
    for (std::size_t i = 0; i != found; ++i) sum += static_cast<unsigned char>(batch[places[i] / 2]);
  });
  return sum;
}

std::uint64_t find_words(const kernel_pair& by, std::string_view data) {
  std::array<std::uint64_t, detail::batch_masks + 8> masks;
  std::uint64_t sum = 0;
  bool in_word = false;
  by_batches(data, [&](std::string_view batch) {
    std::uint64_t left = by.library.match_word_edges(batch.data(), batch.size(), in_word, masks.data());
    for (; left != 0; left &= left - 1) {
      for (std::uint64_t mask = masks[static_cast<std::size_t>(std::countr_zero(left))]; mask != 0;
           mask &= mask - 1) {
        sum = 31 * sum + static_cast<std::uint64_t>(std::countr_zero(mask));
      }
    }
  });
  return sum;
}

/// The lengths of the third field of each row, as `riffle::rows` finds it.
template <char quote>
std::uint64_t find_rows(const kernel_pair& by, std::string_view data) {
  std::array<std::uint64_t, batch_size + kernel::row_slack> ends;
  std::array<std::uint32_t, batch_size + kernel::row_slack> rows;
  constexpr kernel::row_bytes bytes{.field = ',', .row = '\n', .quote = quote};
  kernel::quote_state state;
  std::uint64_t sum = 0;
  std::uint64_t at = 0;
  by_batches(data, [&](std::string_view batch) {
    const char* const start = batch.data();
    const kernel::row_matches found =
        quote == '\0'
            ? by.library.match_rows(start, batch.size(), bytes, at, ends.data(), rows.data())
            : by.library.match_quoted_rows(start, batch.size(), bytes, state, at, ends.data(), rows.data());
    std::size_t first = 0;
    for (std::size_t i = 0; i != found.rows; first = rows[i++]) {
      if (rows[i] - first > 2) sum += ends[first + 2] - ends[first + 1] - 1;
    }
    at += batch.size();
  });
  return sum;
}

template <class T, auto function>
std::uint64_t sum_of(const kernel_pair& by, std::string_view data) {
  return (by.library.*function)(data.data(), data.size() / sizeof(T)).low;
}

std::uint64_t add_doubles(const kernel_pair& by, std::string_view data) {
  std::array<double, kernel::float_lanes> lanes{};
  by.library.add_f64(data.data(), data.size() / sizeof(double), lanes.data());
  return std::bit_cast<std::uint64_t>(lanes[0]);
}

std::uint64_t valid_utf8(const kernel_pair& by, std::string_view data) {
  return by.library.valid_utf8(data.data(), data.size()).characters;
}

/// Gives a function the whole data, what `more` return, and whether they start in a word, if it asks for it.
template <auto function, auto... more>
std::uint64_t whole(const kernel_pair& by, std::string_view data) {
  const auto call = by.library.*function;
  bool in_word = false;
  if constexpr (requires { call(data.data(), data.size(), more()..., in_word); })
    return call(data.data(), data.size(), more()..., in_word);
  else
    return call(data.data(), data.size(), more()...);
}

std::uint64_t least_and_most(const kernel_pair& by, std::string_view data) {
  const auto found = std::get<cli::kernel::min_max_kernel<std::int32_t>>(by.tool.min_max)(
      data.data(), data.size() / sizeof(std::int32_t));
  return std::bit_cast<std::uint32_t>(found.min) + std::uint64_t{std::bit_cast<std::uint32_t>(found.max)};
}

using kernels = kernel::table;
constexpr auto letters = [] { return byte_set("cCgG"); };
constexpr auto white = [] { return byte_set(" \n,"); };
constexpr auto white_of_utf8 = [] { return kernel::utf8_white_space{}; };
constexpr auto missing = [] {
  return kernel::plan(std::string_view("aa a\n\n"));
};  // as no line is empty; its bytes occur
constexpr auto narrow = [] {
  return kernel::column_bounds{kernel::plan(byte_set("abcdefghimot ,.GT")), true};
};

// Those of the same text stand side by side.
constexpr kernel_work works[] = {
    {"lines of 10 bytes", group::places, lines<10>, find_lines},
    {"lines of 4 KiB", group::places, lines<4096>, find_lines},
    {"lines of 67 bytes", group::places, lines<67>, find_lines},
    {"words", group::places, lines<67>, find_words},
    {"find a text", group::places, lines<67>, whole<&kernels::find_text, missing>},
    {"count a byte", group::counts, lines<67>, whole<&kernels::count_byte, [] { return '\n'; }>},
    {"count of a set", group::counts, lines<67>, whole<&kernels::count_set, letters>},
    {"sum of u8", group::counts, lines<67>, sum_of<std::uint8_t, &kernels::sum_u8>},
    {"sum of i32", group::counts, lines<67>, sum_of<std::int32_t, &kernels::sum_i32>},
    {"sum of u64", group::counts, lines<67>, sum_of<std::uint64_t, &kernels::sum_u64>},
    {"count words", group::words, lines<67>, whole<&kernels::count_words>},
    {"words of a set", group::words, lines<67>, whole<&kernels::count_words_of_set, white>},
    {"sum of doubles", group::others, lines<67>, add_doubles},
    {"least and most i32", group::others, lines<67>, least_and_most},
    {"rows", group::rows, csv, find_rows<'\0'>},
    {"quoted rows", group::rows, csv, find_rows<'"'>},
    {"UTF-8 characters", group::utf8, foreign_words, valid_utf8},
    {"UTF-8 words", group::utf8, foreign_words, whole<&kernels::count_words_utf8, white_of_utf8>},
    {"UTF-8 widest line", group::others, foreign_words,
     whole<&kernels::find_wide_line, narrow, [] { return 1000; }>}};

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
    for (const kernel_work& work : works) {
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
    while (
        !same_walks[static_cast<std::size_t>(work.walks)](kernels_[first].library, kernels_[which].library))
      ++first;
    return first;
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
                 if (made_ != work.text) std::ranges::copy(work.text(text_.size()), text_.begin());
                 made_ = work.text;
                 return std::nullopt;
               }});
    }
    return table;
  }

  void add(const task_report& table) {
    const kernel_work& work = works[tasks++ / places_.size()];
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
  std::pmr::vector<char> text_{places_.front().bytes, &pages_};
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
  std::string names = "date\tprocessor\tfamily and model\tcaches\tSIMD kernel";
  for (const kernel_work& work : works) names.append("\t").append(work.name);
  names += "\tbest row\ttimes the time of the best kernel, if over 1.03";
  const std::string caches = text::joined(cache_sizes(), ", ");
  const std::string saved = text::joined(found.saved, "\t");
  const std::string slower = text::joined(found.slower, "; ");
  const bool fresh = !std::ifstream(path).good();
  std::ofstream file(path, std::ios::app);
  if (fresh) file << names << '\n';
  file << fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n", date_now().substr(0, 10), processor_name(),
                      family_and_model(), caches, found.chosen(), saved, found.best_row(), slower);
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
  const std::string_view known = measured_processor();
  fmt::print("{} ({}), {}; chosen as measured on {}\nGB/s, medians; * is what riffle chooses\n\n",
             processor_name(), family_and_model(), text::joined(cache_sizes(), ", "),
             known.empty() ? "the newest of its vendor" : known);
  race.run(text::parse_seconds(options["--time"]));
  fmt::print("\nkernels: the best row is {}\n", race.best_row());
  if (!options["--save"].empty()) save(options["--save"], race);
  fmt::print("kernels: {} takes over 1.03 times the time of the best in {} of {} rows{}{}\n", race.chosen(),
             race.slower.size(), race.tasks, race.slower.empty() ? "" : ": ",
             text::joined(race.slower, ", "));
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
