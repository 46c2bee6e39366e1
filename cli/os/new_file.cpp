/// `new_file` by a rename, which replaces a file at once on each system.
#include "cli/os/new_file.hpp"

#include <riffle/error.hpp>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <optional>
#include <random>
#include <utility>

#include "cli/os/terminal.hpp"
#include "os/file.hpp"

namespace riffle::os {

namespace fs = std::filesystem;

namespace {

// What a signal has to remove.
std::atomic<const char*> unfinished = nullptr;
static_assert(decltype(unfinished)::is_always_lock_free);  // or a signal handler may not read it

// A signal handler may call it: std::remove makes at most two system calls.
void remove_unfinished() {
  if (const char* const name = unfinished) std::remove(name);
}

void prepare_once() {
  static const bool prepared = [] {
    call_before_the_end(remove_unfinished);
    outlive_full_files();
    return true;
  }();
  static_cast<void>(prepared);
}

fs::path name_beside(const fs::path& target) {
  std::random_device random;
  std::array<char, 32> name{};
  std::snprintf(name.data(), name.size(), ".riffle-%08x%08x", random(), random());
  return target.parent_path() / name.data();
}

bool is_same(const file_status& one, const file_status& other) {
  return one.device == other.device && one.inode == other.inode;
}

// Throws if the target cannot be replaced.
void check_target(const fs::path& target, const std::string& name, int input) {
  if (!fs::is_regular_file(target)) {
    throw error(errc::invalid_argument, "replace", name, std::nullopt,
                "it is no regular file; use another prefix");
  }
  const file there = file::open(target, open_mode::read_write);  // a file that may not be written stays
  const file_status status = there.status();
  const std::optional<file_status> read =
      input < 0 ? std::nullopt : std::optional(file::borrow(input, {}).status());
  if (read && read->kind == file_kind::regular && is_same(status, *read)) {
    throw error(errc::invalid_argument, "replace", name, std::nullopt,
                "it is the file that is split; use another prefix");
  }
}

}  // namespace

new_file::new_file(const fs::path& target, int input)
    : target_(target), name_(name_of(target)), beside_(name_beside(target)), beside_name_(beside_.string()) {
  prepare_once();
  std::error_code missing;
  const bool replaces = fs::exists(target_, missing);
  if (replaces) check_target(target_, name_, input);
  unfinished = beside_name_.c_str();
  try {
    descriptor_ = file::open(beside_, open_mode::create_new).release();
  } catch (const error& failure) {
    unfinished = nullptr;
    throw error(failure.code(), "create", name_, std::nullopt, failure.detail());
  }
  if (replaces) fs::permissions(beside_, fs::status(target_, missing).permissions(), missing);
}

new_file::~new_file() {
  if (beside_name_.empty()) return;
  if (descriptor_ >= 0) close_descriptor(descriptor_);
  std::error_code ignored;
  fs::remove(beside_, ignored);
  unfinished = nullptr;
}

void new_file::write(std::string_view bytes) try {
  file::borrow(descriptor_, {}).write(bytes);
} catch (const error& failure) {
  throw error(failure.code(), "write", name_, file::borrow(descriptor_, {}).position());
}

void new_file::finish() {
  const std::optional<std::uint64_t> size = file::borrow(descriptor_, {}).position();
  if (const int code = close_descriptor(std::exchange(descriptor_, -1)); code != 0)
    fail("write", name_, size, code);
  std::error_code failure;
  fs::rename(beside_, target_, failure);
  if (failure) throw error(failure, "replace", name_);
  unfinished = nullptr;
  beside_name_.clear();
}

}  // namespace riffle::os
