/// A small process waits for a request, starts the program, waits for its end and tells what it took. This
/// one reads meanwhile what the program writes.
#include "bench/host/command.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <riffle/error.hpp>
#include <utility>

#include "bench/host/system.hpp"
#include "os/file.hpp"
#include "os/posix/calls.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration): not every system declares it

namespace riffle::os {

namespace {

/// What a program gets as its standard input, output and error.
using streams = std::array<int, 3>;

void close_end(int& descriptor) noexcept {
  if (descriptor >= 0) close(std::exchange(descriptor, -1));
}

/// The descriptor, or another one if it stands in place of a closed standard input or output, which a program
/// that is started gets anew.
int above_standard(int descriptor) noexcept {
  if (descriptor > STDERR_FILENO || descriptor < 0) return descriptor;
  const int above = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  close(descriptor);
  return above;
}

int open_sockets(int (&ends)[2]) noexcept {
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return -1;
  for (const int end : ends) fcntl(end, F_SETFD, FD_CLOEXEC);
  return 0;
}

// Returns whether there are any.
bool open_anew(pipe_ends& both, int (*make)(int (&)[2]) noexcept = open_pipe) {
  both.close();
  int ends[2];
  if (make(ends) != 0) return false;
  both.reading = above_standard(ends[0]);
  both.writing = above_standard(ends[1]);
  return true;
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
    header.msg_controllen = static_cast<decltype(header.msg_controllen)>(control.size());
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
  for (const int each : descriptors) fcntl(each, F_SETFD, FD_CLOEXEC);
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

/// Appends what execve(2) takes of this process's own environment: the variables whose names are not given.
void add_own_environment(std::vector<char*>& variables) {
  const std::vector<char*> given = variables;
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string_view text(*each);
    const std::string_view name = text.substr(0, text.find('=') + 1);
    const auto replaces = [name](std::string_view other) { return other.starts_with(name); };
    if (name.empty() || std::ranges::none_of(given, replaces)) variables.push_back(*each);
  }
}

told run(std::string request, streams& given) {
  std::size_t at = 0;
  const auto next = [&] {
    char* const text = request.data() + at;
    at = request.find('\0', at) + 1;
    return text;
  };
  const char* const directory = next();
  std::vector<char*> variables;
  for (char* each = next(); *each != '\0'; each = next()) variables.push_back(each);
  add_own_environment(variables);
  variables.push_back(nullptr);
  std::vector<char*> words;
  while (at < request.size()) words.push_back(next());
  words.push_back(nullptr);
  told all;
  pipe_ends refusal;  // which closes if the program starts
  open_anew(refusal);
  rusage used{};
  const std::int64_t start = bench::steady_now();
  // Not vfork(2), or posix_spawn(3): the peak of the program would count all code that this process ran.
  const pid_t child = fork();
  if (child == 0) {
    for (int i = 0; i < 3; ++i) dup2(given.at(static_cast<std::size_t>(i)), i);
    environ = variables.data();  // which has the PATH that is searched
    if (*directory == '\0' || chdir(directory) == 0) execvp(words[0], words.data());
    [[maybe_unused]] const ssize_t written = ::write(refusal.writing, &errno, sizeof errno);
    _exit(EXIT_FAILURE);
  }
  if (child < 0) all.refused = errno;
  close_end(refusal.writing);
  for (int& each : given) close_end(each);  // so that riffle sees them end
  transfer(::read, refusal.reading, reinterpret_cast<char*>(&all.refused), sizeof all.refused);
  if (child > 0) uninterrupted([&] { return wait4(child, &all.status, 0, &used); });
  all.seconds = static_cast<double>(bench::steady_now() - start) * 1e-9;
  add_usage(all.usage, used);
  all.usage.bytes_read = static_cast<double>(used.ru_inblock) * 512;
  all.usage.peak_memory = static_cast<double>(used.ru_maxrss) * 1024;
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
  for (int none = open("/dev/null", O_RDWR); none >= 0 && none < STDERR_FILENO;) none = dup(none);
  streams given{};
  while (const std::size_t length = receive(requests, given)) {
    std::string request(length, '\0');
    if (!transfer(::read, requests, request.data(), length)) break;
    const told all = run(std::move(request), given);
    transfer(::write, requests, reinterpret_cast<const char*>(&all), sizeof all);
  }
  _exit(0);
}

// How a process ended, if not well: "exit status 2: " and what it wrote to standard error.
std::string failure_in_words(int status, std::string errors) {
  std::string text;
  if (WIFSIGNALED(status)) text = std::string("ended by a signal: ") + strsignal(WTERMSIG(status));
  if (WIFEXITED(status) && WEXITSTATUS(status) != 0)
    text = "exit status " + std::to_string(WEXITSTATUS(status));
  while (errors.ends_with('\n')) errors.pop_back();
  for (std::size_t at = 0; (at = errors.find('\n', at)) != std::string::npos;) errors.replace(at, 1, "; ");
  return text.empty() || errors.empty() ? text : text + ": " + errors;
}

// The start of it says most, so the rest is dropped. Returns false at its end.
bool keep_errors(int reading, std::string& errors) {
  constexpr std::size_t most = 1000;
  std::array<char, 4096> part;
  const ssize_t count = ::read(reading, part.data(), part.size());
  if (count > 0) errors.append(part.data(), std::min(most - errors.size(), static_cast<std::size_t>(count)));
  return count != 0;
}

}  // namespace

std::optional<std::string> find_program(std::string_view program) {
  const char* const variable = std::getenv("PATH");
  std::string_view rest = variable == nullptr ? "/usr/bin:/bin" : variable;
  while (!rest.empty()) {
    const std::size_t colon = rest.find(':');
    std::string candidate(rest.substr(0, colon));
    candidate.append("/").append(program);
    std::error_code ignored;  // a directory may have X_OK too
    if (access(candidate.c_str(), X_OK) == 0 && std::filesystem::is_regular_file(candidate, ignored))
      return candidate;
    rest = colon == std::string_view::npos ? std::string_view{} : rest.substr(colon + 1);
  }
  return std::nullopt;
}

void pipe_ends::close() noexcept {
  close_end(reading);
  close_end(writing);
}

launcher::~launcher() {
  quit();
}

void launcher::quit() noexcept {
  running_ = false;
  stopped_at_ = 0;
  const pid_t child = std::exchange(child_, -1);
  if (child <= 0) return;
  kill(-child, SIGKILL);
  uninterrupted([child] { return waitpid(child, nullptr, 0); });
}

void launcher::get_ready() {
  if (running_) quit();
  if (child_ > 0) return;
  if (open_anew(requests_, open_sockets)) child_ = fork();
  if (child_ == 0) run_on_request(requests_.reading);
  if (child_ < 0) os::fail("start", "a process");
  setpgid(child_, child_);  // it does so itself, perhaps later
  close_end(requests_.reading);
}

void launcher::start(const program& what, double most_seconds, bool with_input) {
  get_ready();
  name_ = what.words.front();
  for (pipe_ends* const each : {&input_, &output_, &errors_}) {
    if (!open_anew(*each)) os::fail("start", name_);
  }
  if (!with_input) {
    input_.close();
    input_.reading = above_standard(open("/dev/null", O_RDONLY | O_CLOEXEC));
  }
  all_ = {};
  complaint_.clear();
  running_ = true;
  late_ = false;
  end_within(most_seconds);
  const std::string request = request_of(what);  // if it comes nowhere, `read` finds the end of the reply
  if (send(requests_.writing, request.size(), {input_.reading, output_.writing, errors_.writing}))
    transfer(::write, requests_.writing, request.data(), request.size());
  for (int* const other : {&input_.reading, &output_.writing, &errors_.writing}) close_end(*other);
}

void launcher::end_within(double most_seconds) {
  ends_by_ = bench::steady_now() + static_cast<std::int64_t>(most_seconds * 1e9);
}

void launcher::write(std::string_view text, double most_seconds) {
  end_within(most_seconds);
  transfer(::write, input_.writing, text.data(), text.size());
}

void launcher::close_input(double most_seconds) {
  end_within(most_seconds);
  close_end(input_.writing);
}

std::size_t launcher::read(std::span<char> into) {
  while (true) {
    std::array<pollfd, 3> waited{{{output_.reading, POLLIN, 0},
                                  {errors_.reading, POLLIN, 0},
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
    if (waited[1].revents != 0 && !keep_errors(errors_.reading, complaint_)) close_end(errors_.reading);
    if (waited[0].revents != 0) {
      const ssize_t count = ::read(output_.reading, into.data(), into.size());
      if (count > 0) return static_cast<std::size_t>(count);
      if (count == 0) close_end(output_.reading);
      if (count == 0 && input_.writing >= 0) stop();  // it cannot answer any more
    } else if (waited[2].revents != 0) {
      running_ = false;
      if (transfer(::read, requests_.writing, reinterpret_cast<char*>(&all_), sizeof all_)) {
        kill(-child_, SIGTERM);  // what it left running would write into the next run
      } else {
        all_.status = SIGKILL;  // with what it ran
        quit();
      }
    } else if (!running_ && !has_bytes(1)) {
      return 0;
    }
  }
}

void launcher::stop() noexcept {
  constexpr std::int64_t patience = 500'000'000;
  const std::int64_t now = bench::steady_now();
  if (stopped_at_ == 0) stopped_at_ = now;
  if (running_) kill(-child_, now - stopped_at_ > patience ? SIGKILL : SIGTERM);
}

command_end launcher::end() {
  std::array<char, 64 << 10> dropped;
  while (read(dropped) > 0) {
  }
  stopped_at_ = 0;
  for (pipe_ends* const each : {&input_, &output_, &errors_}) each->close();  // what it left writes to nobody
  if (all_.refused != 0) throw error({all_.refused, std::generic_category()}, "start", name_);
  return {all_.seconds, all_.usage, failure_in_words(all_.status, complaint_), late_};
}

}  // namespace riffle::os
