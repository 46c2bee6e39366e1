/// `os::output_file` by openat, linkat and renameat, relative to the directory that was found at the start.
#include "bench/host/os/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <random>

#include "os/calls.hpp"
#include "os/file_system.hpp"

namespace riffle::os {

namespace {

using std::filesystem::path;

constexpr int most_links = 40;

path directory_of(const path& file) {
  return file.has_parent_path() ? file.parent_path() : path(".");
}

// Where the links of a name end. Empty for a link in /proc, which leads to an open file whatever its text
// says.
path followed(path file) {
  std::error_code none;
  for (int links = 0; std::filesystem::is_symlink(file, none); ++links) {
    if (links == most_links) {
      errno = ELOOP;
      fail("write", file.string());
    }
    if (file_system_of(file::open(directory_of(file))) == "proc") return {};
    file = directory_of(file) / std::filesystem::read_symlink(file);
  }
  return file;
}

struct stat status_of(const descriptor& opened) {
  struct stat status{};
  fstat(opened.number(), &status);
  return status;
}

/// A new file beside another one. It is removed, unless it was renamed.
class file_beside {
 public:
  explicit file_beside(const descriptor& directory) : directory_(directory) {
    do {
      name_ = ".riffle-bench-" + std::to_string(std::random_device()());
      file_ = descriptor(openat(directory.number(), name_.c_str(),
                                O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
    } while (!file_.open() && errno == EEXIST);
    made_ = file_.open();
  }
  file_beside(const file_beside&) = delete;
  file_beside& operator=(const file_beside&) = delete;
  ~file_beside() {
    if (made_) unlinkat(directory_.number(), name_.c_str(), 0);
  }

  [[nodiscard]] bool made() const { return made_; }
  [[nodiscard]] descriptor& file() { return file_; }
  /// Gives it the owner and the mode of `old`, or fewer rights if it cannot have that owner.
  void become_like(const struct stat& old) const {
    const bool same = fchown(file_.number(), old.st_uid, old.st_gid) == 0;
    fchmod(file_.number(), old.st_mode & (same ? 0777U : 0707U));
  }
  /// Gives it a name that no file has. False: errno says why not.
  [[nodiscard]] bool link_as(const std::string& name) const {
    const int where = directory_.number();
    return linkat(where, name_.c_str(), where, name.c_str(), 0) == 0;
  }
  [[nodiscard]] bool rename_to(const std::string& name) {
    made_ = renameat(directory_.number(), name_.c_str(), directory_.number(), name.c_str()) != 0;
    return !made_;
  }

 private:
  const descriptor& directory_;
  std::string name_;
  descriptor file_;
  bool made_ = false;
};

}  // namespace

output_file::output_file(const path& typed, overwritable may) : typed_(typed.string()), may_(may) {
  const path target = followed(typed);
  if (target.empty()) {
    present_ = descriptor(open(typed.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
    if (!present_.open()) refuse();
  } else {
    find(target);
  }
  if (present_.open() && S_ISREG(status_of(present_).st_mode))
    check_start(descriptor(reopen(present_.number(), O_RDONLY | O_CLOEXEC)));
}

// Whether the directory takes new files is tried, so that the end of a long run does not tell.
void output_file::find(const path& target) {
  directory_ = descriptor(open(directory_of(target).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!directory_.open()) refuse();
  name_ = target.filename().string();
  const char* const name = name_.empty() ? "." : name_.c_str();
  present_ = descriptor(openat(directory_.number(), name, O_WRONLY | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY));
  if (!present_.open() && errno != ENOENT) refuse();
  if (present_.open() && !S_ISREG(status_of(present_).st_mode)) return;
  in_place_ = !file_beside(directory_).made();
  const bool forbidden = errno == EACCES || errno == EPERM || errno == EROFS;
  if (in_place_ && !(forbidden && present_.open())) refuse();
}

void output_file::refuse() const {
  fail("write", typed_);
}

void output_file::check_start(const descriptor& opened) const {
  if (!opened.open()) refuse();
  std::array<char, 300> start{};
  const ssize_t size = pread(opened.number(), start.data(), start.size(), 0);
  if (size < 0) refuse();
  if (size == 0 || may_({start.data(), static_cast<std::size_t>(size)})) return;
  throw error(errc::invalid_argument, "overwrite", typed_, std::nullopt,
              "it is no report of riffle bench; name another file");
}

void output_file::write_all(int to, std::string_view text) const {
  while (!text.empty()) {
    const ssize_t count = ::write(to, text.data(), text.size());
    if (count < 0 && errno != EINTR) refuse();
    if (count > 0) text.remove_prefix(static_cast<std::size_t>(count));
  }
}

void output_file::write(std::string_view text) const {
  if (!in_place_ && replace(text)) return;
  if (S_ISREG(status_of(present_).st_mode) && ftruncate(present_.number(), 0) != 0) refuse();
  write_all(present_.number(), text);
}

// False: the name is a mount point, which only writing in place changes.
bool output_file::replace(std::string_view text) const {
  const descriptor now(
      openat(directory_.number(), name_.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
  if (!now.open() && errno != ENOENT) refuse();
  if (now.open()) check_start(now);
  file_beside next(directory_);
  if (!next.made()) refuse();
  if (now.open()) next.become_like(status_of(now));
  write_all(next.file().number(), text);
  if (next.file().close() != 0) refuse();
  if (!now.open() && next.link_as(name_)) return true;
  if (!now.open() && errno == EEXIST) refuse();  // other failures: a file system without links
  if (next.rename_to(name_)) return true;
  if (errno != EBUSY || !present_.open()) refuse();
  return false;
}

}  // namespace riffle::os
