/// The wording of facts and figures.
#include "bench/show/in_words.hpp"

#include <fmt/core.h>

#include <cmath>

#include "bench/judge/conclusions.hpp"
#include "text/typed.hpp"

namespace riffle::bench {

std::string input_in_words(const task_report& table) {
  std::string text = table.input;
  if (table.files == 0) return text;
  if (table.files > 1) text += fmt::format(" ({} files)", table.files);
  text += fmt::format(", {}, {}: {}", text::human_size(table.bytes), name_of(table.cache),
                      description_of(table.cache));
  if (table.faults_per_mib)
    text += fmt::format("; {} faults a MiB", text::short_number(*table.faults_per_mib));
  return text;
}

std::string half_width(const measurement& line) {
  const std::optional<double> reach = reach_of(line.seconds.ci95, line.seconds.median);
  if (!reach) return "-";
  const double percent = 100 * *reach;
  return fmt::format("±{:.{}f}%", percent, percent < 9.95 ? 1 : 0);
}

std::string interval_in_words(const measurement& line) {
  if (!line.seconds.ci95) return "-";
  const std::string low = text::human_seconds(line.seconds.ci95->low);
  const std::string high = text::human_seconds(line.seconds.ci95->high);
  const std::size_t space = low.find(' ');
  const bool same_unit = low.substr(space) == high.substr(high.find(' '));
  return (same_unit ? low.substr(0, space) : low) + " - " + high;
}

std::string share_of_limit(const measurement& line) {
  const std::optional<double> share = line.of_limit();
  return share ? fmt::format("{:.0f}% {}", 100 * *share, name_of(line.limit->kind)) : std::string();
}

std::string peak_memory(const measurement& line) {
  const auto bytes = static_cast<std::uint64_t>(line.usage.peak_memory);
  return bytes == 0 ? "-" : text::human_size(bytes);
}

std::string_view outcome_in_words(const measurement& line) {
  switch (line.result.outcome) {
    case outcome::measured:
      return line.measured() ? "" : "not timed";
    case outcome::unavailable:
      return "not run";
    case outcome::failed:
      return "failed";
    case outcome::wrong:
      return "wrong";
  }
  return "";
}

std::string against_fastest(const measurement& line, const standing& standing) {
  if (line.is_limit()) return {};
  const std::optional<difference>& by = standing.against_fastest;
  if (!by) return standing.rank == 0 ? "cannot be told apart" : "fastest";
  if (by->certain && std::isfinite(by->ratio)) return text::short_number(by->ratio) + " x";
  if (by->alike()) return "no difference";
  return by->enough_rounds() ? "cannot be told apart" : "too few rounds";
}

}  // namespace riffle::bench
