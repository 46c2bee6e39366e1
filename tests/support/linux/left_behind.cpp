/// Orphans come to the test program by PR_SET_CHILD_SUBREAPER, so that /proc lists them among its children.
#include "tests/support/left_behind.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>
#include <vector>

namespace riffle::test {

namespace {

std::string contents_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

bool is_marked(pid_t child, const std::string& marked) {
  const std::string environment = '\0' + contents_of("/proc/" + std::to_string(child) + "/environ");
  return environment.find('\0' + marked + '\0') != std::string::npos;
}

std::vector<pid_t> children_with(const std::string& marked) {
  std::vector<pid_t> found;
  std::error_code ended;  // a thread may end meanwhile
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", ended)) {
    std::istringstream children(contents_of(task.path() / "children"));
    for (pid_t child = 0; children >> child;) {
      if (is_marked(child, marked)) found.push_back(child);
    }
  }
  return found;
}

}  // namespace

void adopt_orphans() {
  static_cast<void>(::prctl(PR_SET_CHILD_SUBREAPER, 1));
}

std::string end_orphans(const std::string& marked) {
  constexpr auto grace = std::chrono::seconds(10);
  const auto late = std::chrono::steady_clock::now() + grace;
  std::string killed;
  for (auto left = children_with(marked); !left.empty(); left = children_with(marked)) {
    for (const pid_t child : left) {
      if (std::chrono::steady_clock::now() > late) {
        std::string words = contents_of("/proc/" + std::to_string(child) + "/cmdline");
        for (char& each : words) each = each == '\0' ? ' ' : each;
        killed += words + '\n';
        ::kill(child, SIGKILL);
        ::waitpid(child, nullptr, 0);
      } else {
        ::waitpid(child, nullptr, WNOHANG);
      }
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return killed;
}

}  // namespace riffle::test
