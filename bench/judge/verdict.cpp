/// States what the table shows beyond the noise.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <ranges>

#include "bench/judge/conclusions.hpp"
#include "text/shown.hpp"
#include "text/typed.hpp"

namespace riffle::bench {

namespace {

/// By their relation.
constexpr std::array<std::string_view, 5> sentences{
    "{a} is {times} faster than {b}{cause}.", "{a} is {times} slower than {b}.",
    "{a} does not differ from {b}.", "{a} had too few rounds beside {b}: {rounds} of {enough}.",
    "{a} cannot be told from {b}: {wider}'s runs spread by {spread} %."};

/// The same of several contenders, `a`, that a plan has besides.
constexpr std::array<std::string_view, 5> sentences_of_more{
    "", "", "{a} {do} not differ from {b} either.", "{a} had too few rounds beside {b}.",
    "{a} cannot be told from {b} either: their runs vary."};

// The program's contender by that method with one thread, if possible with the method's own block size.
const measurement* row_of(const task_report& table, std::string_view program, std::string_view method) {
  const measurement* found = nullptr;
  for (const measurement& line : table.lines) {
    if (!line.measured() || line.program != program || line.method != method || line.threads != 1) continue;
    if (line.block_size == 0) return &line;
    if (found == nullptr) found = &line;
  }
  return found;
}

// As a sentence names it that says whose it is; `short_name`: among riffle's own.
std::string full_name(const task_report& table, const measurement& line) {
  if (line.role == role::command) return "`" + line.label + "`";
  return table.base.empty() ? line.program + "/" + line.label : line.label;
}
std::string short_name(const task_report& table, const measurement& line) {
  return line.role == role::riffle ? line.label : full_name(table, line);
}

// "2.1x" or, below 1.2, "5 %".
std::string in_times(double ratio) {
  if (ratio < 1.2) return fmt::format("{:.0f} %", 100 * (ratio - 1));
  return fmt::format("{:.{}f}x", ratio, ratio < 10 ? 1 : 0);
}

struct comparison {
  const measurement& one;
  const measurement& other;
  relation how;
  double times;  // of their times, at least 1
  std::size_t rounds;
};

comparison compared(const measurement& one, const measurement& other) {
  const difference found = compare(one.result.samples, other.result.samples);
  return {one, other, found.how(), std::max(found.ratio, 1 / found.ratio), found.rounds};
}

// Why mmap is faster or slower than read, if something that was measured shows it.
std::string cause_of(const task_report& table, const measurement& mmap, const measurement& read,
                     bool faster) {
  // Below this, mapping a file costs more than copying it (docs/choosing.md, by size of file).
  constexpr std::uint64_t small = 8 << 20;
  if (!is_cached(table.cache)) return "";  // the device, as far as known
  if (!faster && table.bytes / std::max<std::size_t>(table.files, 1) < small)
    return ": setting up a mapping costs more than copying so few bytes";
  if (mmap.usage.minor_faults < 2) {
    const double copying = read.usage.system_seconds / std::max(read.seconds.median, 1e-12);
    return faster && copying > 0.1 ? fmt::format(": read spends {:.0f} % of its time copying", 100 * copying)
                                   : "";
  }
  const double per_mib = table.faults_per_mib.value_or(4);
  return fmt::format(": {} page faults{}", text::with_commas(mmap.usage.minor_faults),
                     per_mib >= 8  ? ", 4 KiB pages"
                     : per_mib < 2 ? ", large folios"
                                   : "");
}

std::string share_of(std::string_view before, const measurement& line) {
  const std::optional<double> share = line.of_limit();
  return share ? fmt::format("{}{:.0f} % of the {} limit", before, 100 * *share, name_of(line.limit->kind))
               : "";
}

bool uses_one_thread(const measurement& line) {
  return line.threads == 1;
}

const measurement* fastest_other(const task_report& table) {
  return fastest(
      table, [](const measurement& line) { return line.role != role::riffle && line.role != role::earlier; });
}

/// Puts the sentences on a table together.
class judging {
 public:
  explicit judging(const task_report& table) : table_(table) {}

