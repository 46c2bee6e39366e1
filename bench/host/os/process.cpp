/// Starts a program by posix_spawn, without a shell, and collects its output.
#include "bench/host/os/process.hpp"

#include <fcntl.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "bench/host/os/spawn.hpp"

namespace riffle::os {

namespace {

[[noreturn]] void fail(const std::string& program, const std::string& why) {
  throw std::runtime_error("cannot run '" + program + "': " + why);
}

std::vector<std::string> environment() {
  std::vector<std::string> variables{"LC_ALL=C", "POSIXLY_CORRECT=1"};
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text(*variable);
    if (!text.starts_with("LC_ALL=") && !text.starts_with("POSIXLY_CORRECT=")) variables.emplace_back(text);
  }
  return variables;
}

void read_all(int descriptor, const std::function<void(std::string_view)>& use) {
  std::vector<char> part(std::size_t{64} << 10U);
  while (true) {
    const ssize_t count = read(descriptor, part.data(), part.size());
    if (count > 0) use({part.data(), static_cast<std::size_t>(count)});
    if (count == 0 || (count < 0 && errno != EINTR)) return;
  }
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

void read_output(const std::vector<std::string>& arguments,
                 const std::function<void(std::string_view)>& use) {
  std::vector<std::string> texts = arguments;
  std::vector<std::string> variables = environment();
  const std::string& program = arguments.front();
  pipe_ends own;
  if (own.failure != 0) fail(program, std::strerror(own.failure));

  spawn_actions actions;
  posix_spawn_file_actions_addopen(actions.get(), STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(actions.get(), own.writing, STDOUT_FILENO);
  pid_t child = 0;
  const int refused = posix_spawn(&child, program.c_str(), actions.get(), nullptr, pointers_to(texts).data(),
                                  pointers_to(variables).data());
  close_end(own.writing);
  if (refused == 0) read_all(own.reading, use);
  if (refused != 0) fail(program, std::strerror(refused));

  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) fail(program, std::strerror(errno));
  }
  if (!WIFEXITED(status)) fail(program, "ended by signal " + std::to_string(WTERMSIG(status)));
  if (WEXITSTATUS(status) != 0) fail(program, "exit status " + std::to_string(WEXITSTATUS(status)));
}

}  // namespace riffle::os
