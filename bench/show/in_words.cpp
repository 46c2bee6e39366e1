/// Words facts and figures in one way for the table, Markdown and the warnings.
#include "bench/show/in_words.hpp"
#include "text/joined.hpp"
#include "text/numbers.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <ranges>

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

std::string counted(std::uint64_t count, std::string_view what) {
  if (count == 0) return {};
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string virtualised(const machine& of) {
  if (of.virtualisation == "none") return "not virtualised";
  return known("virtualised by ", of.virtualisation);
}

// "2 processors" or "1 of 2 processors"
std::string processors_in_words(const machine& of) {
  if (of.processors >= of.processors_online) return counted(of.processors, "processor");
  return fmt::format("{} of {}", of.processors, counted(of.processors_online, "processor"));
}

std::string stored(const machine& of) {
  std::string text = of.file_system + known(" on ", of.device);
  return text + known(of.file_system.empty() ? "mounted " : ", mounted ", of.mount_options);
}

std::string number_of(std::string_view what, const std::optional<double>& number, double unit) {
  return number ? fmt::format("{} {}", what, text::short_number(*number / unit)) : std::string();
}

}  // namespace

std::vector<fact> facts_in_words(const machine& of) {
  std::vector<fact> all{
      {"processor", listed({of.processor, processors_in_words(of), listed(of.caches)})},
      {"memory", listed({known_size("", of.memory), known_size("", of.memory_available, " available"),
                         known("huge pages ", of.huge_pages)})},
      {"system", listed({of.os_release, virtualised(of), known("governor ", of.governor),
                         known("mitigations ", text::joined(of.mitigations, " "))})},
      {"storage", listed({stored(of), known_size("read-ahead ", of.read_ahead)})},
      {"riffle", listed({of.version, known("", of.active_kernel, " kernels"),
                         listed({of.compiler + known(" ", of.flags)})})}};
  std::erase_if(all, [](const fact& each) { return each.text.empty(); });
  return all;
}

std::vector<fact> limits_in_words(const limits& of) {
  const std::string speeds =
      listed({number_of("RAM scan", of.ram_scan, 1e9), number_of("RAM copy", of.ram_copy, 1e9),
              number_of("device", of.device, 1e9), number_of("pipe", of.pipe, 1e9)});
  const std::string events = listed(
      {number_of("page faults", of.page_faults, 1e6), number_of("system calls", of.system_calls, 1e6)});
  std::string text = listed({known("", speeds, " GB/s"), known("", events, " million a second")});
  if (text.empty()) return {};
  return {{"limits", std::move(text)}};
}

std::string input_in_words(const task_report& of, std::string_view name) {
  std::string text = std::string(name);
  if (of.files > 1) text += fmt::format(" ({} files)", of.files);
  text +=
      fmt::format(", {}, {}: {}", text::human_size(of.bytes), name_of(of.cache), description_of(of.cache));
  if (of.faults_per_mib) text += fmt::format("; {} faults a MiB", text::short_number(*of.faults_per_mib));
  return text;
}

std::string half_width(const measurement& line) {
  const std::optional<double> reach = reach_of(line.seconds.ci95, line.seconds.median);
  if (!reach) return "-";
  const double percent = 100 * *reach;
  return fmt::format("±{:.{}f}%", percent, percent < 9.95 ? 1 : 0);
}

std::string share_of_limit(const measurement& line) {
  const std::optional<double> share = line.of_limit();
  return share ? fmt::format("{:.0f}% {}", 100 * *share, name_of(line.limit->kind)) : std::string();
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

std::string_view in_words(const difference& uncertain) {
  return uncertain.enough_rounds() ? "no difference" : "too few rounds";
}

std::string first_few(const std::vector<std::string>& all) {
  constexpr std::size_t few = 3;
  const std::size_t shown = std::min(all.size(), few);
  std::string text = text::joined(all | std::views::take(shown), ", ");
  if (all.size() > few) text += fmt::format(" and {} more", all.size() - few);
  return text;
}

}  // namespace riffle::bench
