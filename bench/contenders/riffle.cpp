/// Calls every program for its contenders; riffle's own stand here.
#include "bench/contenders/registry.hpp"

#include <fnmatch.h>
#include <riffle/count.hpp>
#include <riffle/error.hpp>
#include <riffle/lines.hpp>
#include <riffle/methods.hpp>
#include <riffle/reader.hpp>
#include <riffle/values.hpp>
#include <riffle/words.hpp>

#include <algorithm>

#include "bench/contenders/published.hpp"
#include "method/active_method.hpp"
#include "text/typed.hpp"

namespace riffle::bench {

namespace {

// The other tasks know the number of their values by the size of the file.
bool is_of_text(task which) {
  return which == task::gc || which == task::lines || which == task::words;
}

using std::filesystem::path;
using text::kib;
using text::mib;
using way = answer (*)(const path&, const read_options&, unsigned threads);

// Several threads share each file's splits.
answer gc(const path& file, const read_options& reading, unsigned threads) {
  return {count_any_of(file, "cCgG", {.threads = threads}, reading), 0};
}

template <class Range>
answer lengths_of(Range&& range) {
  answer total;
  for_each(range, [&](std::string_view line) { total += {1, line.size()}; });
  return total;
}

answer lines_for_each(const path& file, const read_options& reading, unsigned threads) {
  if (threads == 1) return lengths_of(lines(file, reading));
  const auto look = [](std::string_view split) { return lengths_of(lines(memory(split))); };
  return parallel_reduce(file, answer{}, look, {}, {.threads = threads}, reading);
}

answer lines_range(const path& file, const read_options& reading, unsigned /*one*/) {
  answer total;
  for (const std::string_view line : lines(file, reading)) total += {1, line.size()};
  return total;
}

answer word_starts(const path& file, const read_options& reading, unsigned threads) {
  return {count_words(file, {.threads = threads}, reading), 0};
}

answer words_range(const path& file, const read_options& reading, unsigned /*one*/) {
  answer total;
  for ([[maybe_unused]] const std::string_view word : words(file, reading)) ++total.count;
  return total;
}

answer arrays(const path& file, const read_options& reading, unsigned /*one*/) {
  answer total;
  for (reader in(file, reading); !in.at_end();) {
    const auto length = in.get<std::int32_t>();
    total += {1, weigh(in.take<std::int32_t>(length))};
  }
  return total;
}

answer values_range(const path& file, const read_options& reading, unsigned /*one*/) {
  answer total;
  for (const std::uint64_t value : values<std::uint64_t>(file, reading)) total += {1, value};
  return total;
}

answer values_summed(const path& file, const read_options& reading, unsigned threads) {
  return {file_size(file) / sizeof(std::uint64_t), sum<std::uint64_t>(file, {.threads = threads}, reading)};
}

// riffle::sum throws if it overflows, but the task's sum is modulo 2^64.
std::optional<std::string> overflows(input_files files) {
  try {
    for (const path& file : files) static_cast<void>(sum<std::uint64_t>(file));
  } catch (const error& refused) {  // of another kind: the run says so
    if (refused.code() == errc::sum_overflow)
      return "the sum does not fit 64 bits, which riffle::sum refuses";
  }
  return std::nullopt;
}

/// One form of a task. The main form is run by each method, the other by the automatic choice alone.
struct form {
  const char* suffix;  // of the name
  const char* description;
  way run;
  const char* code;  // what a user writes for it, on one line; '@' stands where options go
  const char* before_options = ", ";
  std::optional<std::string> (*unavailable)(input_files) = nullptr;
};

struct forms {
  form main;
  std::optional<form> other;
  // What a user writes for the main form by several threads, whose number stands in place of 0; null: it
  // cannot be split.
  const char* by_threads = nullptr;
};

forms forms_of(task which) {
  switch (which) {
    case task::commands:
      break;
    case task::gc:
      return {{"", "count_any_of", gc, "count = riffle::count_any_of(path, \"cCgG\"@);", ", {}, "},
              std::nullopt,
              "count = riffle::count_any_of(path, \"cCgG\", {.threads = 0}@);"};
    case task::lines:
      return {{"", "for_each over lines", lines_for_each,
               "riffle::for_each(riffle::lines(path@), [&](std::string_view line) { sum += line.size(); });"},
              form{"-range-for", "range-for over lines", lines_range,
                   "for (auto line : riffle::lines(path@)) sum += line.size();"},
              "sum = riffle::parallel_reduce(path, std::uint64_t{0}, [](std::string_view split) { "
              "std::uint64_t lengths = 0; riffle::for_each(riffle::lines(riffle::memory(split)), "
              "[&](std::string_view line) { lengths += line.size(); }); return lengths; }, "
              "std::plus<>(), {.threads = 0}@);"};
    case task::words:
      return {{"", "count_words", word_starts, "count = riffle::count_words(path@);", ", {}, "},
              form{"-range-for", "range-for over words", words_range,
                   "for ([[maybe_unused]] auto word : riffle::words(path@)) ++count;"},
              "count = riffle::count_words(path, {.threads = 0}@);"};
    case task::ints:
      return {{"", "reader: get, take", arrays,
               "for (riffle::reader in(path@); !in.at_end();) { const auto length = in.get<std::int32_t>(); "
               "sum += weigh(in.take<std::int32_t>(length)); }"},
              std::nullopt};
    case task::primes:
      return {{"", "sum", values_summed, "sum = riffle::sum<std::uint64_t>(path@);", ", {}, ", overflows},
              form{"-range-for", "range-for over values", values_range,
                   "for (auto value : riffle::values<std::uint64_t>(path@)) sum += value;"},
              "sum = riffle::sum<std::uint64_t>(path, {.threads = 0}@);"};
  }
  return {};
}

// The rounds ask at their start why a method cannot be used here.
contender row_of(task which, const form& each, const std::string& name, const read_options& reading,
                 unsigned threads = 1) {
  return {.task = which,
          .name = name + each.suffix,
          .program = "riffle",
          .role = role::riffle,
          .method = std::string(name_of(reading.method)),
          .description = each.description,
          .run = each_file([=, run = each.run](const path& file) { return run(file, reading, threads); }),
          .unavailable =
              [by = reading.method, of_form = each.unavailable](input_files files) {
                std::optional<std::string> reason = info_of(by).unavailable();
                if (!reason && of_form != nullptr) reason = of_form(files);
                return reason;
              },
          .block_size = reading.block_size,
          .queue_depth = reading.queue_depth,
          .threads = threads};
}

void add_method(task which, method id, const contender_options& options, std::vector<contender>& to) {
  const forms all = forms_of(which);
  read_options reading = options.reading;
  reading.method = id;
  const std::string name(name_of(id));
  const std::vector<std::size_t> own{reading.block_size};
  for (const unsigned threads : options.threads) {
    if (threads != 1 && all.by_threads == nullptr) continue;
    for (const std::size_t block_size : options.block_sizes.empty() ? own : options.block_sizes) {
      reading.block_size = block_size;
      to.push_back(row_of(which, all.main, name, reading, threads));
      if (id == method::automatic && all.other && threads == 1)
        to.push_back(row_of(which, *all.other, name, reading));
    }
  }
}

// Depths of the methods that have a queue, for storage that serves many requests at once. Without a size of
// blocks, that is the method's own.
constexpr std::array<read_options, 7> deep{
    {{.method = method::uring, .queue_depth = 1},
     {.method = method::uring, .queue_depth = 8},
     {.method = method::uring, .queue_depth = 32},
     {.method = method::uring, .queue_depth = 128},
     {.method = method::direct, .block_size = mib, .queue_depth = 8},
     {.method = method::direct, .block_size = mib, .queue_depth = 32},
     {.method = method::direct, .block_size = 256 * kib, .queue_depth = 128}}};

// One thread reads each. None of them if the user says how to read.
void add_depths(task which, const contender_options& options, std::vector<contender>& to) {
  const read_options& given = options.reading;
  if (std::ranges::count(options.threads, 1U) == 0) return;
  if (given.queue_depth != 0 || given.block_size != 0 || !options.block_sizes.empty()) return;
  for (const read_options& each : deep) {
    if (given.method != method::automatic && given.method != each.method) continue;
    read_options reading = given;
    reading.method = each.method;
    reading.block_size = each.block_size;
    reading.queue_depth = each.queue_depth;
    const std::string depth = std::to_string(each.queue_depth);
    to.push_back(
        row_of(which, forms_of(which).main, std::string(name_of(each.method)) + "-" + depth, reading));
    to.back().description += ", " + depth + " in flight";
    to.back().for_storage = true;
  }
}

}  // namespace

std::vector<contender> contenders_of(task which, const contender_options& options) {
  std::vector<contender> all;
  if (options.reading.decode != decoding::none && is_of_text(which)) {
    add_decoded(which, options, all);
    return all;
  }
  add_limit(which, options, all);
  if (which == task::commands) {
    add_commands(options, all);
    return all;
  }
  add_riffle(which, options, all);
  add_text_programs(which, all);
  add_readahead(which, all);
  add_value_programs(which, all);
  add_processes(which, all);
  return all;
}

void add_rows(task which, std::string_view program, std::span<const contender_row> rows,
              std::vector<contender>& to, bool for_storage) {
  for (const contender_row& each : rows) {
    to.push_back({.task = which,
                  .name = each.name,
                  .program = std::string(program),
                  .method = std::string(name_of(each.method)),
                  .description = each.description,
                  .run = each_file(each.one),
                  .unavailable = each.unavailable,
                  .block_size = each.block_size,
                  .for_storage = for_storage});
  }
}

bool matches_glob(const std::string& glob, const std::string& text) {
  return fnmatch(glob.c_str(), text.c_str(), FNM_NOESCAPE) == 0;
}

void add_riffle(task which, const contender_options& options, std::vector<contender>& to) {
  const method wanted = options.reading.method;
  if (wanted == method::automatic) add_method(which, method::automatic, options, to);
  for (const method_info& row : methods()) {
    if (wanted == method::automatic || wanted == row.id) add_method(which, row.id, options, to);
  }
  add_depths(which, options, to);
}

std::string code_of(task which, std::string_view name, std::string_view method, unsigned threads,
                    std::string_view options) {
  const forms all = forms_of(which);
  const bool split = threads != 1 && all.by_threads != nullptr;
  const bool other = all.other && name == std::string(method) + all.other->suffix;
  const form& shown = other ? *all.other : all.main;
  std::string code = split ? all.by_threads : shown.code;
  std::string before = split ? ", " : shown.before_options;
  code.replace(code.find('@'), 1, options.empty() ? "" : before.append(options));
  constexpr std::string_view number = ".threads = 0";
  if (split) code.replace(code.find(number) + number.size() - 1, 1, std::to_string(threads));
  return code;
}

}  // namespace riffle::bench
