/// Judges by the ratio of each round, and names the part of the processor's time in which the slower one
/// differs.
#include "bench/judge/claims.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "bench/stats/statistics.hpp"
#include "text/numbers.hpp"

namespace riffle::bench {

namespace {

constexpr double same = 0.05;      // of claims that two are as fast
constexpr double same_here = 0.1;  // within which they are as fast here
constexpr double near = 1.5;       // a factor between published and measured that is no news

std::string_view base_of(const checked_claim& claim) {
  return claim.figure->against.empty() ? claim.table->base : claim.figure->against;
}

}  // namespace

std::string_view in_words(holding how) noexcept {
  constexpr std::array<std::string_view, 6> words{"yes", "by more",  "by less",
                                                  "no",  "reversed", "too few rounds"};
  return words[static_cast<std::size_t>(how)];
}

const measurement* measured_line(const task_report& table, std::string_view id) {
  const auto found = std::ranges::find_if(table.lines, [&](const measurement& line) {
    return line.measured() && line.threads == 1 && line.program + "/" + line.name == id;
  });
  return found == table.lines.end() ? nullptr : &*found;
}

holding hold(const range& published, const difference& here) {
  const bool alike = std::abs(here.ratio - 1) <= same_here;
  if (!here.certain && !here.alike()) return holding::open;
  if (published.low >= 1 - same && published.high <= 1 + same) return alike ? holding::yes : holding::no;
  if (!here.certain) return holding::no;
  // Above 1 it says that the contender is faster, below 1 that its base is.
  const bool faster = published.low > 1;
  const double measured = faster ? here.ratio : 1 / here.ratio;
  if (measured < 1) return holding::reversed;
  if (measured > (faster ? published.high : 1 / published.low) * near) return holding::more;
  return measured < (faster ? published.low : 1 / published.high) / near ? holding::less : holding::yes;
}

std::vector<checked_claim> check_figures(const published_table& published, const task_report& table) {
  std::vector<checked_claim> checked;
  for (const published_figure& figure : published.figures) {
    checked_claim claim{
        .table = &published, .figure = &figure, .times = published_times(published, figure), .here = {}};
    const measurement* const fast = measured_line(table, figure.contender);
    const measurement* const slow = measured_line(table, base_of(claim));
    if (fast == nullptr || slow == nullptr || fast == slow) continue;
    claim.here = compare(fast->result.samples, slow->result.samples);
    if (claim.times.low > 0) claim.how = hold(claim.times, claim.here);
    checked.push_back(claim);
  }
  return checked;
}

std::string cause_of(const checked_claim& claim, const task_report& table) {
  const measurement* fast = measured_line(table, claim.figure->contender);
  const measurement* slow = measured_line(table, base_of(claim));
  if (fast == nullptr || slow == nullptr || !claim.here.certain) return {};
  if (claim.here.ratio < 1) std::swap(fast, slow);
  const processor_seconds less = mean_processor_seconds(*fast);
  const processor_seconds more = mean_processor_seconds(*slow);
  const double user = std::max(more.user - less.user, 0.0);
  const double system = std::max(more.system - less.system, 0.0);
  const double extra = slow->seconds.median - fast->seconds.median;
  if (user + system <= 0 || extra <= 0) return {};
  const double faults = slow->usage.minor_faults;
  std::string_view place = "in its own loop";
  if (system > user) {
    place = faults > 2 * fast->usage.minor_faults + 16 ? "in the OS kernel, for page faults"
            : slow->method == "mmap"                   ? "in the OS kernel, for the mapping"
                                                       : "in the OS kernel, which copies the bytes";
  }
  std::string text =
      fmt::format("{} takes {} longer, {:.0f} % of that {}", slow->name, text::human_seconds(extra),
                  std::max(user, system) / (user + system) * 100, place);
  if (std::max(faults, fast->usage.minor_faults) >= 1)
    text += fmt::format(" (page faults: {} against {})", text::with_commas(faults),
                        text::with_commas(fast->usage.minor_faults));
  return text;
}

processor_seconds mean_processor_seconds(const measurement& line) {
  processor_seconds sum;
  for (const sample& one : line.result.samples) {
    sum.user += one.usage.user_seconds;
    sum.system += one.usage.system_seconds;
  }
  const double count = std::max(static_cast<double>(line.result.samples.size()), 1.0);
  return {sum.user / count, sum.system / count};
}

}  // namespace riffle::bench
