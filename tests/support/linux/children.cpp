/// Forks with a limit, and orphans that come to the test program.
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>
#include <vector>

#include "tests/support/support.hpp"
#include "tests/support/system.hpp"

namespace riffle::test {

std::string in_child(const std::function<std::string()>& f) {
  open_pipe pipe;
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(60);
    const std::string answer = f();
    write_slowly(pipe.writing.get(), answer, answer.size());
    ::_exit(0);
  }
  pipe.writing.close();
  const std::string answer = all_of(pipe.reading.get(), {.method = method::read});
  int status = 0;
  ::waitpid(child, &status, 0);
  return status == 0 ? answer : "died with status " + std::to_string(status);
}

bool refuse_call(long number, int code) {
  sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(number), 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (static_cast<unsigned>(code) & SECCOMP_RET_DATA)),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  const sock_fprog filter{static_cast<unsigned short>(std::size(program)), program};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

std::optional<std::string> refusal_of_address_limits() {
  const std::string answer = in_child([] {
    const rlimit wanted{1 << 20, 1 << 20};
    if (::setrlimit(RLIMIT_AS, &wanted) != 0) return std::string("refused");
    void* const at = ::mmap(nullptr, 2 << 20, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return std::string(at == MAP_FAILED ? "limited" : "ignored");
  });
  if (answer == "limited") return std::nullopt;
  return "setrlimit(RLIMIT_AS) is " + answer + " here, as by qemu's user mode";
}

std::optional<std::string> refusal_of_populate() {
  constexpr int populate_read = 22;  // MADV_POPULATE_READ
  const temporary_file file("a");
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const owned_descriptor opened(::open(file.path().c_str(), O_RDONLY | O_CLOEXEC));
  void* const at = ::mmap(nullptr, 2 * page, PROT_READ, MAP_PRIVATE, opened.get(), 0);
  if (at == MAP_FAILED) return "mmap(2) failed";
  const bool found = ::madvise(static_cast<char*>(at) + page, page, populate_read) != 0 && errno == EFAULT;
  ::munmap(at, 2 * page);
  if (found) return std::nullopt;
  return "MADV_POPULATE_READ is ignored here, as by qemu's user mode";
}

namespace {

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
  (void)::prctl(PR_SET_CHILD_SUBREAPER, 1);
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
