/// The advice as a person reads it: the table, and options ready to be pasted.
#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <ostream>
#include <utility>

#include "bench/data/report.hpp"
#include "bench/judge/advice.hpp"
#include "bench/judge/code.hpp"
#include "bench/show/in_words.hpp"
#include "text/columns.hpp"
#include "text/numbers.hpp"

namespace riffle::bench {

namespace {

std::string against_text(const tried& one, const difference& against) {
  if (one.reading.method == method::automatic) return "";
  if (!against.certain) return std::string(in_words(against));
  return fmt::format("{:.2f}x as long", against.ratio);
}

}  // namespace

void print_tried(const std::vector<tried>& all, const advice& given, std::uint64_t bytes, std::ostream& out) {
  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair(all[i].seconds.median, i); });
  out << fmt::format("  {:<16} {:>10}   {:<20} {:>6}   {}\n", "", "median", "95 % interval", "GB/s",
                     "against automatic");
  for (const std::size_t i : order) {
    const tried& one = all[i];
    if (!one.measured()) continue;
    const auto& within = one.seconds.ci95;
    const std::string interval =
        within ? text::human_seconds(within->low) + " to " + text::human_seconds(within->high)
               : "too few rounds";
    const double speed = one.seconds.median > 0 ? static_cast<double>(bytes) * 1e-9 / one.seconds.median : 0;
    const std::string against =
        given.against_automatic.empty() ? "" : against_text(one, given.against_automatic[i]);
    std::string line = fmt::format("  {:<16} {:>10}   {:<20} {:>6.2f}   {}", one.label,
                                   text::human_seconds(one.seconds.median), interval, speed, against);
    line.erase(line.find_last_not_of(' ') + 1);
    out << fmt::format("{}\n", line);
  }
  for (const tried& one : all) {
    if (one.measured()) continue;
    const bool wrong = one.result.outcome == outcome::wrong;
    out << fmt::format("  {:<16} {}: {}\n", one.label, wrong ? "WRONG" : "not measured",
                       text::printable(one.result.reason));
  }
}

std::string as_code(const read_options& reading) {
  return "riffle::lines(path, " + options_as_code(reading) + ")";
}

std::string as_flags(const read_options& reading) {
  std::string flags = fmt::format("--method {}", name_of(reading.method));
  if (reading.block_size != 0) flags += " --block-size " + text::short_size(reading.block_size);
  if (reading.whole_file) flags += " --whole-file";
  return flags;
}

}  // namespace riffle::bench
