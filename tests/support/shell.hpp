/// Tests of the tool and of the examples run them as a user does, in a shell.
#ifndef RIFFLE_TESTS_SUPPORT_SHELL_HPP
#define RIFFLE_TESTS_SUPPORT_SHELL_HPP

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>

namespace riffle::test {

/// How a command ended and what it said.
struct outcome {
  int status;  // 128 + the signal when it was killed
  std::string out;
  std::string err;
};

/// Runs `command` in bash, in the C locale, with "$riffle" standing for the tool and "$examples" for their
/// folder.
inline outcome shell(const std::string& command) {
  std::string errors = (std::filesystem::temp_directory_path() / "riffle-stderr-XXXXXX").string();
  const int descriptor = ::mkstemp(errors.data());
  if (descriptor < 0) throw std::runtime_error("no temporary file for standard error");
  ::close(descriptor);
  ::setenv("LC_ALL", "C", 1);
  ::setenv("riffle", RIFFLE_TOOL_PATH, 1);
  ::setenv("examples", RIFFLE_EXAMPLES_DIR, 1);
  ::setenv("riffle_command", command.c_str(), 1);
  ::setenv("riffle_errors", errors.c_str(), 1);
  std::FILE* pipe = ::popen("exec bash -o pipefail -c \"$riffle_command\" 2>\"$riffle_errors\"", "r");
  if (pipe == nullptr) throw std::runtime_error("cannot run bash");
  outcome result{};
  std::array<char, 65536> buffer{};
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
    result.out.append(buffer.data(), count);
  }
  const int status = ::pclose(pipe);
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  std::ifstream stream(errors);
  result.err.assign(std::istreambuf_iterator<char>(stream), {});
  std::filesystem::remove(errors);
  return result;
}

}  // namespace riffle::test

#endif
