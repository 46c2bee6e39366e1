/// `os::run_lock` by flock(2), as a child process that is started does not keep it.
#include "bench/host/os/run_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cstdio>

#include "os/file_system.hpp"

namespace riffle::os {

namespace {

bool take(const descriptor& file) {
  return flock(file.number(), LOCK_EX | LOCK_NB) == 0;
}

bool is_of_this_user(const descriptor& opened) {
  struct stat status{};
  return opened.open() && fstat(opened.number(), &status) == 0 && status.st_uid == geteuid();
}

}  // namespace

run_lock::run_lock(const std::filesystem::path& directory) {
  const std::filesystem::path unlocked = directory / "new-lock";
  file_ = descriptor(open(unlocked.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (take(file_)) {
    std::rename(unlocked.c_str(), (directory / name).c_str());
  } else {
    std::remove(unlocked.c_str());
  }
}

bool is_left_over(const std::filesystem::path& directory) {
  const descriptor opened(open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!is_of_this_user(opened)) return false;
  const descriptor lock(
      openat(opened.number(), run_lock::name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  return is_of_this_user(lock) && take(lock);
}

bool is_guarded(const std::filesystem::path& directory) {
  struct stat status{};
  if (stat(directory.c_str(), &status) != 0) return false;
  const bool trusted = status.st_uid == geteuid() || status.st_uid == 0;
  const bool shared = (status.st_mode & (S_IWGRP | S_IWOTH)) != 0 && (status.st_mode & S_ISVTX) == 0;
  return trusted && !shared && !served_elsewhere(file_system_of(file::open(directory)));
}

}  // namespace riffle::os
