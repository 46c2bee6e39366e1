/// Prints the table on the terminal.
#include <fmt/core.h>

#include <algorithm>
#include <ostream>

#include "bench/judge/conclusions.hpp"
#include "bench/show/in_words.hpp"
#include "bench/show/outputs.hpp"
#include "text/columns.hpp"
#include "text/numbers.hpp"

namespace riffle::bench {

namespace {

/// Writes lines, in colour or without; the text is the same either way.
class painter {
 public:
  painter(std::ostream& out, bool colour) : out_(out), colour_(colour) {}

  /// Lines, each with its end, which stays outside the colour.
  void write(std::string_view lines, std::string_view style = {}) {
    while (!lines.empty()) {
      const std::string_view line = lines.substr(0, lines.find('\n'));
      const bool plain = !colour_ || line.empty() || style.empty();
      out_ << (plain ? std::string(line) : fmt::format("\x1b[{}m{}\x1b[0m", style, line)) << '\n';
      lines.remove_prefix(std::min(line.size() + 1, lines.size()));
    }
  }

 private:
  std::ostream& out_;
  bool colour_;
};

// As terminals number them. In place of fmt/color.h, for which g++ 13 warns falsely with {fmt} 9.
constexpr std::string_view heading_style = "1";   // bold
constexpr std::string_view riffle_style = "36";   // cyan
constexpr std::string_view limit_style = "2";     // faint
constexpr std::string_view warning_style = "33";  // yellow
constexpr std::string_view failure_style = "31";  // red

/// One line of the table, as text.
struct cells {
  std::string marker;
  std::string rank;
  std::string contender;
  std::string program;
  std::string median;
  std::string spread;
  std::string speed;
  double bar = 0;  // share of the longest one
  std::string share;
};

// What a command used is of more interest than whose it is.
std::string from_of(const task_report& table, const measurement* line) {
  if (table.task != task::commands) return line == nullptr ? "from" : line->program;
  if (line == nullptr) return "CPU time      peak";
  const double seconds = line->usage.user_seconds + line->usage.system_seconds;
  return line->is_limit() ? "" : fmt::format("{:>8} {:>9}", text::human_seconds(seconds), peak_memory(*line));
}

// A function, because strings that are made at each start cost page faults.
cells headings(const task_report& table) {
  const bool commands = table.task == task::commands;
  return {" ",
          "",
          commands ? "command" : "contender",
          from_of(table, nullptr),
          "median",
          "95%",
          std::string(speed_unit_of(table)),
          0,
          table.bytes > 0 ? "of its limit" : ""};
}

std::string marker_of(const measurement& line) {
  if (line.is_limit()) return "=";
  return line.role == role::riffle ? ">" : " ";
}

// A limit that binds no contender here has no bar: beside the
// bar of the memory limit, the bars of a cold run would be dots.
bool binds_one(const task_report& table, const measurement& limit) {
  return std::ranges::any_of(table.lines, [&](const measurement& line) {
    const bool same_threads = line.threads == limit.threads || limit.sets == limit_kind::device;
    return line.measured() && line.limit && line.limit->kind == limit.sets && same_threads;
  });
}

bool has_bar(const task_report& table, const measurement& line) {
  return line.measured() && (!line.is_limit() || binds_one(table, line));
}

/// The widths of the columns: names get what they need, the bars the rest of the line. On a narrow terminal
/// the columns that tell least are left out (0).
class layout {
 public:
  explicit layout(const task_report& table)
      : contender_(text::columns_of(headings(table).contender)),
        program_(text::columns_of(headings(table).program)) {
    for (const measurement& line : table.lines) {
      if (!line.measured()) continue;
      widen(contender_, text::printable(line.label));
      widen(program_, from_of(table, &line));
      widen(speed_, text::short_number(speed_of(table, line)));
      widen(share_, share_of_limit(line));
    }
    const std::size_t columns = text::terminal_columns();
    std::size_t shortest = shortest_bar;
    for (std::size_t* const least : {&shortest, &program_, &share_, &spread_}) {
      const bool fits = others() + std::min(contender_, shortest_name) + shortest <= columns;
      if (columns < text::widest_line && !fits) *least = 0;
      if (shortest == 0 && share_ != 0) widen(share_, headings(table).share);
    }
    // A result from a file may name a program that fills the line.
    const std::size_t room = columns - std::min(others(), columns);
    contender_ = std::min(contender_, std::max(room, shortest + 2) - shortest);
    bar_ = shortest == 0 ? 0 : room - std::min(room, contender_);
  }

  std::string line(const cells& row) const {
    std::string text = row.marker + " " + text::right_aligned(row.rank, rank) + " ";
    text += text::left_aligned(text::shortened(row.contender, contender_), contender_) + " ";
    if (program_ != 0) text += text::left_aligned(row.program, program_) + " ";
    text += text::right_aligned(row.median, median) + " ";
    if (spread_ != 0) text += text::right_aligned(row.spread, spread_) + " ";
    text += text::right_aligned(row.speed, speed_);
    text += drawn(row);
    text.erase(text.find_last_not_of(' ') + 1);
    return text + '\n';
  }

 private:
  static constexpr std::size_t rank = 2;
  static constexpr std::size_t median = 8;
  static constexpr std::size_t shortest_bar = 6;
  static constexpr std::size_t shortest_name = 20;

