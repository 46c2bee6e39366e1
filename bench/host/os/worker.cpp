/// A child process in a group of its own, with a pipe to its input, and from its output and its errors.
#include "bench/host/os/worker.hpp"

#include <fmt/core.h>
#include <poll.h>
#include <sys/wait.h>

#include <array>
#include <csignal>
#include <cstring>
#include <riffle/error.hpp>
#include <stdexcept>

#include "bench/host/os/interrupt.hpp"
#include "bench/host/os/spawn.hpp"
#include "bench/host/os/usage.hpp"
#include "os/posix/uninterrupted.hpp"

namespace riffle::os {

namespace {

constexpr double patience = 5;  // seconds, for the end of a worker that is asked no more
constexpr std::size_t longest_line = std::size_t{1} << 20U;

}  // namespace

class worker::process {
 public:
  explicit process(program what) {
    std::vector<std::string> variables = environment_with(what.environment);
    std::vector<char*> words = pointers_to(what.words);
    std::vector<char*> pointers = pointers_to(variables);
    int failure = 0;
    for (const pipe_ends* const each : {&input_, &output_, &errors_})
      failure = std::max(failure, each->failure);
    child_ = failure == 0 ? fork() : -1;
    if (child_ == 0) become(words.data(), pointers.data(), what.directory.c_str());
    if (child_ < 0)
      throw error({failure != 0 ? failure : errno, std::generic_category()}, "start", what.words.front());
    setpgid(child_, child_);  // it does so itself, perhaps later
    for (int* const other : {&input_.reading, &output_.writing, &errors_.writing}) close_end(*other);
  }
  process(const process&) = delete;
  process& operator=(const process&) = delete;
  ~process() {
    close_end(input_.writing);
    finish();
  }

  std::string ask(std::string_view line, double most_seconds) {
    take_part(0);
    if (!lines_.empty()) fail("it writes more than a line for a run");
    const std::int64_t start = bench::steady_now();
    uninterrupted([&] { return ::write(input_.writing, line.data(), line.size()); });
    std::size_t end = 0;
    while ((end = lines_.find('\n')) == std::string::npos) {
      if (output_ended_) fail_ended();
      if (interrupted()) fail("interrupted");
      if (seconds_since(start) > most_seconds)
        fail(fmt::format("a run takes longer than {:g} s", most_seconds));
      if (lines_.size() > longest_line) fail("its answer is too long");
      take_part(100);
    }
    std::string answer = lines_.substr(0, end);
    lines_.erase(0, end + 1);
    return answer;
  }

 private:
  [[noreturn]] void become(char** words, char** variables, const char* directory) const {
    setpgid(0, 0);
    environ = variables;
    dup2(input_.reading, STDIN_FILENO);
    dup2(output_.writing, STDOUT_FILENO);
    dup2(errors_.writing, STDERR_FILENO);
    if (*directory == '\0' || chdir(directory) == 0) execvp(words[0], words);
    const char* const why = std::strerror(errno);
    for (const char* const text : {"cannot start '", static_cast<const char*>(words[0]), "': ", why})
        [[maybe_unused]]
      const ssize_t written = ::write(STDERR_FILENO, text, std::strlen(text));
    _exit(127);
  }

  [[noreturn]] void fail(const std::string& why) {
    kill(-child_, SIGKILL);
    throw std::runtime_error(why);
  }

  [[noreturn]] void fail_ended() {
    finish();
    const std::string how = failure_in_words(status_, told_);
    throw std::runtime_error(how.empty() ? "its process ended" : "its process ended: " + how);
  }

  static double seconds_since(std::int64_t moment) {
    return static_cast<double>(bench::steady_now() - moment) * 1e-9;
  }

  // Reads what it writes, for so many milliseconds at most.
  void take_part(int milliseconds) {
    std::array<pollfd, 2> waited{{{output_ended_ ? -1 : output_.reading, POLLIN, 0},
                                  {errors_ended_ ? -1 : errors_.reading, POLLIN, 0}}};
    if (poll(waited.data(), waited.size(), milliseconds) <= 0) return;
    if (waited[1].revents != 0) errors_ended_ = !keep_errors(errors_.reading, told_);
    if (waited[0].revents == 0) return;
    std::array<char, 4096> part;
    const ssize_t count = uninterrupted([&] { return ::read(output_.reading, part.data(), part.size()); });
    output_ended_ = count <= 0;
    if (count > 0) lines_.append(part.data(), static_cast<std::size_t>(count));
  }

  // Waits for its end, not for ever. What it left running ends too.
  void finish() {
    if (finished_) return;
    siginfo_t end{};
    for (const std::int64_t start = bench::steady_now();
         end.si_pid == 0 && !interrupted() && seconds_since(start) < patience;) {
      take_part(1);
      lines_.clear();
      waitid(P_PID, static_cast<id_t>(child_), &end, WEXITED | WNOHANG | WNOWAIT);
    }
    kill(-child_, SIGKILL);
    uninterrupted([&] { return waitpid(child_, &status_, 0); });
    finished_ = true;
    while (!errors_ended_) take_part(0);
  }

  pipe_ends input_, output_, errors_;
  pid_t child_ = -1;
  int status_ = 0;
  std::string lines_;  // what it wrote and nobody has taken
  std::string told_;   // the start of its standard error
  bool output_ended_ = false;
  bool errors_ended_ = false;
  bool finished_ = false;
};

worker::worker(const program& what) : process_(std::make_unique<process>(what)) {}
worker::~worker() = default;

std::string worker::ask(std::string_view line, double most_seconds) {
  return process_->ask(line, most_seconds);
}

}  // namespace riffle::os
