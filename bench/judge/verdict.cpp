/// States what the table shows beyond the noise, and puts the winner's options into the task's code.
#include "bench/judge/verdict.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <ranges>
#include <riffle/decoders.hpp>
#include <riffle/methods.hpp>
#include <utility>
#include <vector>

#include "bench/contenders/registry.hpp"
#include "bench/judge/conclusions.hpp"
#include "bench/stats/statistics.hpp"
#include "text/joined.hpp"
#include "text/numbers.hpp"

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

std::string called(const measurement& line) {
  if (line.role == role::command) return "`" + line.label + "`";
  return line.role == role::riffle ? line.label : line.program + "/" + line.label;
}

std::string full_name(const measurement& line) {
  if (line.role == role::command) return called(line);
  return line.program + "/" + line.label;
}

// "2.1x" or, below 1.2, "5 %".
std::string times(double ratio) {
  if (ratio < 1.2) return fmt::format("{:.0f} %", 100 * (ratio - 1));
  return fmt::format("{:.{}f}x", ratio, ratio < 10 ? 1 : 0);
}

/// Who of two is faster, as far as their rounds can tell.
struct comparison {
  const measurement* faster = nullptr;  // nullptr: neither was shown to be
  const measurement* slower = nullptr;
  double ratio = 1;         // of their times, at least 1
  bool alike = false;       // they were shown not to differ
  std::string untold = {};  // why neither was shown
};

// "mmap's runs spread by 73 %"
std::string why_untold(const measurement& a, const measurement& b, const difference& found) {
  if (!found.enough_rounds())
    return fmt::format("{} of {} rounds; use a longer --time", found.rounds, rounds_to_judge);
  const auto reach = [](const measurement& line) {
    return reach_of(line.seconds.ci95, line.seconds.median).value_or(0);
  };
  const measurement& wider = reach(a) > reach(b) ? a : b;
  return fmt::format("{}'s runs spread by {:.0f} %", called(wider), std::max(1.0, 100 * reach(wider)));
}

comparison compared(const measurement& a, const measurement& b) {
  const difference found = compare(a.result.samples, b.result.samples);
  if (found.alike()) return {.alike = true};
  if (!found.certain) return {.untold = why_untold(a, b, found)};
  if (found.ratio > 1) return {&a, &b, found.ratio};
  return {&b, &a, 1 / found.ratio};
}

