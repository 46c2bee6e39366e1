/// Puts the winner's options into the task's code.
#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <riffle/methods.hpp>
#include <vector>

#include "bench/contenders/registry.hpp"
#include "bench/judge/conclusions.hpp"
#include "text/shown.hpp"

namespace riffle::bench {

namespace {

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
    if (first_known == nullptr && method_of(line.method) != nullptr) first_known = &line;
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

bool is_decoded(const task_report& table) {
  return std::ranges::any_of(table.lines,
                             [](const measurement& line) { return line.sets == limit_kind::decode; });
}

std::string options_of(const measurement& line, const task_report& table) {
  const method_info* const info = method_of(line.method);
  return options_as_code({.method = info != nullptr ? info->id : method::automatic,
                          .block_size = line.block_size,
                          .queue_depth = line.queue_depth,
                          .decode = is_decoded(table) ? decoding::automatic : decoding::none});
}

}  // namespace

std::string options_as_code(const read_options& reading) {
  std::vector<std::string> options;
  if (reading.method != method::automatic)
    options.push_back(fmt::format(".method = riffle::method::{}", name_of(reading.method)));
  if (reading.block_size != 0) options.push_back(".block_size = " + size_as_code(reading.block_size));
  if (reading.queue_depth != 0) options.push_back(fmt::format(".queue_depth = {}", reading.queue_depth));
  if (reading.decode != decoding::none)
    options.push_back(fmt::format(".decode = riffle::decoding::{}", name_of(reading.decode)));
  return options.empty() ? std::string() : fmt::format("{{{}}}", text::joined(options, ", "));
}

bool introduces_code(const task_report& table) {
  const measurement* const best = best_of(table);
  const measurement* const winner = winner_of(table);
  return best != nullptr && table.task != task::commands && best->role != role::riffle &&
         winner->role == role::riffle;
}

std::string winning_code(const task_report& table) {
  const measurement* const winner = winner_of(table);
  if (winner == nullptr) return {};
  const bool own = winner->role == role::riffle;
  std::string options;
  if (own || method_of(winner->method) != nullptr) options = options_of(*winner, table);
  return code_of(table.task, own ? winner->name : "", winner->method, own ? winner->threads : 1, options);
}

}  // namespace riffle::bench
