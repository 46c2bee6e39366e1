/// Writes the line by a carriage return and blanks alone, which every terminal knows.
#include "cli/progress/line.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <thread>

#include "cli/os/terminal.hpp"
#include "text/columns.hpp"
#include "text/numbers.hpp"
#include "text/terminal.hpp"

namespace riffle::cli {

namespace {

constexpr int terminal = 2;

// "0:05", "12:34", "1:02:03"
std::string clock_time(double seconds) {
  constexpr double longest = 360'000;  // 100 hours
  const auto all = static_cast<unsigned long>(std::lround(std::min(seconds, longest)));
  const unsigned long minutes = all / 60;
  return minutes < 60 ? fmt::format("{}:{:02}", minutes, all % 60)
                      : fmt::format("{}:{:02}:{:02}", minutes / 60, minutes % 60, all % 60);
}

std::string done(const progress_facts& facts) {
  std::string read = text::human_size(facts.bytes);
  if (!facts.total || *facts.total < facts.bytes) return read;  // a file grew
  const double share =
      static_cast<double>(facts.bytes) / static_cast<double>(std::max<std::uint64_t>(*facts.total, 1));
  return fmt::format("{} of {} ({:.0f} %)", read, text::human_size(*facts.total), 100 * share);
}

std::string left(const progress_facts& facts) {
  if (!facts.total || *facts.total < facts.bytes || facts.rate < 1) return {};
  return clock_time(static_cast<double>(*facts.total - facts.bytes) / facts.rate) + " left";
}

}  // namespace

std::string progress_text(const progress_facts& facts, std::size_t columns) {
  const auto rate = text::human_size(static_cast<std::uint64_t>(facts.rate)) + "/s";
  std::string line;
  for (const std::string& part : std::array{done(facts), rate, left(facts)}) {
    const std::string_view comma = line.empty() ? "" : ", ";
    if (part.empty() || line.size() + comma.size() + part.size() > columns) break;
    line.append(comma).append(part);
  }
  return line;
}

bool progress_line::allow(bool copies) {
  const char* const kind = std::getenv("TERM");
  const bool shown = text::on_terminal(stderr) && (kind == nullptr || std::string_view(kind) != "dumb");
  const bool mixed = shown && text::on_terminal(stdout);
  if (mixed && copies) return false;
  allowed_ = shown;
  beside_rows_ = mixed;
  return shown;
}

void progress_line::forbid() {
  const pause last(stderr);
  allowed_ = beside_rows_ = false;
}

void progress_line::show(const progress_facts& facts) {
  if (os::in_background(terminal)) return;
  const std::size_t wide = os::columns_of_terminal(terminal).value_or(text::terminal_columns);
  const std::string text = progress_text(facts, wide - 1);  // some terminals wrap in the last column
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock || !allowed_) return;
  // After the terminal became narrower, the old line may be wrapped: its last row alone can be replaced.
  const std::size_t old = std::min(columns_, wide - 1);
  columns_ = text.size();
  os::write_unless_full(terminal, '\r' + text + std::string(old - std::min(old, text.size()), ' '));
}

void progress_line::clear() {
  if (columns_ == 0) return;
  const std::size_t wide = os::columns_of_terminal(terminal).value_or(text::terminal_columns);
  os::write_unless_full(terminal, '\r' + std::string(std::min(columns_, wide - 1), ' ') + '\r');
  columns_ = 0;
}

void progress_line::clear_at_end() {
  constexpr std::size_t echo = 2;  // "^C"
  constexpr int attempts = 20;
  for (int attempt = 0; attempt != attempts; ++attempt) {
    if (const std::unique_lock lock(mutex_, std::try_to_lock); lock) {
      if (allowed_) columns_ += echo;
      allowed_ = false;
      return clear();
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

void progress_line::pause::begin() {
  lock_ = std::unique_lock(the_progress_line.mutex_);
  the_progress_line.clear();
}

}  // namespace riffle::cli
