/// One thread redraws the line, by a carriage return and blanks alone, which every terminal knows.
#include "cli/progress/progress.hpp"

#include <fmt/core.h>
#include <riffle/input.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <new>
#include <system_error>

#include "cli/os/terminal.hpp"
#include "text/numbers.hpp"
#include "text/os/terminal.hpp"
#include "text/terminal.hpp"

namespace riffle::cli {

namespace {

using namespace std::chrono_literals;

using clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds first_line = 1s;  // no line before
constexpr std::chrono::milliseconds between_lines = 200ms;
constexpr std::size_t longest_line = 100;
constexpr std::size_t echo = 2;  // columns that the terminal needs after the text: "^C"

// There is one terminal.
std::mutex terminal;
std::atomic<bool> shown = false;

// Some terminals wrap in the last column.
std::size_t columns_for_line() noexcept {
  return std::min(os::columns_of_terminal(stderr) - 1, longest_line);
}

// A signal handler may call it.
void remove_line() {
  if (!shown) return;
  const std::size_t columns = columns_for_line();
  std::array<char, longest_line + 2> blanks;
  blanks.fill(' ');
  blanks[0] = blanks[columns + 1] = '\r';
  os::write_to_terminal({blanks.data(), columns + 2});
  shown = false;
}

// 0 if it is unknown, as with a pipe, or takes long to find out: of many files on high-latency storage.
std::uint64_t size_of(std::span<const std::string> files) {
  const clock::time_point late = clock::now() + 50ms;
  std::uint64_t all = 0;
  for (const std::string& name : files) {
    std::error_code failure;
    const std::filesystem::path path(detail::path_of(name == "-" ? "/dev/stdin" : name));
    all += std::filesystem::file_size(path, failure);
    if (failure || (clock::now() > late && &name != &files.back())) return 0;
  }
  return all;
}

}  // namespace

std::string progress_text(std::uint64_t bytes, std::uint64_t total, double seconds, std::size_t columns) {
  const double rate = static_cast<double>(bytes) / seconds;
  const bool known = total != 0 && bytes <= total;  // else a file grew
  std::string line = text::human_size(bytes);
  if (known) {
    const double share = static_cast<double>(bytes) / static_cast<double>(total);
    line += fmt::format(" of {} ({:.0f} %)", text::human_size(total), 100 * share);
  }
  line += fmt::format(", {}/s", text::human_size(static_cast<std::uint64_t>(rate)));
  if (known && bytes != 0) {
    const double left = std::round(static_cast<double>(total - bytes) / rate);
    line += fmt::format(", {:.0f}:{:02.0f} left", std::floor(left / 60), std::fmod(left, 60));
  }
  while (line.size() > columns) line.resize(line.find(',') == line.npos ? 0 : line.rfind(','));
  return line;
}

reading_progress::reading_progress(const reading_arguments& given, bool writes_as_it_reads) {
  if (!text::shows_progress(given.progress, writes_as_it_reads)) return;
  total_ = size_of(given.files);
  os::call_before_the_end(remove_line);
  try {
    thread_ = std::thread([this] { show(); });
    os::take_end_signals(false);
  } catch (const std::system_error&) {
    return;  // the command does without
  }
}

reading_progress::~reading_progress() {
  if (!thread_.joinable()) return;
  os::take_end_signals(true);
  stop_ = true;
  static_cast<void>(removed());  // the thread draws no more: it waits, or looks at `stop_` before it does
  stopped_.notify_all();
  thread_.join();
}

std::unique_lock<std::mutex> reading_progress::removed() {
  std::unique_lock lock(terminal);
  remove_line();
  return lock;
}

void reading_progress::show() {
  const clock::time_point start = clock::now();
  const auto is_stopped = [this] { return stop_.load(); };
  std::unique_lock lock(terminal);
  try {
    for (auto wait = first_line; !stopped_.wait_for(lock, wait, is_stopped); wait = between_lines) {
      const std::chrono::duration<double> time = clock::now() - start;
      const std::size_t columns = columns_for_line();
      const std::string text = progress_text(bytes_, total_, time.count(), columns - std::min(columns, echo));
      shown = true;
      os::write_to_terminal(fmt::format("\r{:{}}\r{}", text, columns, text));
    }
  } catch (const std::bad_alloc&) {  // the command does without
    stopped_.wait(lock, is_stopped);
  }
}

}  // namespace riffle::cli
