/// One thread waits for signals, and draws the line whenever none comes for a fifth of a second.
#include "cli/progress/watch.hpp"

#include <riffle/error.hpp>
#include <riffle/input.hpp>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <new>
#include <system_error>

#include "cli/os/terminal.hpp"
#include "cli/output.hpp"
#include "cli/progress/line.hpp"
#include "os/file.hpp"

namespace riffle::cli {

namespace {

using namespace std::chrono_literals;

constexpr auto late = 50ms;      // nobody has pressed Ctrl-C yet
constexpr auto first_line = 1s;  // no line before
constexpr auto between_lines = 200ms;
constexpr std::size_t most_samples = 15;  // the rate is that of 3 s
// It is read in less time than a thread takes to start and to end, if it is cached.
constexpr std::uint64_t small = 512 * 1024;

// The bytes that will be read of it; nothing if that is not known.
std::optional<std::uint64_t> size_of(const std::string& name) {
  if (name != "-") {
    std::error_code failure;
    const std::uintmax_t size = std::filesystem::file_size(detail::path_of(name), failure);
    return failure ? std::nullopt : std::optional<std::uint64_t>(size);
  }
  try {
    const os::file input = os::file::borrow(0, "standard input");
    const os::file_status status = input.status();
    if (status.kind != os::file_kind::regular) return std::nullopt;
    return status.size - std::min(status.size, input.position().value_or(0));
  } catch (const error&) {
    return std::nullopt;
  }
}

}  // namespace

void reading_watch::start() {
  if (started_) return;
  started_ = true;
  shown_ = the_progress_line.allow(command_.copies);
  interrupts_.emplace();
  try {
    thread_ = std::thread([this] { watch(); });
  } catch (const std::system_error&) {  // the command does without
    interrupts_.reset();
    the_progress_line.forbid();
  }
}

reading_watch::~reading_watch() {
  if (!thread_.joinable()) return;
  stop_ = true;
  os::interrupts::wake(thread_);
  thread_.join();
  if (looks_for_total_.joinable()) looks_for_total_.join();
  the_progress_line.forbid();
}

void reading_watch::begin(const source& opened) {
  if (command_.files.size() == 1) total_ = opened.size_hint() - std::min(opened.size_hint(), opened.start());
  // To ask what has a size for positions would take a call for each file.
  start_if_long(opened.size_hint() <= small && (opened.size_hint() != 0 || opened.seekable()));
}

void reading_watch::begin(const std::string& name) {
  if (started_ && command_.files.size() != 1) return;
  const std::optional<std::uint64_t> size = size_of(name);
  if (command_.files.size() == 1) total_ = size.value_or(0);
  start_if_long(size.value_or(small + 1) <= small);
}

void reading_watch::start_if_long(bool small_file) {
  if (!started_ && (!small_file || clock::now() - begun_ >= late)) start();
}

void reading_watch::watch() {
  os::write_in_background();
  while (!stop_) {
    std::optional<std::chrono::nanoseconds> longest;
    if (shown_)
      longest = std::max<std::chrono::nanoseconds>(begun_ + first_line - clock::now(), between_lines);
    const int signal = interrupts_->wait(longest);
    if (stop_) return;
    if (signal != 0) end_by(signal);
    try {
      if (shown_) draw();
    } catch (const std::exception&) {  // no memory, no thread: the command does without a line
      shown_ = false;
      the_progress_line.forbid();
    }
  }
}

void reading_watch::draw() {
  const sample now{clock::now(), bytes_};
  if (now.time - begun_ < first_line) return;
  // Far storage may take long to answer, so this thread does not wait for it.
  if (command_.files.size() > 1 && !looks_for_total_.joinable()) {
    looks_for_total_ = std::thread([this] { find_total(); });
  }
  const std::uint64_t total = total_;
  the_progress_line.show({now.bytes, total == 0 ? std::nullopt : std::optional(total), rate_at(now)});
}

// The rate of the last few samples, as storage and files differ.
double reading_watch::rate_at(const sample& now) {
  if (samples_.empty()) samples_.push_back({begun_, 0});
  if (samples_.size() == most_samples) samples_.erase(samples_.begin());
  samples_.push_back(now);
  const std::chrono::duration<double> time = now.time - samples_.front().time;
  return time.count() > 0 ? static_cast<double>(now.bytes - samples_.front().bytes) / time.count() : 0;
}

// Not known if any input is a pipe or cannot be looked at.
void reading_watch::find_total() {
  std::uint64_t all = 0;
  for (const std::string& name : command_.files) {
    const std::optional<std::uint64_t> size = stop_ ? std::nullopt : size_of(name);
    if (!size) return;
    all += *size;
  }
  total_ = all;
}

// Nothing here waits long: not for a reader of standard output or error, not for what another thread holds.
void reading_watch::end_by(int signal) const noexcept {
  try {
    the_progress_line.clear_at_end();
    flush_unless_full();
    os::write_unless_full(2, command_.so_far());
  } catch (const std::bad_alloc&) {
    os::interrupts::end_program(signal);  // without the text
  }
  os::interrupts::end_program(signal);
}

}  // namespace riffle::cli
