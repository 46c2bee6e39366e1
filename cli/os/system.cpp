/// Standard output by the file of the library, inputs that are also the output, and files that replace others
/// at once.
#include "cli/os/system.hpp"

#include <riffle/error.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <random>
#include <span>
#include <thread>
#include <utility>

#include "os/file.hpp"
#include "text/os/system.hpp"

namespace riffle::os {

int write_all(int descriptor, std::string_view bytes) noexcept {
  try {
    file::borrow(descriptor, {}).write(bytes);
    return 0;
  } catch (const error& failure) {
    return failure.code().value();
  } catch (const std::bad_alloc&) {
    return ENOMEM;
  }
}

std::uintmax_t size_of(int descriptor, std::error_code& failure) noexcept {
  failure.clear();
  try {
    const file_status status = file::borrow(descriptor, {}).status();
    if (status.kind == file_kind::regular) return status.size;
    failure = std::make_error_code(status.kind == file_kind::untold      ? std::errc::permission_denied
                                   : status.kind == file_kind::directory ? std::errc::is_a_directory
                                                                         : std::errc::not_supported);
  } catch (const error& told) {
    failure = told.code();
  } catch (const std::bad_alloc&) {
    failure = std::make_error_code(std::errc::not_enough_memory);
  }
  return 0;
}

std::size_t read_front(int descriptor, std::span<char> into) noexcept {
  try {
    return file::borrow(descriptor, {}).read_at(into, 0);
  } catch (const std::exception&) {  // reading it tells
    return 0;
  }
}

void set_position(int descriptor, std::uint64_t position) noexcept {
  file::borrow(descriptor, {}).set_position(position);
}

namespace {

// Nothing if it is no regular file or cannot be asked: reading or writing it reports why.
std::optional<file_status> status_of(int descriptor) {
  try {
    const file_status status = file::borrow(descriptor, {}).status();
    return status.kind == file_kind::regular ? std::optional(status) : std::nullopt;
  } catch (const error&) {
    return std::nullopt;
  }
}

// Returns the status of standard output, if it is the same file.
std::optional<file_status> same_as_output(int input) {
  const auto output = status_of(1);
  const auto other = output ? status_of(input) : std::nullopt;
  return other && is_same_file(*other, *output) ? output : std::nullopt;
}

}  // namespace

// Nothing is opened unless standard output is a regular file.
bool is_standard_output(const std::filesystem::path& path) {
  std::error_code missing;
  if (!status_of(1) || !std::filesystem::is_regular_file(path, missing)) return false;
  try {
    return same_as_output(file::open(path).descriptor()).has_value();
  } catch (const error&) {
    return false;
  }
}

bool copy_would_never_end(int input, std::uint64_t position, bool longer) {
  if (input == 1) return false;  // standard output was closed: writing fails
  const std::optional<file_status> output = same_as_output(input);
  if (!output) return false;
  const file opened = file::borrow(1, {});
  const std::optional<std::uint64_t> next = longer || opened.appends() ? output->size : opened.position();
  return next && position < *next;
}

namespace fs = std::filesystem;

namespace {

constexpr std::size_t step = std::size_t{128} << 10U;  // of reading and writing

using slot = std::atomic<const char*>;
static_assert(slot::is_always_lock_free && std::atomic<int>::is_always_lock_free);  // for a signal handler

// What a signal has to remove.
std::array<slot, most_new_files> unfinished = {};
std::atomic<int> ending = 0;  // or 1; riscv64 takes a lock for a bool

// A signal handler may call it: std::remove makes at most two system calls. It looks twice, because another
// thread may be making a file.
void remove_unfinished() {
  ending = 1;
  for (int looks = 0; looks != 2; ++looks) {
    for (const slot& each : unfinished) {
      if (const char* const name = each) std::remove(name);
    }
  }
}

slot& take_slot(const char* name) {
  while (ending != 0) std::this_thread::yield();  // the program ends
  for (slot& each : unfinished) {
    const char* none = nullptr;
    if (each.compare_exchange_strong(none, name)) return each;
  }
  throw error(std::make_error_code(std::errc::too_many_files_open), "create", name);
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
  if (read && read->kind == file_kind::regular && is_same_file(status, *read)) {
    throw error(errc::invalid_argument, "replace", name, std::nullopt,
                "it is the file that is split; use another prefix");
  }
}

}  // namespace

new_file::new_file(const fs::path& target, int input)
    : target_(target), name_(name_of(target)), beside_(name_beside(target)), beside_name_(beside_.string()) {
  prepare_once();
  std::error_code missing;
  if (fs::exists(target_, missing)) check_target(target_, name_, input);
  slot_ = &take_slot(beside_name_.c_str());
  try {
    descriptor_ = create_to_replace(target_, beside_).release();
  } catch (const error& failure) {
    *slot_ = nullptr;
    throw error(failure.code(), "create", name_, std::nullopt, failure.detail());
  }
}

new_file::~new_file() {
  if (slot_ == nullptr) return;
  if (descriptor_ >= 0) close_descriptor(descriptor_);
  std::error_code ignored;
  fs::remove(beside_, ignored);
  *slot_ = nullptr;
}

void new_file::write(std::string_view bytes) try {
  file::borrow(descriptor_, {}).write(bytes);
} catch (const error& failure) {
  throw error(failure.code(), "write", name_, file::borrow(descriptor_, {}).position());
}

void new_file::copy(int input, const std::string& name, std::uint64_t offset, std::uint64_t size) {
  const std::uint64_t end = offset + size;
  kernel_copy ahead(input, descriptor_, offset);
  while (offset != end) {
    const std::size_t copied = ahead.next(end - offset);
    if (copied == 0) break;
    offset += copied;
  }
  if (offset == end) return;
  const auto buffer = std::make_unique_for_overwrite<char[]>(step);
  while (offset != end) {
    const std::span<char> into(buffer.get(),
                               static_cast<std::size_t>(std::min<std::uint64_t>(step, end - offset)));
    const std::size_t count = file::borrow(input, name).read_at(into, offset);
    if (count == 0) throw error(errc::truncated, "read", name, offset);
    write({buffer.get(), count});
    offset += count;
  }
}

void new_file::finish() {
  const std::optional<std::uint64_t> size = file::borrow(descriptor_, {}).position();
  if (const int code = close_descriptor(std::exchange(descriptor_, -1)); code != 0)
    fail("write", name_, size, code);
  std::error_code failure;
  fs::rename(beside_, target_, failure);
  if (failure) throw error(failure, "replace", name_);
  *std::exchange(slot_, nullptr) = nullptr;
}

}  // namespace riffle::os
