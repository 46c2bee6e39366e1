/// The wording of facts and figures.
#include "bench/show/in_words.hpp"

#include <fmt/core.h>

#include <cmath>

#include "bench/judge/conclusions.hpp"
#include "text/numbers.hpp"

namespace riffle::bench {

namespace {

// "a, b, c" of those that are not empty.
std::string listed(const std::vector<std::string>& parts) {
  std::string all;
  for (const std::string& part : parts) {
    if (part.empty()) continue;
    if (!all.empty()) all += ", ";
    all += part;
  }
  return all;
}

std::string known(std::string_view before, std::string_view text, std::string_view after = "") {
  if (text.empty()) return {};
  return fmt::format("{}{}{}", before, text, after);
}

std::string known_size(std::string_view before, std::uint64_t bytes, std::string_view after = "") {
  return bytes == 0 ? std::string() : known(before, text::human_size(bytes), after);
}

std::string known_count(std::size_t count, std::string_view noun) {
  return count == 0 ? std::string() : counted(count, noun);
}

// "2 processors" or "1 of 2 processors"
std::string processors_in_words(const machine& machine) {
  if (machine.processors >= machine.processors_online) return known_count(machine.processors, "processor");
  return fmt::format("{} of {}", machine.processors, known_count(machine.processors_online, "processor"));
}

std::string number_of(std::string_view what, const std::optional<double>& bytes_a_second) {
  return bytes_a_second ? fmt::format("{} {}", what, text::short_number(*bytes_a_second * 1e-9))
                        : std::string();
}

}  // namespace

fact_list facts_in_words(const machine& machine) {
  fact_list all{
      {"processor", listed({machine.processor, processors_in_words(machine), listed(machine.caches)})},
      {"memory", known_size("", machine.memory_available, " available")},
      {"system", listed({machine.os_release, known("governor ", machine.governor)})},
      {"storage", listed({machine.file_system + known(" on ", machine.device),
                          known_size("read-ahead ", machine.read_ahead)})},
      {"riffle", listed({machine.version, machine.active_kernel,
                         listed({machine.compiler + known(" ", machine.flags)})})}};
  std::erase_if(all, [](const fact& each) { return each.text.empty(); });
  return all;
}

fact_list limits_in_words(const limits& limits) {
  std::string text = listed({number_of("RAM scan", limits.ram_scan), number_of("RAM copy", limits.ram_copy),
                             number_of("device", limits.device)});
  if (text.empty()) return {};
  return {{"limits", text + " GB/s"}};
}

std::string in_a_line(const machine& machine) {
  return listed({machine.processor, machine.os_release, machine.file_system});
}

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
