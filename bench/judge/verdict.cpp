/// States what the table shows beyond the noise. Each sentence is a row: of whom it speaks, when it holds,
/// and its text, in which the names in braces are filled in.
#include "bench/judge/verdict.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <ranges>
#include <riffle/methods.hpp>
#include <vector>

#include "bench/judge/conclusions.hpp"
#include "bench/judge/sentences.hpp"
#include "bench/stats/statistics.hpp"
#include "text/joined.hpp"
#include "text/numbers.hpp"

namespace riffle::bench {

namespace {

/// How one contender compares with another, as far as their rounds can tell. `few`: too few rounds; `varied`:
/// enough, but they vary too much.
enum class relation : std::uint8_t { faster, slower, alike, few, varied };

/// Whom a sentence compares: two of riffle's methods, or commands; the automatic choice and the fastest with
/// one thread; riffle and the best of the others.
enum class whom : std::uint8_t { two, choice, others };

struct comparing_sentence {
  whom of;
  relation holds;
  std::string_view text;
};

constexpr std::array comparing_sentences{
    comparing_sentence{whom::two, relation::faster, "{place}{a} is {times} faster than {b}{cause}."},
    comparing_sentence{whom::two, relation::slower, "{place}{b} is {times} faster than {a}{cause}."},
    comparing_sentence{whom::two, relation::alike, "{place}{a} and {b} do not differ{wait}."},
    comparing_sentence{whom::two, relation::few,
                       "{place}{a} and {b} had too few rounds to compare: {rounds} of {enough}."},
    comparing_sentence{whom::two, relation::varied, "{place}{a} and {b} cannot be told apart: {why}."},
    comparing_sentence{whom::choice, relation::faster,
                       "The automatic choice has the shortest median{threads}{at}."},
    comparing_sentence{whom::choice, relation::slower,
                       "The automatic choice is {times} slower than {b}{at}."},
    comparing_sentence{whom::choice, relation::alike, "The automatic choice is as fast as any{threads}{at}."},
    comparing_sentence{whom::choice, relation::few,
                       "The automatic choice{at,} had too few rounds beside {b}: {rounds} of {enough}."},
    comparing_sentence{whom::choice, relation::varied,
                       "The automatic choice{at,} cannot be told from {b}: {why}."},
    comparing_sentence{whom::others, relation::faster,
                       "{it} is {times} faster than {b}, the best that is not riffle."},
    comparing_sentence{whom::others, relation::slower,
                       "{it} is {times} slower than {b}, the best that is not riffle."},
    comparing_sentence{whom::others, relation::alike,
                       "{it} does not differ from {b}, the best that is not riffle."},
    comparing_sentence{
        whom::others, relation::few,
        "{it} had too few rounds beside {b}, the best that is not riffle: {rounds} of {enough}."},
    comparing_sentence{whom::others, relation::varied,
                       "{it} cannot be told from {b}, the best that is not riffle: {why}."}};

/// The two contenders by mmap and read, of the same program and on the same terms.
struct main_pair {
  const measurement* mmap = nullptr;
  const measurement* read = nullptr;
  explicit operator bool() const { return mmap != nullptr && read != nullptr; }
};

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

main_pair pair_of(const task_report& table, std::string_view program) {
  return {row_of(table, program, "mmap"), row_of(table, program, "read")};
}

// riffle's contenders; without them, those of the first published program that has both.
main_pair pair_of(const task_report& table) {
  if (const main_pair own = pair_of(table, "riffle")) return own;
  for (const measurement& line : table.lines) {
    if (const main_pair published = pair_of(table, line.program)) return published;
  }
  return {};
}

// As a sentence names it that says whose it is.
std::string full_name(const task_report& table, const measurement& line) {
  if (line.role == role::command) return "`" + line.label + "`";
  return table.base.empty() ? line.program + "/" + line.label : line.label;
}

// Among riffle's own.
std::string short_name(const task_report& table, const measurement& line) {
  return line.role == role::riffle ? line.label : full_name(table, line);
}

// "2.1x" or, below 1.2, "5 %".
std::string in_times(double ratio) {
  if (ratio < 1.2) return fmt::format("{:.0f} %", 100 * (ratio - 1));
  return fmt::format("{:.{}f}x", ratio, ratio < 10 ? 1 : 0);
}

struct comparison {
  const measurement* one;
  const measurement* other;
  relation how;
  double times;  // of their times, at least 1
  std::size_t rounds;
};

comparison compared(const measurement& one, const measurement& other) {
  const difference found = compare(one.result.samples, other.result.samples);
  const relation how = found.alike()     ? relation::alike
                       : !found.certain  ? found.enough_rounds() ? relation::varied : relation::few
                       : found.ratio > 1 ? relation::faster
                                         : relation::slower;
  return {&one, &other, how, std::max(found.ratio, 1 / found.ratio), found.rounds};
}

// "mmap's runs spread by 73 %"
std::string why_varied(const task_report& table, const comparison& of) {
  const auto reach = [](const measurement& line) {
    return reach_of(line.seconds.ci95, line.seconds.median).value_or(0);
  };
  const measurement& wider = reach(*of.one) > reach(*of.other) ? *of.one : *of.other;
  return fmt::format("{}'s runs spread by {:.0f} %", short_name(table, wider),
                     std::max(1.0, 100 * reach(wider)));
}

bool waits_for_device(const measurement& line) {
  return line.limit && line.limit->kind == limit_kind::device && line.of_limit().value_or(0) > 0.5;
}

std::string folios(const task_report& table, const measurement& mmap) {
  const double mebibytes = static_cast<double>(table.bytes) / (1 << 20);
  const double faults =
      table.faults_per_mib.value_or(mebibytes > 0 ? mmap.usage.minor_faults / mebibytes : 0);
  if (faults >= 8) return ", 4 KiB pages";
  return faults < 2 && mmap.usage.minor_faults > 0 ? ", large folios" : "";
}

// Why mmap is faster or slower than read, if something that was measured shows it.
std::string cause_of(const task_report& table, const comparison& of) {
  // Below this, mapping a file costs more than copying it (docs/choosing.md, by size of file).
  constexpr std::uint64_t small = 8 << 20;
  if (!is_cached(table.cache)) return "";  // the device, as far as known
  const bool mapped = of.how == relation::faster;
  if (!mapped && table.bytes / std::max<std::size_t>(table.files, 1) < small)
    return ": setting up a mapping costs more than copying so few bytes";
  if (const double faults = of.one->usage.minor_faults; faults >= 1) {
    const std::string count = text::with_commas(faults);
    return fmt::format(": {} page fault{}{}", count, count == "1" ? "" : "s", folios(table, *of.one));
  }
  const usage& used = of.other->usage;
  const double share = used.system_seconds / std::max(used.user_seconds + used.system_seconds, 1e-12);
  if (mapped && share > 0.1) return fmt::format(": read spends {:.0f} % of its time copying", 100 * share);
  return "";
}

std::string share_of(const measurement& line) {
  const std::optional<double> share = line.of_limit();
  return share ? fmt::format("{:.0f} % of the {} limit", 100 * *share, name_of(line.limit->kind))
               : std::string();
}

// The fastest that is no limit and of which `wanted` is true; nullptr if there is none.
template <class Wanted>
const measurement* fastest(const task_report& table, Wanted wanted) {
  const auto found = std::ranges::find_if(table.lines, [&](const measurement& line) {
    return line.measured() && !line.is_limit() && wanted(line);
  });
  return found == table.lines.end() ? nullptr : &*found;
}

const measurement* fastest_of(const task_report& table, bool ours) {
  return fastest(table, [&](const measurement& line) { return (line.role == role::riffle) == ours; });
}

/// What a sentence that does not compare two may need to know.
struct situation {
  const task_report& table;
  std::size_t tables;  // that share the time
  const measurement& best;
  const measurement* with_one;  // the automatic choice, or else the fastest with one thread
  bool few = false;             // a sentence before said that there were too few rounds
};

using found_words = std::optional<named_words>;

found_words more_threads(const situation& at) {
  if (at.best.threads == 1 || at.with_one == nullptr) return {};
  const comparison of = compared(at.best, *at.with_one);
  if (of.how != relation::faster) return {};
  return named_words{{"n", fmt::format("{}", at.best.threads)},
                     {"a", full_name(at.table, at.best)},
                     {"b", full_name(at.table, *at.with_one)},
                     {"times", in_times(of.times)}};
}

// The share of its time that it used no processor and was not delayed; and whom that is of.
found_words waiting(const situation& at, const measurement* line) {
  if (line == nullptr) return {};
  const usage& used = line->usage;
  const double ran = used.user_seconds + used.system_seconds + used.delayed_seconds;
  if (ran == 0) return {};  // of a worker it is unknown
  const double share = std::clamp(1 - ran / line->seconds.median, 0.0, 1.0);
  const bool cached = is_cached(at.table.cache);
  if (cached && (at.table.task != task::commands || share <= 0.5)) return {};
  return named_words{
      {"a", full_name(at.table, *line)},
      {"share", fmt::format("{:.0f}", 100 * (cached ? 1 - share : share))},
      {"faults",
       used.major_faults < 1 ? "" : fmt::format(" ({} major faults)", text::with_commas(used.major_faults))}};
}
found_words waits_for_storage(const situation& at) {
  return is_cached(at.table.cache) ? std::nullopt : waiting(at, at.with_one);
}
found_words another_waits_for_storage(const situation& at) {
  const measurement* const other =
      fastest(at.table, [](const measurement& line) { return line.threads == 1; });
  return is_cached(at.table.cache) || other == at.with_one ? std::nullopt : waiting(at, other);
}
// A command may wait for something else, such as a slow pipe.
found_words waits_for_something(const situation& at) {
  return is_cached(at.table.cache) ? waiting(at, &at.best) : std::nullopt;
}

// Why a share is above 100 %, of the fastest that is certainly faster than the limit that binds it, unless
// that is the scan limit.
found_words passes_limit(const situation& at) {
  for (const measurement& line : at.table.lines) {
    if (!line.measured() || !line.limit || line.of_limit().value_or(0) <= 1) continue;
    if (line.limit->kind == limit_kind::scan) continue;
    const auto limit = std::ranges::find_if(at.table.lines, [&](const measurement& each) {
      const bool same_threads = each.threads == line.threads || each.sets == limit_kind::device;
      return each.sets == line.limit->kind && each.measured() && same_threads;
    });
    if (limit == at.table.lines.end()) continue;
    const comparison of = compared(line, *limit);
    if (of.how != relation::faster) continue;
    constexpr std::array<std::string_view, 4> reasons{
        "", "it copies in another way, or not all of the bytes",
        "its bytes came from a cache, or the device prefers other requests than were tried",
        "its decoder is another one, or decodes while it reads"};
    return named_words{{"a", full_name(at.table, line)},
                       {"times", in_times(of.times)},
                       {"limit", std::string(name_of(line.limit->kind))},
                       {"reason", std::string(reasons.at(static_cast<std::size_t>(line.limit->kind)))}};
  }
  return {};
}

found_words too_few(const situation& at) {
  if (!at.few) return {};
  return named_words{{"enough", fmt::format("{}", rounds_to_judge)},
                     {"time", time_for_rounds(at.table.round_seconds, at.tables)}};
}

found_words introduces(const situation& at) {
  return introduces_code(at.table) ? found_words(named_words()) : std::nullopt;
}

struct plain_sentence {
  found_words (*words)(const situation&);  // nothing: it does not hold
  std::string_view text;
};

constexpr std::array plain_sentences{
    plain_sentence{more_threads, "{n} threads ({a}) are {times} faster than {b}."},
    plain_sentence{waits_for_storage, "{a} waited for storage for {share} % of its time{faults}."},
    plain_sentence{another_waits_for_storage, "{a} waited for storage for {share} % of its time{faults}."},
    plain_sentence{waits_for_something,
                   "{a} used a processor for {share} % of its time, and waited for the rest or was "
                   "delayed{faults}."},
    plain_sentence{passes_limit, "{a} is {times} faster than the {limit} limit: {reason}."},
    plain_sentence{too_few, "For {enough} rounds, use {time}."},
    plain_sentence{introduces, "The fastest of riffle's contenders:"}};

/// Puts the sentences on a table together.
class judging {
 public:
  judging(const task_report& table, std::size_t tables) : table_(table), tables_(tables) {}

