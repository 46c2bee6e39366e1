/// Lays the published tables out, and words what was measured beside a claim.
#include "bench/reproduce/table_text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "bench/show/in_words.hpp"
#include "text/columns.hpp"
#include "text/numbers.hpp"

namespace riffle::bench {

namespace {

// The columns by which a paragraph's lines are indented, from its second on.
constexpr std::size_t hanging = 2;

std::string aligned(const std::vector<cells>& rows) {
  std::vector<std::size_t> widths;
  for (const cells& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::size_t wide = 0;
  for (const std::size_t width : widths) wide += width + 2;
  const std::string gap(wide > text::terminal_columns ? 1 : 2, ' ');
  std::string lines;
  for (const cells& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += gap + (i == 0 ? text::left_aligned(row[i], widths[i]) : text::right_aligned(row[i], widths[i]));
    }
    line.erase(line.find_last_not_of(' ') + 1);
    lines += line + '\n';
  }
  return lines;
}

std::string measured_on(const task_report& results) {
  std::size_t least = 0;
  std::size_t most = 0;
  for (const measurement& line : results.lines) {
    if (!line.measured()) continue;
    least = least == 0 ? line.seconds.samples : std::min(least, line.seconds.samples);
    most = std::max(most, line.seconds.samples);
  }
  std::string rounds = most == 0 ? "nothing was measured" : fmt::format("medians of {} rounds", most);
  if (most == 1) rounds = "one round";
  if (least < most) rounds = fmt::format("medians of {} to {} rounds", least, most);
  const std::string files = results.files == 1 ? "" : fmt::format(" in {} files", results.files);
  return fmt::format("Here: {}, {}{}, {}; {}.", results.input, text::human_size(results.bytes), files,
                     description_of(results.cache), rounds);
}

enum class holding { yes, more, less, no, opposite, open };

constexpr double same = 0.05;      // of claims that two are as fast
constexpr double same_here = 0.1;  // within which they are as fast here
constexpr double near = 1.5;       // a factor between published and measured that is no news

holding hold(double published, const difference& here) {
  const bool alike = std::abs(here.ratio - 1) <= same_here;
  if (!here.certain && !(alike && here.enough_rounds())) return holding::open;
  if (std::abs(published - 1) <= same) return alike ? holding::yes : holding::no;
  if (!here.certain) return holding::no;
  const double claimed = published > 1 ? published : 1 / published;
  const double measured = published > 1 ? here.ratio : 1 / here.ratio;
  if (measured < 1) return holding::opposite;
  if (measured > claimed * near) return holding::more;
  return measured < claimed / near ? holding::less : holding::yes;
}

std::string_view in_words(holding how) {
  switch (how) {
    case holding::yes:
      return "holds here";
    case holding::more:
      return "holds here by a larger factor";
    case holding::less:
      return "holds here by a smaller factor";
    case holding::no:
      return "does not hold here";
    case holding::opposite:
      return "is reversed here";
    case holding::open:
      return "is undecided here";
  }
  return "";
}

// "95 % of its time in its own loop"; empty if no processor time was charged.
std::string spent(const measurement& line) {
  const processor_seconds used = mean_processor_seconds(line);
  if (used.user + used.system <= 0) return {};
  return fmt::format("{:.0f} % of its time in {}",
                     std::max(used.user, used.system) / (used.user + used.system) * 100,
                     used.system > used.user ? "the OS kernel" : "its own loop");
}

// Where the slower one's time goes, by what the processor was charged for.
std::string cause(const measurement& fast, const measurement& slow, std::string_view slow_name) {
  const processor_seconds less = mean_processor_seconds(fast);
  const processor_seconds more = mean_processor_seconds(slow);
  const double user = std::max(more.user - less.user, 0.0);
  const double system = std::max(more.system - less.system, 0.0);
  const double extra = slow.seconds.median - fast.seconds.median;
  if (user + system <= 0 || extra <= 0) return "";
  const double share = std::max(user, system) / (user + system);
  const double faults = slow.usage.minor_faults;
  std::string_view place = "in its own loop";
  if (system > user) {
    const bool mapped = slow_name.find("mmap") != std::string_view::npos;
    place = faults > 2 * fast.usage.minor_faults + 16 ? "in the OS kernel, for page faults"
            : mapped                                  ? "in the OS kernel, for the mapping"
                                                      : "in the OS kernel, which copies the bytes";
  }
  std::string text = fmt::format(", as {} takes {} longer, {:.0f} % of that {}", slow_name,
                                 text::human_seconds(extra), share * 100, place);
  if (std::max(faults, fast.usage.minor_faults) >= 1) {
    text += fmt::format(" (page faults: {} against {})", text::with_commas(faults),
                        text::with_commas(fast.usage.minor_faults));
  }
  return text;
}

}  // namespace

std::string in_80_columns(const table_text& table, const task_report& results) {
  std::string text =
      "\n" + text::wrapped(table.heading, hanging) + text::wrapped(measured_on(results), hanging) + "\n";
  std::vector<cells> rows = table.heads;
  rows.insert(rows.end(), table.rows.begin(), table.rows.end());
  text += aligned(rows);
  std::string notes;
  for (const measurement& line : results.lines) {
    if (line.result.reason.empty()) continue;
    notes += text::wrapped(
        text::printable(fmt::format("{}/{}: {}.", line.program, line.name, line.result.reason)), hanging);
  }
  for (const std::string& note : table.notes) notes += text::wrapped(note, hanging);
  if (!notes.empty()) text += "\n" + notes;
  text += '\n';
  for (const std::string& claim : table.claims) text += text::wrapped(claim, hanging);
  return text;
}

std::string why_no_cell(const task_report& results, std::string_view id) {
  for (const measurement& line : results.lines) {
    if (line.program + "/" + line.name != id) continue;
    if (line.result.outcome == outcome::wrong) return "wrong";
    if (line.result.outcome == outcome::failed) return "fails";
  }
  return "-";
}

std::string three_figures(double value) {
  if (value <= 0) return "0";
  const int digits = 2 - static_cast<int>(std::floor(std::log10(value)));
  return fmt::format("{:.{}f}", value, std::clamp(digits, 0, 7));
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

std::string judged(const task_report& results, const worded_claim& claim) {
  const measurement* const fast = measured_line(results, claim.fast);
  const measurement* const slow = measured_line(results, claim.slow);
  if (fast == nullptr || slow == nullptr) {
    return fmt::format("The claim that {} was not checked: {} was not measured.", claim.text,
                       fast == nullptr ? claim.fast_name : claim.slow_name);
  }
  const difference here = times_as_fast(*fast, *slow);
  const holding how = hold(claim.times, here);
  const std::string start = fmt::format("The claim that {} {}: ", claim.text, in_words(how));
  if (how == holding::open) {
    return start +
           fmt::format("{} is {} times as fast as {}, which is within the noise; use a longer --time.",
                       claim.fast_name, three_figures(here.ratio), claim.slow_name);
  }
  if (!here.certain) {
    const std::string fast_spent = spent(*fast);
    const std::string slow_spent = spent(*slow);
    const std::string why = fast_spent.empty() || slow_spent.empty()
                                ? ""
                                : fmt::format(", as {} spends {} and {} {}", claim.fast_name, fast_spent,
                                              claim.slow_name, slow_spent);
    return start +
           fmt::format("{} and {} do not differ beyond the noise{}.", claim.fast_name, claim.slow_name, why);
  }
  const auto faster = [&](const measurement& one, std::string_view name, const measurement& other,
                          std::string_view other_name, double ratio) {
    return start + fmt::format("{} is {} times as fast as {}{}.", name, three_figures(ratio), other_name,
                               cause(one, other, other_name));
  };
  return here.ratio >= 1 ? faster(*fast, claim.fast_name, *slow, claim.slow_name, here.ratio)
                         : faster(*slow, claim.slow_name, *fast, claim.fast_name, 1 / here.ratio);
}

}  // namespace riffle::bench