  static void widen(std::size_t& column, const std::string& text) {
    column = std::max(column, text::columns_of(text));
  }

  // The bar, and the share of the limit at the end of the line; over the bars, its heading alone.
  std::string drawn(const cells& row) const {
    const bool has_bar = bar_ != 0 && row.bar > 0;
    std::string bar = has_bar ? " " + text::left_aligned(text::bar(row.bar, bar_), bar_) : "";
    if (share_ == 0) return bar;
    return bar + " " + text::right_aligned(row.share, has_bar || bar_ == 0 ? share_ : bar_ + 1 + share_);
  }

  // What the columns beside the names and the bars take, and the spaces between them.
  std::size_t others() const {
    const auto and_space = [](std::size_t column) { return column == 0 ? 0 : column + 1; };
    return 2 + rank + 1 + 1 + and_space(program_) + median + 1 + and_space(spread_) + speed_ + 1 +
           and_space(share_);
  }

  std::size_t contender_;
  std::size_t program_;
  std::size_t spread_ = 5;
  std::size_t speed_ = 5;
  std::size_t share_ = 0;
  std::size_t bar_ = 0;
};

// Limits and contenders that were measured, each group under an empty line, from the fastest to the slowest.
void print_measured(const task_report& table, const std::vector<standing>& standings, painter& to) {
  const layout columns(table);
  double fastest = 0;
  for (const measurement& line : table.lines) {
    if (has_bar(table, line)) fastest = std::max(fastest, speed_of(table, line));
  }
  to.write(columns.line(headings(table)), heading_style);
  bool after_limits = false;
  for (std::size_t i = 0; i < table.lines.size(); ++i) {
    const measurement& line = table.lines[i];
    if (!line.measured()) continue;
    if (after_limits && !line.is_limit()) to.write("\n");
    after_limits = line.is_limit();
    const double speed = speed_of(table, line);
    const std::string rank = line.is_limit() ? "" : rank_in_words(standings[i]);
    to.write(
        columns.line({marker_of(line), rank, text::printable(line.label), from_of(table, &line),
                      text::human_seconds(line.seconds.median), half_width(line), text::short_number(speed),
                      has_bar(table, line) && fastest > 0 ? speed / fastest : 0, share_of_limit(line)}),
        line.is_limit()             ? limit_style
        : line.role == role::riffle ? riffle_style
                                    : std::string_view());
  }
}

void print_legend(const task_report& table, const std::vector<standing>& standings, painter& to) {
  const std::string_view marks = table.task != task::commands ? "= limit, > riffle. "
                                 : table.bytes > 0            ? "= limit. "
                                                              : "";
  to.write(text::wrapped(fmt::format("{}Contenders that do not differ share a rank.", marks), 0),
           limit_style);
  if (lacks_ranks(table, standings))
    to.write(text::wrapped("- instead of a rank: it cannot be told from another.", 2), limit_style);
}

// One line for each contender without figures. Those that an interrupted run did not reach share a line.
void print_others(const task_report& table, painter& to) {
  std::vector<std::string> without_turn;
  for (const measurement& line : table.lines) {
    if (line.measured()) continue;
    const std::string who = text::printable(line.program + "/" + line.label);
    if (line.result.outcome == outcome::measured) {
      without_turn.push_back(who);
      continue;
    }
    const bool failure = line.result.outcome != outcome::unavailable;
    to.write(
        text::wrapped(
            fmt::format("{}: {}: {}", outcome_in_words(line), who, text::printable(line.result.reason)), 2),
        failure ? failure_style : limit_style);
  }
  if (!without_turn.empty()) to.write(text::wrapped("not timed: " + first_few(without_turn), 2), limit_style);
}

void print_facts(const std::vector<fact>& facts, std::ostream& out) {
  constexpr std::size_t about = 10;
  for (const fact& each : facts) {
    out << text::wrapped(text::left_aligned(each.about, about) + text::printable(each.text), about);
  }
}

}  // namespace

void print_machine(const machine& facts, std::ostream& out) {
  print_facts(facts_in_words(facts), out);
}

void print_limits(const limits& limits, std::ostream& out) {
  print_facts(limits_in_words(limits), out);
}

void print_table(const task_report& table, const table_conclusions& conclusions, bool colour,
                 std::ostream& out) {
  constexpr std::size_t longest_name = 40;
  painter to(out, colour);
  to.write(fmt::format("{}: {}\n", name_of(table.task), description_of(table.task)), heading_style);
  const std::string input = text::shortened(text::printable(table.input), longest_name);
  to.write(text::wrapped(input_in_words(table, input), 2) + "\n");
  if (std::ranges::any_of(table.lines, &measurement::measured)) {
    print_measured(table, conclusions.standings, to);
    print_legend(table, conclusions.standings, to);
  }
  print_others(table, to);
  const verdict& verdict = conclusions.verdict;
  to.write("\n" + text::wrapped(text::printable(verdict.text), 0), heading_style);
  if (!verdict.code.empty()) to.write(text::wrapped("    " + verdict.code, 8));
}

void print_warnings(const std::vector<warning>& warnings, bool colour, std::ostream& out) {
  painter to(out, colour);
  for (const warning& each : warnings) {
    to.write(text::wrapped("warning: " + text::printable(each.text), 4), warning_style);
    to.write(text::wrapped("    " + each.remedy, 4));
  }
}

}  // namespace riffle::bench
