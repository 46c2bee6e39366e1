/// Why this file exists: riffle itself, as its users would write each task, by the automatic choice and by
/// each method.
#include <cstring>
#include <riffle/blocks.hpp>
#include <riffle/lines.hpp>
#include <riffle/methods.hpp>
#include <riffle/reader.hpp>
#include <riffle/scan.hpp>
#include <riffle/sum.hpp>
#include <riffle/values.hpp>
#include <riffle/words.hpp>

#include "contender.hpp"
#include "raw_input.hpp"
#include "scans.hpp"

namespace riffle::bench {

namespace {

using std::filesystem::path;
using way = answer (*)(const path&, const read_options&);

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

/// One form of a task. The main form is run by each method, the other by the automatic choice alone.
struct form {
  const char* suffix;  // of the name
  const char* description;
  way run;
  std::optional<std::string> (*unavailable)(input_files) = nullptr;
};

struct forms {
  form main;
  std::optional<form> other;
};

forms forms_of(task which) {
  switch (which) {
    case task::gc:
      return {{"", "blocks, count_any_of", gc}, std::nullopt};
    case task::lines:
      return {{"", "for_each over lines", lines_for_each},
              form{"-range-for", "range-for over lines", lines_range}};
    case task::words:
      return {{"", "blocks, count_words", word_starts},
              form{"-range-for", "range-for over words", words_range}};
    case task::ints:
      return {{"", "reader: get, take", arrays}, std::nullopt};
    case task::primes:
      return {{"", "blocks, summer", values_summed, overflows},
              form{"-range-for", "range-for over values", values_range}};
  }
  return {};
}

void add_form(task which, const form& each, std::string_view method, const read_options& reading,
              std::vector<contender>& to) {
  const way run = each.run;
  to.push_back({which, std::string(method) + each.suffix, "riffle", std::string(method), each.description,
                each_file([run, reading](const path& file) { return run(file, reading); })});
  if (each.unavailable != nullptr) to.back().unavailable = each.unavailable;
}

// The reason why a method cannot be used here, asked for when the rounds begin.
void add_method(task which, const form& each, const method_info& row, read_options reading,
                std::vector<contender>& to) {
  reading.method = row.id;
  add_form(which, each, row.name, reading, to);
  to.back().unavailable = [of_method = row.unavailable, of_form = each.unavailable](input_files files) {
    std::optional<std::string> reason = of_method();
    if (!reason && of_form != nullptr) reason = of_form(files);
    return reason;
  };
}

}  // namespace

void add_riffle(task which, const read_options& options, std::vector<contender>& to) {
  const forms all = forms_of(which);
  read_options reading = options;
  reading.method = method::automatic;
  if (options.method == method::automatic) {
    add_form(which, all.main, "automatic", reading, to);
    if (all.other) add_form(which, *all.other, "automatic", reading, to);
  }
  for (const method_info& row : methods()) {
    if (options.method != method::automatic && options.method != row.id) continue;
    add_method(which, all.main, row, reading, to);
  }
}

}  // namespace riffle::bench
