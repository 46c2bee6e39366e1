/// A private mount namespace, loop devices that clear themselves, and a FUSE process that dies with its
/// parent.
#include "tests/support/mounts.hpp"

#include <fcntl.h>
#include <linux/loop.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "tests/support/shell.hpp"

namespace riffle::test {

namespace {

[[noreturn]] void fail(const std::string& what) {
  throw std::system_error(errno, std::generic_category(), what);
}

std::pair<owned_descriptor, owned_descriptor> make_private_pipe() {
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC) != 0) fail("pipe");
  return {owned_descriptor(ends[0]), owned_descriptor(ends[1])};
}

std::string line_of(int descriptor) {
  std::string line;
  for (char byte = 0; ::read(descriptor, &byte, 1) == 1 && byte != '\n';) line += byte;
  return line;
}

std::string free_loop_device() {
  const owned_descriptor control(::open("/dev/loop-control", O_RDWR | O_CLOEXEC));
  const int number = ::ioctl(control.get(), LOOP_CTL_GET_FREE);
  if (number < 0) fail("LOOP_CTL_GET_FREE");
  return "/dev/loop" + std::to_string(number);
}

}  // namespace

std::optional<std::string> refusal_of_mounts() {
  static const int code = [] {
    if (::unshare(CLONE_NEWNS) != 0) return errno;
    return ::mount("", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 ? 0 : errno;
  }();
  if (code == 0) return std::nullopt;
  return std::string("a mount namespace takes root: ") + std::strerror(code);
}

mounted::mounted(const std::string& source, const std::string& type, const std::string& data) {
  if (::mount(source.c_str(), directory_.path().c_str(), type.c_str(), 0, data.c_str()) != 0) {
    fail("mount " + type);
  }
}

mounted::~mounted() {
  ::umount2(directory_.path().c_str(), MNT_DETACH);
}

// Another process may take the free device before this one does.
loop_device::loop_device(const std::filesystem::path& image, std::uint32_t sector) {
  const owned_descriptor file(::open(image.c_str(), O_RDWR | O_CLOEXEC));
  loop_config wanted{};
  wanted.fd = static_cast<std::uint32_t>(file.get());
  wanted.block_size = sector;
  wanted.info.lo_flags = LO_FLAGS_AUTOCLEAR;
  for (int tries = 0; tries != 100; ++tries) {
    path_ = free_loop_device();
    device_.emplace(::open(path_.c_str(), O_RDWR | O_CLOEXEC));
    if (::ioctl(device_->get(), LOOP_CONFIGURE, &wanted) == 0) return;
    if (errno != EBUSY) break;
  }
  fail("LOOP_CONFIGURE");
}

void loop_device::follow_size() const {
  if (::ioctl(device_->get(), LOOP_SET_CAPACITY, 0) != 0) fail("LOOP_SET_CAPACITY");
}

slow_file::slow_file(const std::string& bytes, const std::vector<std::string>& options)
    : backing_(bytes), output_(::dup(0)) {
  (void)refusal_of_mounts();  // private mounts if they can be had
  auto [reading, writing] = make_private_pipe();
  std::vector<std::string> words{build::slow_fs};
  words.insert(words.end(), options.begin(), options.end());
  words.push_back(backing_.path().string());
  words.push_back(directory_.path().string());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  process_ = ::fork();
  if (process_ == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    ::dup2(writing.get(), STDOUT_FILENO);
    ::execv(arguments[0], arguments.data());
    ::_exit(127);
  }
  ::dup3(reading.get(), output_.get(), O_CLOEXEC);
  writing.close();
  if (line_of(output_.get()).empty()) {
    end();
    throw std::runtime_error("riffle-slow-fs mounts nothing: it or FUSE cannot run here");
  }
}

slow_file::~slow_file() {
  end();
}

std::string slow_file::end() {
  if (process_ < 0) return {};
  ::kill(process_, SIGCONT);
  ::kill(process_, SIGTERM);
  const std::string said = line_of(output_.get());
  ::waitpid(std::exchange(process_, -1), nullptr, 0);
  return said;
}

slow_requests requests_of(const std::string& told) {
  return {.most_at_once = std::strtoull(told.c_str() + told.find(", ") + 2, nullptr, 10),
          .bytes = std::strtoull(told.c_str() + told.find("at most, ") + 9, nullptr, 10)};
}

std::optional<std::string> refusal_of_slow_files() {
  if (*build::slow_fs == '\0') return "riffle-slow-fs is not built: libfuse3 is missing";
  try {
    slow_file("x", {});
  } catch (const std::exception& failure) {
    return failure.what();
  }
  return std::nullopt;
}

}  // namespace riffle::test
