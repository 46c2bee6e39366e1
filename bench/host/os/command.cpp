/// A small process waits for a byte, starts the command, waits for its end and tells what it took. This one
/// reads meanwhile what the command writes.
#include "bench/host/os/command.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstring>
#include <riffle/error.hpp>

#include "bench/host/os/interrupt.hpp"
#include "bench/host/os/spawn.hpp"
#include "bench/host/os/usage.hpp"
#include "os/posix/uninterrupted.hpp"

namespace riffle::os {

namespace {

#if defined(__linux__)
constexpr double peak_unit = 1024;
constexpr double block_unit = 512;  // of what was read from storage
#elif defined(__APPLE__)
constexpr double peak_unit = 1;
constexpr double block_unit = 0;  // has no size
#else
constexpr double peak_unit = 1024;
constexpr double block_unit = 0;
#endif

/// What the small process writes after a run. It is smaller than what a pipe takes at once.
struct told {
  double seconds = 0;
  bench::usage usage = {};
  int status = 0;   // of wait4(2)
  int refused = 0;  // errno, if the command could not be started
};

struct pipes {
  pipe_ends request, reply, output, errors;
};

told run(char** words, const posix_spawn_file_actions_t* actions) {
  told all;
  rusage used{};
  pid_t child = 0;
  const std::int64_t start = bench::steady_now();
  all.refused = posix_spawnp(&child, words[0], actions, nullptr, words, environ);
  if (all.refused != 0) return all;
  uninterrupted([&] { return wait4(child, &all.status, 0, &used); });
  all.seconds = static_cast<double>(bench::steady_now() - start) * 1e-9;
  add_usage(all.usage, used);
  all.usage.bytes_read = static_cast<double>(used.ru_inblock) * block_unit;
  all.usage.peak_memory = static_cast<double>(used.ru_maxrss) * peak_unit;
  return all;
}

[[noreturn]] void run_on_request(char** words, pipes& to) {
  setpgid(0, 0);
  std::signal(SIGTERM, [](int) {});
  spawn_actions actions;
  posix_spawn_file_actions_addopen(actions.get(), STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(actions.get(), to.output.writing, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(actions.get(), to.errors.writing, STDERR_FILENO);
  // Whoever waits for the end of riffle's output does not wait for this process.
  for (int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) close_end(descriptor);
  for (int* const other : {&to.request.writing, &to.reply.reading, &to.output.reading, &to.errors.reading})
    close_end(*other);
  char asked = 0;
  while (uninterrupted([&] { return ::read(to.request.reading, &asked, 1); }) == 1) {
    const told all = run(words, actions.get());
    uninterrupted([&] { return ::write(to.reply.writing, &all, sizeof all); });
  }
  _exit(0);
}

std::string in_words(const told& all, std::string errors) {
  std::string text;
  if (WIFSIGNALED(all.status)) text = std::string("ended by a signal: ") + strsignal(WTERMSIG(all.status));
  if (WIFEXITED(all.status) && WEXITSTATUS(all.status) != 0)
    text = "exit status " + std::to_string(WEXITSTATUS(all.status));
  while (errors.ends_with('\n')) errors.pop_back();
  for (std::size_t at = 0; (at = errors.find('\n', at)) != std::string::npos;) errors.replace(at, 1, "; ");
  return text.empty() || errors.empty() ? text : text + ": " + errors;
}

}  // namespace

class command::process {
 public:
  process(std::vector<std::string> words, double most_seconds)
      : name_(words.front()), most_seconds_(most_seconds) {
    if (words.size() == 1) words.insert(words.begin(), {"sh", "-c"});
    int failure = 0;
    for (const pipe_ends* const each : {&to_.request, &to_.reply, &to_.output, &to_.errors})
      failure = std::max(failure, each->failure);
    child_ = failure == 0 ? fork() : -1;
    if (child_ == 0) run_on_request(pointers_to(words).data(), to_);
    if (child_ < 0)
      throw error({failure != 0 ? failure : errno, std::generic_category()}, "run", words.back());
    setpgid(child_, child_);  // it does so itself, perhaps later
    for (int* const other :
         {&to_.request.reading, &to_.reply.writing, &to_.output.writing, &to_.errors.writing})
      close_end(*other);
  }
  process(const process&) = delete;
  process& operator=(const process&) = delete;
  ~process() {
    kill(-child_, SIGKILL);
    uninterrupted([&] { return waitpid(child_, nullptr, 0); });
  }

  void start() {
    all_ = {};
    errors_.clear();
    running_ = true;
    late_ = false;
    ends_by_ = bench::steady_now() + static_cast<std::int64_t>(most_seconds_ * 1e9);
    uninterrupted([&] { return ::write(to_.request.writing, "", 1); });
  }

  std::size_t read(std::span<char> into) {
    while (true) {
      std::array<pollfd, 3> waited{{{to_.output.reading, POLLIN, 0},
                                    {to_.errors.reading, POLLIN, 0},
                                    {running_ ? to_.reply.reading : -1, POLLIN, 0}}};
      constexpr int look_for_signals = 100;  // milliseconds
      const int ready = poll(waited.data(), waited.size(), running_ ? look_for_signals : 0);
      const bool overdue = bench::steady_now() > ends_by_;
      late_ |= running_ && overdue;
      if (stopped_at_ != 0 || interrupted() || overdue) stop();
      if (!running_ && ready <= 0) return 0;
      if (ready <= 0) continue;
      const auto has_bytes = [&](std::size_t i) { return (waited[i].revents & POLLIN) != 0; };
      if (!running_ && overdue) {
        late_ |= has_bytes(0);  // what was read is a part
        return 0;
      }
      if (has_bytes(1)) keep_errors();
      if (has_bytes(0)) {
        const ssize_t count = ::read(to_.output.reading, into.data(), into.size());
        if (count > 0) return static_cast<std::size_t>(count);
      } else if (waited[2].revents != 0) {
        note_end();
      } else if (!running_ && !has_bytes(1)) {
        return 0;
      }
    }
  }

  void stop() noexcept {
    constexpr std::int64_t patience = 500'000'000;
    const std::int64_t now = bench::steady_now();
    if (stopped_at_ == 0) stopped_at_ = now;
    if (running_) kill(-child_, now - stopped_at_ > patience ? SIGKILL : SIGTERM);
  }

  command_end end() {
    std::array<char, 64 << 10> dropped;
    while (read(dropped) > 0) {
    }
    stopped_at_ = 0;
    if (all_.refused != 0) throw error({all_.refused, std::generic_category()}, "start", name_);
    return {all_.seconds, all_.usage, in_words(all_, errors_), late_};
  }

 private:
  // The start of it says most.
  void keep_errors() {
    constexpr std::size_t most = 1000;
    std::array<char, 4096> part;
    const ssize_t count = ::read(to_.errors.reading, part.data(), part.size());
    if (count > 0)
      errors_.append(part.data(), std::min(most - errors_.size(), static_cast<std::size_t>(count)));
  }

  // What it left running would write into the next run.
  void note_end() {
    const bool all =
        uninterrupted([&] { return ::read(to_.reply.reading, &all_, sizeof all_); }) == sizeof all_;
    if (!all) all_.status = SIGKILL;
    running_ = false;
    kill(-child_, SIGTERM);
  }

  std::string name_;
  pipes to_;
  pid_t child_ = -1;
  told all_;
  std::string errors_;
  bool running_ = false;
  bool late_ = false;
  double most_seconds_;
  std::int64_t ends_by_ = 0;
  std::int64_t stopped_at_ = 0;  // 0: it runs on
};

command::command(const std::vector<std::string>& words, double most_seconds)
    : process_(std::make_unique<process>(words, most_seconds)) {}

command::~command() = default;

void command::start() {
  process_->start();
}

std::size_t command::read(std::span<char> into) {
  return process_->read(into);
}

void command::stop() noexcept {
  process_->stop();
}

command_end command::end() {
  return process_->end();
}

}  // namespace riffle::os
