/// The environment goes through setenv, so that no command has to be quoted for another shell.
#include "tests/support/shell.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "tests/support/support.hpp"
#include "tests/support/system.hpp"

namespace riffle::test {

shell_result shell(const std::string& command) {
  const temporary_file errors;
  ::setenv("LC_ALL", "C", 1);
  ::setenv("riffle", build::tool, 1);
  ::setenv("examples", build::examples, 1);
  ::setenv("programs", build::programs, 1);
  ::setenv("riffle_command", command.c_str(), 1);
  ::setenv("riffle_errors", errors.path().c_str(), 1);
  adopt_orphans();
  // The commands end by SIGPIPE as in a terminal, also if this program ignores it.
  const auto before = std::signal(SIGPIPE, SIG_DFL);
  std::FILE* pipe = ::popen("exec bash -o pipefail -c \"$riffle_command\" 2>\"$riffle_errors\"", "r");
  std::signal(SIGPIPE, before);
  if (pipe == nullptr) throw std::runtime_error("cannot run bash");
  shell_result result{};
  std::array<char, 65536> buffer{};
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
    result.out.append(buffer.data(), count);
  }
  const int status = ::pclose(pipe);
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.err = errors.contents();
  const std::string left = end_orphans("riffle_errors=" + errors.path().string());
  if (!left.empty()) ADD_FAILURE() << "the command leaves processes behind, which were killed:\n" << left;
  return result;
}

long peak_memory(const std::string& arguments, const std::string& from) {
  const shell_result run = shell("{ " + from + "; } | $programs/riffle-peak-memory $riffle " + arguments);
  if (run.status != 0) throw std::runtime_error(arguments + ": " + run.err);
  return std::stol(run.out);
}

}  // namespace riffle::test