  verdict run() {
    const measurement* const best = best_of(table_);
    if (best == nullptr) return {.text = "Nothing was measured."};
    verdict found{};
    const measurement* with_one = automatic_of(table_);
    if (!table_.base.empty()) {
      say_of_plan(*best);
    } else if (table_.task == task::commands) {
      say_of_commands(*best);
    } else {
      say_of_methods();
      const std::size_t before = said_.size();
      if (with_one != nullptr) {
        found.automatic = say_of_choice(*with_one, *best);
        found.of_automatic = joined_from(before);
      } else {
        say_of_best(*best);
        with_one = fastest(table_, [](const measurement& line) { return line.threads == 1; });
      }
    }
    const bool of_processes = table_.task == task::commands;
    const situation at{table_, tables_, *best, of_processes ? best : with_one, few_};
    for (const plain_sentence& each : plain_sentences) {
      if (const found_words words = each.words(at)) said_.push_back(filled(each.text, *words));
    }
    if (const found_words words = too_few(at); words && !found.of_automatic.empty())
      found.of_automatic += ' ' + filled("For {enough} rounds, use {time}.", *words);
    found.text = joined_from(0);
    if (!of_processes) found.code = winning_code(table_);
    return found;
  }

 private:
  std::string joined_from(std::size_t first) const {
    return text::joined(said_ | std::views::drop(first), " ");
  }

