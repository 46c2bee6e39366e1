/// A small process waits for a request, starts the program, waits for its end and tells what it took. This
/// one reads meanwhile what the program writes.
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

/// Writes or reads all of it. Returns false if the pipe is closed.
template <class Call, class Byte>
bool transfer(Call call, int descriptor, Byte* bytes, std::size_t size) {
  for (std::size_t done = 0; done < size;) {
    const ssize_t count = uninterrupted([&] { return call(descriptor, bytes + done, size - done); });
    if (count <= 0) return false;
    done += static_cast<std::size_t>(count);
  }
  return true;
}

/// A request: its length, then texts that each end with a NUL byte: the directory, the variables, an empty
/// text, the words.
std::string request_of(const program& what) {
  std::string texts = what.directory + '\0';
  for (const std::string& variable : what.environment) texts += variable + '\0';
  texts += '\0';
  for (const std::string& word : what.words) texts += word + '\0';
  const std::size_t length = texts.size();
  return std::string(reinterpret_cast<const char*>(&length), sizeof length) + texts;
}

/// Returns false once nothing is asked for any more.
bool next_request(int from, program& what) {
  std::size_t length = 0;
  if (!transfer(::read, from, reinterpret_cast<char*>(&length), sizeof length)) return false;
  std::string texts(length, '\0');
  if (!transfer(::read, from, texts.data(), length)) return false;
  auto next = [&, at = std::size_t{0}](std::string& text) mutable {
    if (at == texts.size()) return false;
    text = texts.c_str() + at;
    at += text.size() + 1;
    return true;
  };
  what = {};
  next(what.directory);
  std::string text;
  while (next(text) && !text.empty()) what.environment.push_back(text);
  while (next(text)) what.words.push_back(text);
  return true;
}

told run(program what, const pipes& to, int home) {
  told all;
  if ((what.directory.empty() ? fchdir(home) : chdir(what.directory.c_str())) != 0) {
    all.refused = errno;
    return all;
  }
  std::vector<std::string> variables = environment_with(what.environment);
  std::vector<char*> pointers = pointers_to(variables);
  char** const inherited = std::exchange(environ, pointers.data());  // which has the PATH that is searched
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, to.output.writing, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, to.errors.writing, STDERR_FILENO);
  const std::vector<char*> words = pointers_to(what.words);
  rusage used{};
  pid_t child = 0;
  const std::int64_t start = bench::steady_now();
  all.refused = posix_spawnp(&child, words[0], &actions, nullptr, words.data(), environ);
  if (all.refused == 0) uninterrupted([&] { return wait4(child, &all.status, 0, &used); });
  all.seconds = static_cast<double>(bench::steady_now() - start) * 1e-9;
  posix_spawn_file_actions_destroy(&actions);
  environ = inherited;
  add_usage(all.usage, used);
  all.usage.bytes_read = static_cast<double>(used.ru_inblock) * block_unit;
  all.usage.peak_memory = static_cast<double>(used.ru_maxrss) * peak_unit;
  return all;
}

[[noreturn]] void run_on_request(pipes& to) {
  setpgid(0, 0);
  std::signal(SIGTERM, [](int) {});
  // Whoever waits for the end of riffle's output does not wait for this process.
  for (int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) close_end(descriptor);
  for (int* const other : {&to.request.writing, &to.reply.reading, &to.output.reading, &to.errors.reading})
    close_end(*other);
  const int home = above_standard(open(".", O_RDONLY | O_CLOEXEC));
  for (program what; next_request(to.request.reading, what);) {
    const told all = run(std::move(what), to, home);
    uninterrupted([&] { return ::write(to.reply.writing, &all, sizeof all); });
  }
  _exit(0);
}

}  // namespace

class launcher::process {
 public:
  process() {
    int failure = 0;
    for (const pipe_ends* const each : {&to_.request, &to_.reply, &to_.output, &to_.errors})
      failure = std::max(failure, each->failure);
    child_ = failure == 0 ? fork() : -1;
    if (child_ == 0) run_on_request(to_);
    if (child_ < 0)
      throw error({failure != 0 ? failure : errno, std::generic_category()}, "start", "a process");
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

  // Nothing is lost if the process has ended: then `read` finds the end of its reply.
  void start(const program& what, double most_seconds) {
    name_ = what.words.front();
    all_ = {};
    errors_.clear();
    running_ = true;
    late_ = false;
    ends_by_ = bench::steady_now() + static_cast<std::int64_t>(most_seconds * 1e9);
    const std::string request = request_of(what);
    transfer(::write, to_.request.writing, request.data(), request.size());
  }
  [[nodiscard]] bool lost() const { return lost_; }

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
      if (has_bytes(1)) keep_errors(to_.errors.reading, errors_);
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
    return {all_.seconds, all_.usage, failure_in_words(all_.status, errors_), late_};
  }

 private:
  // What it left running would write into the next run.
  void note_end() {
    lost_ = !transfer(::read, to_.reply.reading, reinterpret_cast<char*>(&all_), sizeof all_);
    if (lost_) all_.status = SIGKILL;
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
  bool lost_ = false;  // it was killed with what it ran
  std::int64_t ends_by_ = 0;
  std::int64_t stopped_at_ = 0;  // 0: it runs on
};

launcher::launcher() = default;
launcher::~launcher() = default;

void launcher::get_ready() {
  if (process_ && process_->lost()) process_.reset();
  if (!process_) process_ = std::make_unique<process>();
}

void launcher::start(const program& what, double most_seconds) {
  get_ready();
  process_->start(what, most_seconds);
}

std::size_t launcher::read(std::span<char> into) {
  return process_->read(into);
}

void launcher::stop() noexcept {
  process_->stop();
}

command_end launcher::end() {
  return process_->end();
}

}  // namespace riffle::os
