/// Puts the winner's options into the task's code.
#include "bench/judge/code.hpp"
#include "text/joined.hpp"

#include <fmt/core.h>

#include <limits>
#include <riffle/methods.hpp>
#include <vector>

#include "bench/judge/figures.hpp"
#include "bench/stats/samples.hpp"

namespace riffle::bench {

namespace {

const method_info* method_of(const measurement& line) {
  for (const method_info& each : methods()) {
    if (each.name == name_of(line.method)) return &each;
  }
  return nullptr;
}

const measurement* winner_of(const task_report& table) {
  const measurement* first_known = nullptr;
  for (const measurement& line : table.lines) {
    if (!line.measured() || line.is_limit()) continue;
    if (line.role == role::riffle) {
      const measurement* const automatic = automatic_of(table);
      if (automatic == nullptr) return &line;
      const difference slower = compare(line.result.samples, automatic->result.samples);
      return slower.certain && slower.ratio > 1 ? &line : automatic;
    }
    if (first_known == nullptr && method_of(line) != nullptr) first_known = &line;
  }
  return first_known != nullptr ? first_known : best_of(table);
}

// "1 << 20" and "64 << 10" read better than 1048576 and 65536.
std::string size_as_code(std::size_t bytes) {
  for (const unsigned bits : {30U, 20U, 10U}) {
    const std::size_t unit = std::size_t{1} << bits;
    if (bytes % unit != 0) continue;
    // An int has no room for it from 2 GiB on.
    const bool wide = bytes > static_cast<std::size_t>(std::numeric_limits<int>::max());
    return wide ? fmt::format("std::size_t{{{}}} << {}", bytes / unit, bits)
                : fmt::format("{} << {}", bytes / unit, bits);
  }
  return fmt::format("{}", bytes);
}

std::string options_of(const measurement& line, cache_mode cache) {
  const method_info* const info = method_of(line);
  return options_as_code({.method = info != nullptr ? info->id : method::automatic,
                          .block_size = line.block_size,
                          .keep_cache = cache != cache_mode::uncached});
}

// `from`: the arguments "path" or "path, {...}".
std::string with_one_thread(task which, bool range_for, const std::string& from) {
  switch (which) {
    case task::gc:
      return fmt::format(
          "for (auto block : riffle::blocks({})) count += riffle::count_any_of(block.bytes, \"cCgG\");",
          from);
    case task::lines:
      if (range_for) return fmt::format("for (auto line : riffle::lines({})) sum += line.size();", from);
      return fmt::format(
          "riffle::for_each(riffle::lines({}), [&](std::string_view line) {{ sum += line.size(); }});", from);
    case task::words:
      if (range_for)
        return fmt::format("for ([[maybe_unused]] auto word : riffle::words({})) ++count;", from);
      return fmt::format(
          "for (auto block : riffle::blocks({})) {{ count += riffle::count_words(block.bytes, in_word); "
          "in_word = !riffle::white_space.contains(block.bytes.back()); }}",
          from);
    case task::ints:
      return fmt::format(
          "for (riffle::reader in({}); !in.at_end();) {{ const auto length = in.get<std::int32_t>(); "
          "sum += weigh(in.take<std::int32_t>(length)); }}",
          from);
    case task::primes:
      if (range_for) {
        return fmt::format("for (auto value : riffle::values<std::uint64_t>({})) sum += value;", from);
      }
      return fmt::format(
          "riffle::summer<std::uint64_t> total; for (auto block : riffle::blocks({})) "
          "total.add_bytes(block.bytes);",
          from);
  }
  return {};
}

const char* work_on_split(task which) {
  switch (which) {
    case task::gc:
      return "return riffle::count_any_of(split, \"cCgG\");";
    case task::lines:
      return "std::uint64_t lengths = 0; "
             "riffle::for_each(riffle::lines(split), [&](std::string_view line) { lengths += line.size(); "
             "}); "
             "return lengths;";
    case task::words:
      return "return riffle::count_words(split);";
    case task::primes:
      return "riffle::summer<std::uint64_t> total; total.add_bytes(split); return total.result();";
    case task::ints:
      break;  // arrays follow each other without delimiter or size, and cannot be split
  }
  return "";
}

std::string with_threads(task which, unsigned threads, const std::string& options) {
  const bool counts = which == task::gc || which == task::words;
  std::string splitting = fmt::format(".threads = {}", threads);
  if (which == task::gc || which == task::primes) splitting += ", .delimiter = std::nullopt";
  if (which == task::primes) splitting += ", .record_size = 8";
  return fmt::format(
      "{} = riffle::parallel_reduce(path, std::uint64_t{{0}}, [](std::string_view split) {{ {} }}, "
      "std::plus<>(), {{{}}}{});",
      counts ? "count" : "sum", work_on_split(which), splitting, options.empty() ? "" : ", " + options);
}

}  // namespace

std::string options_as_code(const read_options& reading) {
  std::vector<std::string> options;
  if (reading.method != method::automatic)
    options.push_back(fmt::format(".method = riffle::method::{}", name_of(reading.method)));
  if (reading.block_size != 0) options.push_back(".block_size = " + size_as_code(reading.block_size));
  if (reading.whole_file) options.emplace_back(".whole_file = true");
  if (!reading.keep_cache) options.emplace_back(".keep_cache = false");
  return options.empty() ? std::string() : fmt::format("{{{}}}", text::joined(options, ", "));
}

std::string_view introduction_of_code(const task_report& table) {
  const measurement* const best = best_of(table);
  const measurement* const winner = winner_of(table);
  if (best == nullptr || best->role == role::riffle || winner->role != role::riffle) return {};
  return "The fastest of riffle's:";
}

std::string winning_code(const task_report& table) {
  const measurement* const winner = winner_of(table);
  if (winner == nullptr) return {};
  const bool own = winner->role == role::riffle;
  std::string options;
  if (own || method_of(*winner) != nullptr) options = options_of(*winner, table.cache);
  if (own && winner->threads != 1) return with_threads(table.task, winner->threads, options);
  const bool range_for = own && winner->name.ends_with("-range-for");
  return with_one_thread(table.task, range_for, options.empty() ? "path" : "path, " + options);
}

}  // namespace riffle::bench