  verdict run() {
    const measurement* const best = best_of(table_);
    if (best == nullptr) return {.text = "Nothing was measured."};
    verdict found{};
    if (!table_.base.empty()) {
      say_of_plan(*best);
    } else if (table_.task == task::commands) {
      say_of_commands(*best);
    } else {
      say_of_pair();
      const std::size_t before = said_.size();
      const measurement* with_one = automatic_of(table_);
      if (with_one != nullptr) {
        found.automatic = say_of_choice(*with_one, *best);
        found.of_automatic = joined_from(before);
      } else {
        say_of_best(*best);
        with_one = fastest(table_, uses_one_thread);
      }
      if (with_one != nullptr) say_of_threads_and_waits(*best, *with_one);
      found.code = winning_code(table_);
    }
    if (few_) {
      said_.push_back(fmt::format("For {} rounds{} {}.", rounds_to_judge,
                                  table_.base.empty() ? ", use" : " it needs", need_for_rounds(table_)));
      if (!found.of_automatic.empty()) found.of_automatic += ' ' + said_.back();
    }
    if (introduces_code(table_)) said_.emplace_back("The fastest of riffle's contenders:");
    found.text = joined_from(0);
    return found;
  }

 private:
  std::string joined_from(std::size_t first) const {
    return text::joined(said_ | std::views::drop(first), " ");
  }

  void say(const comparison& found, std::string a, std::string b, std::string cause = "") {
    const auto reach = [](const measurement& line) {
      return reach_of(line.seconds.ci95, line.seconds.median).value_or(0);
    };
    const measurement& wider = reach(found.one) > reach(found.other) ? found.one : found.other;
    said_.push_back(filled(sentences.at(static_cast<std::size_t>(found.how)),
                           {{"a", std::move(a)},
                            {"b", std::move(b)},
                            {"cause", std::move(cause)},
                            {"times", in_times(found.times)},
                            {"rounds", fmt::format("{}", found.rounds)},
                            {"enough", fmt::format("{}", rounds_to_judge)},
                            {"wider", short_name(table_, wider)},
                            {"spread", fmt::format("{:.0f}", std::max(1.0, 100 * reach(wider)))}}));
    few_ = few_ || found.how == relation::few;
  }

  // mmap beside read: of riffle, or else of the first published program that has both.
  void say_of_pair() {
    std::vector<std::string_view> programs{"riffle"};
    for (const measurement& line : table_.lines) programs.push_back(line.program);
    for (const std::string_view program : programs) {
      const measurement* first = row_of(table_, program, "mmap");
      const measurement* second = row_of(table_, program, "read");
      if (first == nullptr || second == nullptr) continue;
      const measurement& mmap = *first;
      const measurement& read = *second;
      if (compared(*first, *second).how == relation::slower) std::swap(first, second);
      say(compared(*first, *second),
          fmt::format("On {}, {}, {}", table_.files > 1 ? "these files" : "this file", name_of(table_.cache),
                      short_name(table_, *first)),
          short_name(table_, *second), cause_of(table_, mmap, read, first == &mmap));
      return;
    }
  }

  void say_of_best(const measurement& best) {
    said_.push_back(fmt::format("{} has the shortest median: {} {}{}.", full_name(table_, best),
                                text::short_number(speed_of(table_, best)), speed_unit_of(table_),
                                share_of(", ", best)));
    if (best.role == role::riffle) say_of_others(best, "It");
  }

  void say_of_others(const measurement& line, std::string it) {
    if (const measurement* const other = fastest_other(table_))
      say(compared(line, *other), std::move(it), full_name(table_, *other) + ", the best that is not riffle");
  }