  void say(whom of, const comparison& found, named_words more = {}) {
    const auto row = std::ranges::find_if(comparing_sentences, [&](const comparing_sentence& each) {
      return each.of == of && each.holds == found.how;
    });
    const auto name = of == whom::two ? short_name : full_name;
    named_words words{{"a", name(table_, *found.one)},
                      {"b", name(table_, *found.other)},
                      {"times", in_times(found.times)},
                      {"rounds", fmt::format("{}", found.rounds)},
                      {"enough", fmt::format("{}", rounds_to_judge)},
                      {"why", why_varied(table_, found)}};
    words.insert(words.end(), more.begin(), more.end());
    said_.push_back(filled(row->text, words));
    few_ = few_ || found.how == relation::few;
  }

  void say_of_methods() {
    const main_pair of = pair_of(table_);
    if (!of) return;
    const comparison found = compared(*of.mmap, *of.read);
    say(whom::two, found,
        {{"place",
          fmt::format("On {}, {}, ", table_.files > 1 ? "these files" : "this file", name_of(table_.cache))},
         {"cause", cause_of(table_, found)},
         {"wait", wait_of(found)}});
  }

  static std::string wait_of(const comparison& of) {
    const bool both = waits_for_device(*of.one) && waits_for_device(*of.other);
    return both ? ": both wait for the device" : "";
  }