bool certainly_slower(const measurement& line, const measurement& than) {
  return compared(than, line).faster == &than;
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

// Why one is faster than the other, if something that was measured shows it.
std::string cause(const task_report& table, const comparison& pair, const main_pair& which) {
  // Below this, mapping a file costs more than copying it (docs/choosing.md, by size of file).
  constexpr std::uint64_t small = 8 << 20;
  if (!is_cached(table.cache)) return "";  // the device, as far as known
  if (table.task == task::commands) return "";
  const bool mapped = pair.faster == which.mmap;
  if (!mapped && table.bytes / std::max<std::size_t>(table.files, 1) < small) {
    return ": setting up a mapping costs more than copying so few bytes";
  }
  const double faults = which.mmap->usage.minor_faults;
  if (faults >= 1) {
    return fmt::format(": {} page fault{}{}", text::with_commas(faults),
                       text::with_commas(faults) == "1" ? "" : "s", folios(table, *which.mmap));
  }
  const usage& used = which.read->usage;
  const double share = used.system_seconds / std::max(used.user_seconds + used.system_seconds, 1e-12);
  if (mapped && share > 0.1) return fmt::format(": read spends {:.0f} % of its time copying", 100 * share);
  return "";
}

std::string said_of_pair(const task_report& table, const main_pair& which) {
  const comparison pair = compared(*which.mmap, *which.read);
  const std::string mmap = called(*which.mmap);
  const std::string read = called(*which.read);
  if (pair.faster != nullptr) {
    return fmt::format("{} is {} faster than {}{}.", called(*pair.faster), times(pair.ratio),
                       called(*pair.slower), cause(table, pair, which));
  }
  if (!pair.alike) return fmt::format("{} and {} cannot be told apart: {}.", mmap, read, pair.untold);
  const bool waiting = waits_for_device(*which.mmap) && waits_for_device(*which.read);
  return fmt::format("{} and {} do not differ{}.", mmap, read, waiting ? ": both wait for the device" : "");
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

const measurement* fastest_with_one_thread(const task_report& table) {
  return fastest(table, [](const measurement& line) { return line.threads == 1; });
}

// " It is 2.0x faster than ioaccess/mmap, the best that is not riffle."
std::string against_others(const task_report& table, const measurement& line, std::string_view who) {
  const measurement* const other =
      fastest(table, [](const measurement& each) { return each.role != role::riffle; });
  if (other == nullptr) return {};
  const comparison pair = compared(line, *other);
  std::string text = fmt::format(" {} ", who);
  if (pair.faster != nullptr) {
    text += fmt::format("is {} {} than", times(pair.ratio), pair.faster == &line ? "faster" : "slower");
  } else {
    text += pair.alike ? "does not differ from" : "cannot be told from";
  }
  text += fmt::format(" {}, the best that is not riffle", full_name(*other));
  return text + (pair.untold.empty() ? "." : ": " + pair.untold + ".");
}

/// What is said of the automatic choice, and what that amounts to.
struct said {
  std::string text;
  automatic_choice amounts_to;
};

// Compares the automatic choice with the contenders that use one thread, as it does.
said said_of_automatic(const task_report& table, const measurement& automatic) {
  const measurement* const faster = fastest(
      table, [&](const measurement& line) { return line.threads == 1 && certainly_slower(automatic, line); });
  const measurement& best = faster != nullptr ? *faster : *fastest_with_one_thread(table);
  const comparison pair = compared(automatic, best);
  const std::string share = share_of(automatic);
  const std::string at = share.empty() ? "" : ", at " + share;
  const auto and_others = [&](const std::string& text) {
    return best.role == role::riffle ? text + against_others(table, automatic, "It") : text;
  };
  if (pair.slower == &automatic) {
    constexpr double tolerated = 1.05;
    return {and_others(fmt::format("The automatic choice is {} slower than {}{}.", times(pair.ratio),
                                   full_name(best), at)),
            pair.ratio > tolerated ? automatic_choice::slower : automatic_choice::right};
  }
  if (&automatic != &best && !pair.alike) {
    return {and_others(fmt::format("The automatic choice{} cannot be told from {}: {}.",
                                   share.empty() ? "" : at + ",", full_name(best), pair.untold)),
            automatic_choice::undecided};
  }
  const bool few = &automatic == &best && automatic.seconds.samples < rounds_to_judge;
  const std::string as_fast =
      fmt::format("The automatic choice {}{}{}.", few ? "has the shortest median" : "is as fast as any",
                  best_of(table)->threads != 1 ? " with one thread" : "", at);
  return {as_fast + against_others(table, automatic, "It"),
          few ? automatic_choice::undecided : automatic_choice::right};
}

// " riffle/automatic waited for storage for 93 % of its time (340 major faults); ..." if it was not cached. A
// command may wait for something else, such as a slow pipe.
std::string said_of_wait(const task_report& table, std::initializer_list<const measurement*> lines) {
  const bool cached = is_cached(table.cache);
  if (cached && table.task != task::commands) return {};
  std::string text;
  const measurement* before = nullptr;
  for (const measurement* const line : lines) {
    if (line == nullptr || line == std::exchange(before, line)) continue;
    const usage& used = line->usage;
    const double ran = used.user_seconds + used.system_seconds + used.delayed_seconds;
    const double waited = std::clamp(1 - ran / line->seconds.median, 0.0, 1.0);
    if (cached && waited <= 0.5) continue;
    text += cached
                ? fmt::format(
                      " {} used a processor for {:.0f} % of its time, and waited for the rest or was delayed",
                      full_name(*line), 100 - 100 * waited)
                : fmt::format("{} {} waited for storage for {:.0f} % of its time", text.empty() ? "" : ";",
                              full_name(*line), 100 * waited);
    if (used.major_faults >= 1)
      text += fmt::format(" ({} major faults)", text::with_commas(used.major_faults));
  }
  return text.empty() ? text : text + ".";
}

// Why a share is above 100 %, of the fastest that is certainly faster than the limit that binds it, unless
// that is the scan limit.
std::string said_of_passed_limit(const task_report& table) {
  for (const measurement& line : table.lines) {
    if (!line.measured() || !line.limit || line.of_limit().value_or(0) <= 1) continue;
    if (line.limit->kind == limit_kind::scan) continue;
    const auto limit = std::ranges::find_if(table.lines, [&](const measurement& each) {
      const bool same_threads = each.threads == line.threads || each.sets == limit_kind::device;
      return each.sets == line.limit->kind && each.measured() && same_threads;
    });
    if (limit == table.lines.end()) continue;
    const comparison pair = compared(line, *limit);
    if (pair.faster != &line) continue;
    constexpr std::array reasons{
        "it copies in another way, or not all of the bytes",
        "its bytes came from a cache, or the device prefers other requests than were tried",
        "its decoder is another one, or decodes while it reads"};
    return fmt::format(" {} is {} faster than the {} limit: {}.", full_name(line), times(pair.ratio),
                       name_of(line.limit->kind), reasons.at(static_cast<std::size_t>(line.limit->kind) - 1));
  }
  return {};
}

std::string said_of_best(const task_report& table, const measurement& best) {
  const std::string share = share_of(best);
  std::string text = fmt::format("{} has the shortest median: {} {}{}.", full_name(best),
                                 text::short_number(speed_of(table, best)), speed_unit_of(table),
                                 share.empty() ? "" : ", " + share);
  return best.role == role::riffle ? text + against_others(table, best, "It") : text;
}

// Each of the first few commands beside the fastest.
std::string said_of_commands(const task_report& table, const measurement& best) {
  std::string text;
  for (const measurement& line :
       table.lines | std::views::drop_while(&measurement::is_limit) | std::views::take(4)) {
    if (&line == &best || !line.measured()) continue;
    text += (text.empty() ? "" : " ") + said_of_pair(table, {.mmap = &best, .read = &line});
  }
  return text.empty() ? said_of_best(table, best) : text;
}

// " With 2 threads riffle/read is 1.7x faster than that."
std::string said_of_threads(const measurement& best, const measurement* with_one) {
  if (best.threads == 1 || with_one == nullptr || !certainly_slower(*with_one, best)) return {};
  return fmt::format(" {} threads ({}) are {} faster than {}.", best.threads, full_name(best),
                     times(compared(best, *with_one).ratio), full_name(*with_one));
}

}  // namespace

verdict verdict_of(const task_report& table) {
  const measurement* const best = best_of(table);
  if (best == nullptr) return {.text = "Nothing was measured."};
  if (table.task == task::commands)
    return {.text =
                said_of_commands(table, *best) + said_of_wait(table, {best}) + said_of_passed_limit(table)};
  std::string text;
  if (const main_pair pair = pair_of(table)) {
    text += fmt::format("On {}, {}, ", table.files > 1 ? "these files" : "this file", name_of(table.cache));
    text += said_of_pair(table, pair) + " ";
  }
  const measurement* const automatic = automatic_of(table);
  const said choice =
      automatic != nullptr ? said_of_automatic(table, *automatic) : said{{}, automatic_choice::unknown};
  text += automatic != nullptr ? choice.text : said_of_best(table, *best);
  const measurement* const with_one = automatic != nullptr ? automatic : fastest_with_one_thread(table);
  text += said_of_threads(*best, with_one);
  text += said_of_wait(table, {with_one, fastest_with_one_thread(table)});
  text += said_of_passed_limit(table);
  text += introduction_of_code(table);
  return {
      .text = text, .of_automatic = choice.text, .automatic = choice.amounts_to, .code = winning_code(table)};
}

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

std::string_view introduction_of_code(const task_report& table) {
  const measurement* const best = best_of(table);
  const measurement* const winner = winner_of(table);
  if (best == nullptr || best->role == role::riffle || winner->role != role::riffle) return {};
  return " The fastest of riffle's contenders:";
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