  // Compares the automatic choice with the contenders that use one thread, as it does.
  automatic_choice say_of_choice(const measurement& automatic, const measurement& best) {
    const measurement* const faster = fastest(table_, [&](const measurement& line) {
      return uses_one_thread(line) && compared(automatic, line).how == relation::slower;
    });
    const measurement& other = faster != nullptr ? *faster : *fastest(table_, uses_one_thread);
    comparison found = compared(automatic, other);
    if (&automatic == &other) {
      few_ = automatic.seconds.samples < rounds_to_judge;
      found.how = few_ ? relation::faster : relation::alike;
    }
    const std::string_view threads = best.threads != 1 ? " with one thread" : "";
    const bool leads = found.how == relation::faster || found.how == relation::alike;
    const std::string share = share_of(", at ", automatic);
    if (leads) {
      said_.push_back(fmt::format(
          "The automatic choice {}{}{}.",
          found.how == relation::faster ? "has the shortest median" : "is as fast as any", threads, share));
    } else {
      say(found, "The automatic choice" + (share.empty() ? "" : share + ","), full_name(table_, other));
    }
    if (leads || other.role == role::riffle) say_of_others(automatic, "It");
    constexpr double tolerated = 1.05;
    if (found.how == relation::slower && found.times > tolerated) return automatic_choice::slower;
    return found.how == relation::slower || found.how == relation::alike ? automatic_choice::right
                                                                         : automatic_choice::undecided;
  }

  // What more threads gain; and from a cold cache the share of its time that one used no processor.
  void say_of_threads_and_waits(const measurement& best, const measurement& with_one) {
    const comparison of = compared(best, with_one);
    if (best.threads != 1 && of.how == relation::faster)
      said_.push_back(fmt::format("{} threads ({}) are {} faster than {}.", best.threads,
                                  full_name(table_, best), in_times(of.times), full_name(table_, with_one)));
    const usage& used = with_one.usage;
    const double ran = used.user_seconds + used.system_seconds + used.delayed_seconds;
    if (!is_cached(table_.cache) && ran > 0)
      said_.push_back(fmt::format("{} waited for storage for {:.0f} % of its time.",
                                  full_name(table_, with_one),
                                  100 * std::clamp(1 - ran / with_one.seconds.median, 0.0, 1.0)));
  }

  // Each of the first few commands beside the fastest.
  void say_of_commands(const measurement& best) {
    for (const measurement& line :
         table_.lines | std::views::drop_while(&measurement::is_limit) | std::views::take(4)) {
      if (&line != &best && line.measured())
        say(compared(best, line), full_name(table_, best), full_name(table_, line));
    }
    if (said_.empty()) say_of_best(best);
  }

  // The fastest of riffle beside the best of the others and of its earlier build; and who cannot be told.
  void say_of_plan(const measurement& best) {
    const measurement* const own = fastest_of(table_, role::riffle);
    const measurement* const other = fastest_other(table_);
    const measurement* const earlier = fastest_of(table_, role::earlier);
    if (own == nullptr || other == nullptr) {
      say_of_best(best);
    } else {
      say_of_others(*own, full_name(table_, *own));
    }
    if (own != nullptr && earlier != nullptr)
      say(compared(*own, *earlier), full_name(table_, *own), full_name(table_, *earlier));
    if (own == nullptr || other == nullptr) return;
    for (const relation how : {relation::alike, relation::varied, relation::few}) {
      std::vector<std::string> all;
      for (const measurement& line : table_.lines) {
        const bool more = line.competes() && &line != own && &line != other && line.role != role::earlier;
        if (more && compared(*own, line).how == how) all.push_back(full_name(table_, line));
      }
      if (all.empty()) continue;
      few_ = few_ || how == relation::few;
      said_.push_back(filled(
          sentences_of_more.at(static_cast<std::size_t>(how)),
          {{"a", first_few(all)}, {"do", all.size() == 1 ? "does" : "do"}, {"b", full_name(table_, *own)}}));
    }
  }

  const task_report& table_;
  std::vector<std::string> said_;
  bool few_ = false;
};

}  // namespace

verdict verdict_of(const task_report& table) {
  return judging(table).run();
}

}  // namespace riffle::bench