  void say_of_best(const measurement& best) {
    const std::string share = share_of(best);
    said_.push_back(filled("{a} has the shortest median: {speed} {unit}{at}.",
                           {{"a", full_name(table_, best)},
                            {"speed", text::short_number(speed_of(table_, best))},
                            {"unit", std::string(speed_unit_of(table_))},
                            {"at", share.empty() ? "" : ", " + share}}));
    if (best.role == role::riffle) say_of_others(best, "It");
  }

  void say_of_others(const measurement& line, std::string it) {
    if (const measurement* const other = fastest_of(table_, false))
      say(whom::others, compared(line, *other), {{"it", std::move(it)}});
  }

  // Compares the automatic choice with the contenders that use one thread, as it does.
  automatic_choice say_of_choice(const measurement& automatic, const measurement& best) {
    const auto one_thread = [](const measurement& line) { return line.threads == 1; };
    const measurement* const faster = fastest(table_, [&](const measurement& line) {
      return one_thread(line) && compared(automatic, line).how == relation::slower;
    });
    const measurement& other = faster != nullptr ? *faster : *fastest(table_, one_thread);
    const std::string share = share_of(automatic);
    const named_words more{{"at", share.empty() ? "" : ", at " + share},
                           {"at,", share.empty() ? "" : ", at " + share + ","},
                           {"threads", best.threads != 1 ? " with one thread" : ""}};
    comparison found = compared(automatic, other);
    if (&automatic == &other && automatic.seconds.samples < rounds_to_judge) {
      found.how = relation::faster;
      few_ = true;
    } else if (&automatic == &other) {
      found.how = relation::alike;
    }
    say(whom::choice, found, more);
    if (found.how == relation::faster || found.how == relation::alike || other.role == role::riffle)
      say_of_others(automatic, "It");
    constexpr double tolerated = 1.05;
    if (found.how == relation::slower && found.times > tolerated) return automatic_choice::slower;
    return found.how == relation::slower || found.how == relation::alike ? automatic_choice::right
                                                                         : automatic_choice::undecided;
  }

  // Each of the first few commands beside the fastest.
  void say_of_commands(const measurement& best) {
    for (const measurement& line :
         table_.lines | std::views::drop_while(&measurement::is_limit) | std::views::take(4)) {
      if (&line == &best || !line.measured()) continue;
      const comparison found = compared(best, line);
      say(whom::two, found, {{"wait", wait_of(found)}});
    }
    if (said_.empty()) say_of_best(best);
  }

  // The fastest of riffle beside the best of the others; and who cannot be told from it.
  void say_of_plan(const measurement& best) {
    const measurement* const own = fastest_of(table_, true);
    const measurement* const other = fastest_of(table_, false);
    if (own == nullptr || other == nullptr) return say_of_best(best);
    say_of_others(*own, full_name(table_, *own));
    say_of_untold(*own, *other, relation::alike, "{all} {do} not differ from {a} either.");
    say_of_untold(*own, *other, relation::varied, "{all} cannot be told from {a} either: their runs vary.");
    say_of_untold(*own, *other, relation::few, "{all} had too few rounds beside {a}.");
  }

  void say_of_untold(const measurement& own, const measurement& other, relation how, std::string_view text) {
    std::vector<std::string> all;
    for (const measurement& line : table_.lines) {
      if (!line.measured() || line.is_limit() || &line == &own || &line == &other) continue;
      if (compared(own, line).how == how) all.push_back(full_name(table_, line));
    }
    if (all.empty()) return;
    few_ = few_ || how == relation::few;
    said_.push_back(filled(
        text,
        {{"all", first_few(all)}, {"do", all.size() == 1 ? "does" : "do"}, {"a", full_name(table_, own)}}));
  }

  const task_report& table_;
  std::size_t tables_;
  std::vector<std::string> said_;
  bool few_ = false;
};

}  // namespace

verdict verdict_of(const task_report& table, std::size_t tables) {
  return judging(table, tables).run();
}

}  // namespace riffle::bench
