/// A small process waits for a request, starts the program, waits for its end and tells what it took. This
/// one reads meanwhile what the program writes.
#include "bench/host/os/command.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <riffle/error.hpp>

#include "bench/host/interrupt.hpp"
#include "bench/host/os/spawn.hpp"
#include "bench/host/usage.hpp"
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
  pipe_ends input, output, errors;
};

/// What a program gets as its standard input, output and error.
using streams = std::array<int, 3>;

int open_sockets(int (&ends)[2]) noexcept {
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return -1;
  for (const int end : ends) fcntl(end, F_SETFD, FD_CLOEXEC);
  return 0;
}

/// A message of a number and three descriptors; see unix(7).
struct message {
  std::size_t length = 0;
  iovec part{&length, sizeof length};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(streams))> control{};
  msghdr header{};

  message() {
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    header.msg_control = control.data();
    header.msg_controllen = control.size();
  }
};

bool send(int to, std::size_t length, const streams& descriptors) {
  message whole;
  whole.length = length;
  cmsghdr* const rights = CMSG_FIRSTHDR(&whole.header);
  rights->cmsg_level = SOL_SOCKET;
  rights->cmsg_type = SCM_RIGHTS;
  rights->cmsg_len = CMSG_LEN(sizeof descriptors);
  std::memcpy(CMSG_DATA(rights), descriptors.data(), sizeof descriptors);
  return uninterrupted([&] { return sendmsg(to, &whole.header, 0); }) == sizeof whole.length;
}

/// Returns the number; 0 if nothing comes any more.
std::size_t receive(int from, streams& descriptors) {
  message whole;
  if (uninterrupted([&] { return recvmsg(from, &whole.header, 0); }) != sizeof whole.length) return 0;
  std::memcpy(descriptors.data(), CMSG_DATA(CMSG_FIRSTHDR(&whole.header)), sizeof descriptors);
  for (int& each : descriptors) {
    each = above_standard(each);
    fcntl(each, F_SETFD, FD_CLOEXEC);
  }
  return whole.length;
}

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

/// A request: texts that each end with a NUL byte: the directory, the variables, an empty text, the words.
std::string request_of(const program& what) {
  std::string texts = what.directory + '\0';
  for (const std::string& variable : what.environment) texts += variable + '\0';
  texts += '\0';
  for (const std::string& word : what.words) texts += word + '\0';
  return texts;
}

program requested(const std::string& texts) {
  program what{.words = {}};
  std::size_t at = 0;
  const auto next = [&](std::string& text) {
    if (at == texts.size()) return false;
    text = texts.c_str() + at;
    at += text.size() + 1;
    return true;
  };
  next(what.directory);
  std::string text;
  while (next(text) && !text.empty()) what.environment.push_back(text);
  while (next(text)) what.words.push_back(text);
  return what;
}

told run(program what, streams& given, int home) {
  told all;
  if ((what.directory.empty() ? fchdir(home) : chdir(what.directory.c_str())) != 0) {
    all.refused = errno;
    return all;
  }
  std::vector<std::string> variables = environment_with(what.environment);
  std::vector<char*> pointers = pointers_to(variables);
  char** const inherited = std::exchange(environ, pointers.data());  // which has the PATH that is searched
  const std::vector<char*> words = pointers_to(what.words);
  pipe_ends refusal;  // which closes if the program starts
  rusage used{};
  const std::int64_t start = bench::steady_now();
  // Not vfork(2), or posix_spawn(3): the peak of the program would count all code that this process ran.
  const pid_t child = fork();
  if (child == 0) {
    for (int i = 0; i < 3; ++i) dup2(given.at(static_cast<std::size_t>(i)), i);
    execvp(words[0], words.data());
    [[maybe_unused]] const ssize_t written = ::write(refusal.writing, &errno, sizeof errno);
    _exit(EXIT_FAILURE);
  }
  if (child < 0) all.refused = errno;
  close_end(refusal.writing);
  for (int& each : given) close_end(each);  // so that riffle sees them end
  transfer(::read, refusal.reading, reinterpret_cast<char*>(&all.refused), sizeof all.refused);
  if (child > 0) uninterrupted([&] { return wait4(child, &all.status, 0, &used); });
  all.seconds = static_cast<double>(bench::steady_now() - start) * 1e-9;
  environ = inherited;
  add_usage(all.usage, used);
  all.usage.bytes_read = static_cast<double>(used.ru_inblock) * block_unit;
  all.usage.peak_memory = static_cast<double>(used.ru_maxrss) * peak_unit;
  return all;
}

