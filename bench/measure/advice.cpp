/// Picks the methods and the block sizes for one file, and the time that they need.
#include "bench/measure/plan.hpp"

#include <algorithm>
#include <cmath>
#include <riffle/blocks.hpp>
#include <riffle/methods.hpp>
#include <riffle/scan.hpp>

#include "bench/host/machine.hpp"

namespace riffle::bench {

namespace {

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
    const read_options reading{
        .method = which, .block_size = block_size, .fault_guard = known.fault_guard, .decode = decode};
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
