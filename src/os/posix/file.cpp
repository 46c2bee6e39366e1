/// `os::file` on POSIX systems.
#include "os/file.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "os/facts.hpp"
#include "os/posix/calls.hpp"
#include "os/threads.hpp"

namespace riffle::os {

namespace {

// One call is capped: Linux moves at most 2 GiB - 4 KiB at once, macOS refuses 2 GiB and more.
constexpr std::size_t longest_call = std::size_t{1} << 30;

file_kind kind_of(int descriptor, mode_t mode) {
  if (S_ISREG(mode)) return file_kind::regular;
  if (S_ISDIR(mode)) return file_kind::directory;
  if (S_ISFIFO(mode)) return file_kind::pipe;
  if (S_ISSOCK(mode)) return file_kind::socket;
  if (S_ISBLK(mode)) return file_kind::block_device;
  return isatty(descriptor) == 1 ? file_kind::terminal : file_kind::character_device;
}

void wait_for(int descriptor, short event) {
  pollfd waited{descriptor, event, 0};
  poll(&waited, 1, -1);
}

static_assert(EAGAIN == EWOULDBLOCK, "a system may answer with either");

// Repeats a system call until it has a result: after EINTR at once, after EAGAIN when the descriptor is ready
// (a shell may leave it non-blocking). `event` is POLLIN or POLLOUT.
template <class Call>
ssize_t until_result(int descriptor, short event, Call call) {
  while (true) {
    const ssize_t count = call();
    if (count >= 0 || (errno != EINTR && errno != EAGAIN)) return count;
    if (errno == EAGAIN) wait_for(descriptor, event);
  }
}

// Throws because no descriptor could be made, with the remedy if there are too many.
[[noreturn]] void fail_to_make(std::string_view operation, std::string_view name,
                               std::string_view detail = {}, remedy helps = {}) {
  const bool too_many = errno == EMFILE;
  fail(operation, name, std::nullopt, 0,
       too_many ? "raise RLIMIT_NOFILE, the limit of open files, with ulimit -n" : detail, helps);
}

// Throws because an open file could not be opened again. Linux finds it by /proc.
[[noreturn]] void fail_to_reopen(std::string_view name, std::string_view detail) {
  if (errno != ENOENT) fail_to_make("open", name, detail);
  fail_to_make("open", name, "a second time, which needs /proc", {advice::use_method, "read"});
}

bool exceeds_limit(std::uint64_t size) noexcept {
  rlimit most{};
  return getrlimit(RLIMIT_FSIZE, &most) == 0 && most.rlim_cur != RLIM_INFINITY && size > most.rlim_cur;
}

}  // namespace

std::string name_of(const std::filesystem::path& path) {
  return path.string();
}

std::filesystem::path path_from_root(const std::filesystem::path& path, std::error_code& failure) {
  return std::filesystem::absolute(path, failure);
}

void wait_readable(int descriptor) {
  wait_for(descriptor, POLLIN);
}

file file::open(const std::filesystem::path& path, open_mode mode) {
  const int flags = mode == open_mode::read         ? O_RDONLY
                    : mode == open_mode::read_write ? O_RDWR
                    : mode == open_mode::create     ? O_RDWR | O_CREAT
                                                    : O_RDWR | O_CREAT | O_EXCL;
  const mode_t permissions = mode == open_mode::create_private ? 0600 : 0666;
  if (path.native().find('\0') != std::string::npos) {
    throw error(errc::invalid_argument, "open", path.string(), std::nullopt,
                "the path contains a NUL byte, where the system would end it");
  }
  std::string name = path.string();  // copied before the descriptor exists, which a failure would leak
  const int descriptor = uninterrupted([&] { return ::open(path.c_str(), flags | O_CLOEXEC, permissions); });
  if (descriptor < 0) fail_to_make("open", name);
  return {descriptor, true, std::move(name)};
}

file file::reopen() const {
  std::string name = name_;
  const int descriptor = os::reopen(descriptor_, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) fail_to_reopen(name_, "a second time");
  return {descriptor, true, std::move(name)};
}

std::optional<std::string> direct_unavailable() {
  return std::nullopt;
}

file file::reopen_direct() const {
  std::string name = name_;
  const int descriptor = os::reopen_direct(descriptor_);
  if (descriptor < 0) fail_to_reopen(name_, "a second time, with O_DIRECT");
  return {descriptor, true, std::move(name)};
}

file file::duplicate() const {
  std::string name = name_;
  const int descriptor = fcntl(descriptor_, F_DUPFD_CLOEXEC, 0);
  if (descriptor < 0) fail_to_make("duplicate the descriptor of", name_);
  return {descriptor, true, std::move(name)};
}

file::~file() {
  const uncancelled closing;
  if (owned_ && descriptor_ >= 0) ::close(descriptor_);
}

file_status file::status() const {
  struct stat facts{};
  if (fstat(descriptor_, &facts) != 0) {
    // FUSE refuses this to every other user, but gives the bytes of a file that its own user has opened. So
    // does a sandbox.
    if (forbidden(errno)) return {file_kind::untold, 0, 0, 0, 0, 0};
    fail("read", name_);
  }
  const file_kind kind = kind_of(descriptor_, facts.st_mode);
  std::uint64_t size = 0;
  bool sparse = false;
  if (kind == file_kind::regular) {
    constexpr std::uint64_t unit = 512;  // of st_blocks, whatever the file system's block is
    size = static_cast<std::uint64_t>(facts.st_size);
    sparse = static_cast<std::uint64_t>(facts.st_blocks) < size / unit;
  }
  if (kind == file_kind::block_device) size = block_device_size(descriptor_);
  return {kind,
          size,
          static_cast<std::uint64_t>(facts.st_dev),
          facts.st_ino,
          modified_at(facts),
          static_cast<std::uint64_t>(facts.st_blksize),
          static_cast<std::uint64_t>(kind == file_kind::block_device ? facts.st_rdev : facts.st_dev),
          sparse};
}

std::uint64_t file::end() const {
  const off_t end = owned_ ? lseek(descriptor_, 0, SEEK_END) : -1;
  return end < 0 ? status().size : static_cast<std::uint64_t>(end);
}

std::optional<std::uint64_t> file::position() const noexcept {
  const off_t position = lseek(descriptor_, 0, SEEK_CUR);
  return position < 0 ? std::nullopt : std::optional(static_cast<std::uint64_t>(position));
}

bool file::seekable() const noexcept {
  return lseek(descriptor_, 0, SEEK_CUR) >= 0 || errno != ESPIPE;
}

void file::set_position(std::uint64_t position) const noexcept {
  lseek(descriptor_, static_cast<off_t>(position), SEEK_SET);
}

bool file::appends() const noexcept {
  const int flags = fcntl(descriptor_, F_GETFL);
  return flags >= 0 && (flags & O_APPEND) != 0;
}

bool file::reads_and_writes() const noexcept {
  const int flags = fcntl(descriptor_, F_GETFL);
  return flags < 0 || (flags & O_ACCMODE) == O_RDWR;
}

std::size_t file::read(std::span<char> into, std::uint64_t offset) const {
  const std::size_t size = std::min(into.size(), longest_call);
  const ssize_t count =
      until_result(descriptor_, POLLIN, [&] { return ::read(descriptor_, into.data(), size); });
  if (count < 0) fail("read", name_, offset);
  return static_cast<std::size_t>(count);
}

std::size_t file::read_at(std::span<char> into, std::uint64_t offset, bool uncached) const {
  const std::size_t size = std::min(into.size(), longest_call);
  const ssize_t count = until_result(descriptor_, POLLIN, [&] {
    return uncached ? pread_uncached(descriptor_, into.data(), size, offset)
                    : ::pread(descriptor_, into.data(), size, static_cast<off_t>(offset));
  });
  if (count < 0) fail("read", name_, offset);
  return static_cast<std::size_t>(count);
}

void file::write(std::string_view bytes) const {
  while (!bytes.empty()) {
    const std::size_t size = std::min(bytes.size(), longest_call);
    const ssize_t count =
        until_result(descriptor_, POLLOUT, [&] { return ::write(descriptor_, bytes.data(), size); });
    if (count < 0) fail("write", name_);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

void file::resize(std::uint64_t size) const {
  if (exceeds_limit(size) && size > status().size) {  // a signal would end the program
    fail("resize", name_, std::nullopt, EFBIG, "raise RLIMIT_FSIZE, the limit of file sizes, with ulimit -f");
  }
  if (uninterrupted([&] { return ftruncate(descriptor_, static_cast<off_t>(size)); }) != 0) {
    fail("resize", name_);
  }
}

}  // namespace riffle::os
