/// riffle itself, as its users would write each task: by the automatic
/// choice and by each method, with one thread and with several.
#include <cstring>
#include <riffle/blocks.hpp>
#include <riffle/lines.hpp>
#include <riffle/methods.hpp>
#include <riffle/parallel.hpp>
#include <riffle/reader.hpp>
#include <riffle/scan.hpp>
#include <riffle/sum.hpp>
#include <riffle/values.hpp>
#include <riffle/words.hpp>

#include "bench/contenders/raw_input.hpp"
#include "bench/contenders/registry.hpp"
#include "bench/contenders/riffle_code.hpp"
#include "bench/contenders/scans.hpp"

namespace riffle::bench {

namespace {

using std::filesystem::path;
using way = answer (*)(const path&, const read_options&);
using shared_way = answer (*)(const path&, const read_options&, unsigned threads);

answer gc(const path& file, const read_options& reading) {
  answer total;
  for (const block part : blocks(file, reading)) total.count += count_any_of(part.bytes, "cCgG");
  return total;
}

answer lines_for_each(const path& file, const read_options& reading) {
  answer total;
  for_each(lines(file, reading), [&](std::string_view line) { total += {1, line.size()}; });
  return total;
}

answer lines_range(const path& file, const read_options& reading) {
  answer total;
  for (const std::string_view line : lines(file, reading)) total += {1, line.size()};
  return total;
}

answer word_starts(const path& file, const read_options& reading) {
  answer total;
  bool in_word = false;
  for (const block part : blocks(file, reading)) {
    total.count += count_words(part.bytes, in_word);
    in_word = !white_space.contains(part.bytes.back());
  }
  return total;
}

answer words_range(const path& file, const read_options& reading) {
  answer total;
  for ([[maybe_unused]] const std::string_view word : words(file, reading)) ++total.count;
  return total;
}

answer arrays(const path& file, const read_options& reading) {
  answer total;
  for (reader in(file, reading); !in.at_end();) {
    const auto length = in.get<std::int32_t>();
    total += {1, weigh(in.take<std::int32_t>(length))};
  }
  return total;
}

answer values_range(const path& file, const read_options& reading) {
  answer total;
  for (const std::uint64_t value : values<std::uint64_t>(file, reading)) total += {1, value};
  return total;
}

answer values_summed(const path& file, const read_options& reading) {
  std::uint64_t bytes = 0;
  summer<std::uint64_t> sum;
  for (const block part : blocks(file, reading)) {
    sum.add_bytes(part.bytes);
    bytes += part.bytes.size();
  }
  return {bytes / sizeof(std::uint64_t), sum.result()};
}

// riffle::summer refuses to overflow, where the task's sum is modulo 2^64.
std::optional<std::string> overflows(input_files files) {
  for (const path& file : files) {
    const whole_mapping values(file);
    std::uint64_t sum = 0;
    for (std::string_view rest = values.bytes(); rest.size() >= sizeof sum; rest.remove_prefix(sizeof sum)) {
      std::uint64_t value = 0;
      std::memcpy(&value, rest.data(), sizeof value);
      if (__builtin_add_overflow(sum, value, &sum))
        return "the sum does not fit 64 bits, which riffle::summer refuses";
    }
  }
  return std::nullopt;
}

// ---- the same by several threads, which share each file's splits

template <class Look>
answer shared(task which, const path& file, const read_options& reading, unsigned threads, Look look) {
  return parallel_reduce(file, answer{}, look, {}, splitting_of(which, threads), reading);
}

answer gc_shared(const path& file, const read_options& reading, unsigned threads) {
  return shared(task::gc, file, reading, threads,
                [](std::string_view split) { return answer{count_any_of(split, "cCgG"), 0}; });
}

answer lines_shared(const path& file, const read_options& reading, unsigned threads) {
  return shared(task::lines, file, reading, threads, [](std::string_view split) {
    answer total;
    for_each(lines(split), [&](std::string_view line) { total += {1, line.size()}; });
    return total;
  });
}

answer words_shared(const path& file, const read_options& reading, unsigned threads) {
  return shared(task::words, file, reading, threads,
                [](std::string_view split) { return answer{count_words(split), 0}; });
}

answer values_shared(const path& file, const read_options& reading, unsigned threads) {
  return shared(task::primes, file, reading, threads, [](std::string_view split) {
    summer<std::uint64_t> sum;
    sum.add_bytes(split);
    return answer{split.size() / sizeof(std::uint64_t), sum.result()};
  });
}

/// One form of a task. The main form is run by each method, the other by the automatic choice alone.
struct form {
  const char* suffix;  // of the name
  const char* description;
  way run;
  const char* code;  // what a user writes for it, on one line; options follow "(path"
  std::optional<std::string> (*unavailable)(input_files) = nullptr;
};

/// The main form by several threads.
struct shared_form {
  shared_way run;
  const char* code;  // the number of threads stands in place of 0; options come last
};

struct forms {
  form main;
  std::optional<form> other;
  std::optional<shared_form> by_threads;  // nothing: it cannot be split
};

forms forms_of(task which) {
  switch (which) {
    case task::gc:
      return {
          {"", "blocks, count_any_of", gc,
           "for (auto block : riffle::blocks(path)) count += riffle::count_any_of(block.bytes, \"cCgG\");"},
          std::nullopt,
          shared_form{gc_shared,
                      "count = riffle::parallel_reduce(path, std::uint64_t{0}, [](std::string_view split) { "
                      "return riffle::count_any_of(split, \"cCgG\"); }, std::plus<>(), "
                      "{.threads = 0, .delimiter = std::nullopt});"}};
    case task::lines:
      return {
          {"", "for_each over lines", lines_for_each,
           "riffle::for_each(riffle::lines(path), [&](std::string_view line) { sum += line.size(); });"},
          form{"-range-for", "range-for over lines", lines_range,
               "for (auto line : riffle::lines(path)) sum += line.size();"},
          shared_form{lines_shared,
                      "sum = riffle::parallel_reduce(path, std::uint64_t{0}, [](std::string_view split) { "
                      "std::uint64_t lengths = 0; riffle::for_each(riffle::lines(split), "
                      "[&](std::string_view line) { lengths += line.size(); }); return lengths; }, "
                      "std::plus<>(), {.threads = 0});"}};
    case task::words:
      return {
          {"", "blocks, count_words", word_starts,
           "for (auto block : riffle::blocks(path)) { count += riffle::count_words(block.bytes, in_word); "
           "in_word = !riffle::white_space.contains(block.bytes.back()); }"},
          form{"-range-for", "range-for over words", words_range,
               "for ([[maybe_unused]] auto word : riffle::words(path)) ++count;"},
          shared_form{words_shared,
                      "count = riffle::parallel_reduce(path, std::uint64_t{0}, [](std::string_view split) { "
                      "return riffle::count_words(split); }, std::plus<>(), {.threads = 0});"}};
    case task::ints:
      return {{"", "reader: get, take", arrays,
               "for (riffle::reader in(path); !in.at_end();) { const auto length = in.get<std::int32_t>(); "
               "sum += weigh(in.take<std::int32_t>(length)); }"},
              std::nullopt,
              std::nullopt};
    case task::primes:
      return {
          {"", "blocks, summer", values_summed,
           "riffle::summer<std::uint64_t> total; for (auto block : riffle::blocks(path)) "
           "total.add_bytes(block.bytes);",
           overflows},
          form{"-range-for", "range-for over values", values_range,
               "for (auto value : riffle::values<std::uint64_t>(path)) sum += value;"},
          shared_form{values_shared,
                      "sum = riffle::parallel_reduce(path, std::uint64_t{0}, [](std::string_view split) { "
                      "riffle::summer<std::uint64_t> total; total.add_bytes(split); return total.result(); "
                      "}, std::plus<>(), {.threads = 0, .delimiter = std::nullopt, .record_size = 8});"}};
  }
  return {};
}

// What can be varied of one row.
struct variant {
  std::string_view method_name;
  read_options reading;
  unsigned threads = 1;
};

// The reason why a method cannot be used here is asked for when the rounds begin.
contender row_of(task which, const form& each, shared_way by_threads, const variant& how) {
  contender row{.task = which,
                .name = std::string(how.method_name) + each.suffix,
                .program = "riffle",
                .role = role::riffle,
                .method = contender_method_of(how.reading.method),
                .description = each.description,
                .run = {},
                .block_size = how.reading.block_size,
                .threads = how.threads};
  if (how.threads == 1) {
    row.run =
        each_file([run = each.run, reading = how.reading](const path& file) { return run(file, reading); });
  } else {
    row.run = each_file([=](const path& file) { return by_threads(file, how.reading, how.threads); });
  }
  const method_info* const info = find_method(how.reading.method);
  row.unavailable = [info, of_form = each.unavailable](input_files files) {
    std::optional<std::string> reason = info != nullptr ? info->unavailable() : std::nullopt;
    if (!reason && of_form != nullptr) reason = of_form(files);
    return reason;
  };
  return row;
}

void add_method(task which, method id, std::string_view name, const contender_options& options,
                std::vector<contender>& to) {
  const forms all = forms_of(which);
  std::vector<std::size_t> block_sizes = options.block_sizes;
  if (block_sizes.empty()) block_sizes.push_back(options.reading.block_size);
  for (const unsigned threads : options.threads) {
    if (threads != 1 && !all.by_threads) continue;
    for (const std::size_t block_size : block_sizes) {
      variant how{name, options.reading, threads};
      how.reading.method = id;
      how.reading.block_size = block_size;
      to.push_back(row_of(which, all.main, all.by_threads ? all.by_threads->run : nullptr, how));
      if (id == method::automatic && all.other && threads == 1) {
        to.push_back(row_of(which, *all.other, nullptr, how));
      }
    }
  }
}

}  // namespace

void add_riffle(task which, const contender_options& options, std::vector<contender>& to) {
  const method wanted = options.reading.method;
  if (wanted == method::automatic) add_method(which, method::automatic, "automatic", options, to);
  for (const method_info& row : methods()) {
    if (wanted != method::automatic && wanted != row.id) continue;
    add_method(which, row.id, row.name, options, to);
  }
}

std::string code_of(task which, std::string_view name, contender_method method, unsigned threads,
                    std::string_view options) {
  const forms all = forms_of(which);
  const std::string_view comma = options.empty() ? "" : ", ";
  if (threads != 1 && all.by_threads) {
    constexpr std::string_view number = ".threads = 0";
    std::string code = all.by_threads->code;
    code.insert(code.rfind(')'), std::string(comma).append(options));
    return code.replace(code.find(number) + number.size() - 1, 1, std::to_string(threads));
  }
  constexpr std::string_view argument = "(path";
  const bool other = all.other && name == std::string(name_of(method)) + all.other->suffix;
  std::string code = other ? all.other->code : all.main.code;
  return code.insert(code.find(argument) + argument.size(), std::string(comma).append(options));
}

}  // namespace riffle::bench