[[noreturn]] void run_on_request(int requests) {
  setpgid(0, 0);
  std::signal(SIGTERM, [](int) {});
  // Whoever waits for the end of what riffle writes does not wait for this process.
  // Nor does a worker wait for the end of its input.
  constexpr long most = 65536;
  for (int other = 0; other < std::min(sysconf(_SC_OPEN_MAX), most); ++other) {
    if (other != requests) close(other);
  }
  const int home = above_standard(open(".", O_RDONLY | O_CLOEXEC));
  streams given{};
  while (const std::size_t length = receive(requests, given)) {
    std::string texts(length, '\0');
    if (!transfer(::read, requests, texts.data(), length)) break;
    const told all = run(requested(texts), given, home);
    for (int& each : given) close_end(each);
    transfer(::write, requests, reinterpret_cast<const char*>(&all), sizeof all);
  }
  _exit(0);
}

}  // namespace

class launcher::process {
 public:
  process() {
    child_ = requests_.failure == 0 ? fork() : -1;
    if (child_ == 0) run_on_request(requests_.reading);
    if (child_ < 0)
      throw error({requests_.failure != 0 ? requests_.failure : errno, std::generic_category()}, "start",
                  "a process");
    setpgid(child_, child_);  // it does so itself, perhaps later
    close_end(requests_.reading);
  }
  process(const process&) = delete;
  process& operator=(const process&) = delete;
  ~process() {
    kill(-child_, SIGKILL);
    uninterrupted([&] { return waitpid(child_, nullptr, 0); });
  }

  void start(const program& what, double most_seconds, bool with_input) {
    name_ = what.words.front();
    from_.emplace();
    for (const pipe_ends* const each : {&from_->input, &from_->output, &from_->errors}) {
      if (each->failure != 0) throw error({each->failure, std::generic_category()}, "start", name_);
    }
    if (!with_input) {
      close_input();
      close_end(from_->input.reading);
      from_->input.reading = above_standard(open("/dev/null", O_RDONLY | O_CLOEXEC));
    }
    all_ = {};
    errors_.clear();
    running_ = true;
    late_ = false;
    end_within(most_seconds);
    const std::string request = request_of(what);  // if it comes nowhere, `read` finds the end of the reply
    if (send(requests_.writing, request.size(),
             {from_->input.reading, from_->output.writing, from_->errors.writing}))
      transfer(::write, requests_.writing, request.data(), request.size());
    for (int* const other : {&from_->input.reading, &from_->output.writing, &from_->errors.writing})
      close_end(*other);
  }
  [[nodiscard]] bool can_start() const { return !running_ && !lost_; }

  void end_within(double most_seconds) {
    ends_by_ = bench::steady_now() + static_cast<std::int64_t>(most_seconds * 1e9);
  }
  void write(std::string_view text) { transfer(::write, from_->input.writing, text.data(), text.size()); }
  void close_input() { close_end(from_->input.writing); }

  std::size_t read(std::span<char> into) {
    while (true) {
      std::array<pollfd, 3> waited{{{from_->output.reading, POLLIN, 0},
                                    {from_->errors.reading, POLLIN, 0},
                                    {running_ ? requests_.writing : -1, POLLIN, 0}}};
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
      if (waited[1].revents != 0 && !keep_errors(from_->errors.reading, errors_))
        close_end(from_->errors.reading);
      if (waited[0].revents != 0) {
        const ssize_t count = ::read(from_->output.reading, into.data(), into.size());
        if (count > 0) return static_cast<std::size_t>(count);
        if (count == 0) close_end(from_->output.reading);
        if (count == 0 && from_->input.writing >= 0) stop();  // it cannot answer any more
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
    from_.reset();  // what it left running writes to nobody
    if (all_.refused != 0) throw error({all_.refused, std::generic_category()}, "start", name_);
    return {all_.seconds, all_.usage, failure_in_words(all_.status, errors_), late_};
  }

 private:
  // What it left running would write into the next run.
  void note_end() {
    lost_ = !transfer(::read, requests_.writing, reinterpret_cast<char*>(&all_), sizeof all_);
    if (lost_) all_.status = SIGKILL;
    running_ = false;
    kill(-child_, SIGTERM);
  }

  std::string name_;
  pipe_ends requests_{open_sockets};
  std::optional<pipes> from_;  // and to the program that runs
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
  if (process_ && !process_->can_start()) process_.reset();
  if (!process_) process_ = std::make_unique<process>();
}

void launcher::start(const program& what, double most_seconds, bool with_input) {
  get_ready();
  process_->start(what, most_seconds, with_input);
}

void launcher::write(std::string_view text, double most_seconds) {
  process_->end_within(most_seconds);
  process_->write(text);
}

void launcher::close_input(double most_seconds) {
  process_->end_within(most_seconds);
  process_->close_input();
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
