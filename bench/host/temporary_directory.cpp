/// Removes the directory at the end, or those of runs that were killed before they could.
#include "bench/host/temporary_directory.hpp"

#include <cerrno>
#include <cstdlib>
#include <functional>
#include <riffle/error.hpp>
#include <string>

#include "bench/host/os/temporary.hpp"

namespace riffle::bench {

namespace {

constexpr const char* prefix = "riffle-bench-";

// Calls `visit` with what lies in a directory. Whatever cannot be read is left out.
template <class Visit>
void each_in(const std::filesystem::path& directory, Visit visit) {
  std::error_code failure;
  std::filesystem::directory_iterator at(directory, failure);
  for (; !failure && at != std::filesystem::directory_iterator(); at.increment(failure)) visit(at->path());
}

// The lock goes last: if this is ended halfway too, the next run removes the rest. Windows removes no file
// that is locked.
void remove_with_lock_last(
    const std::filesystem::path& directory, const std::function<void()>& unlock = [] {}) {
  std::error_code ignored;  // what cannot be removed is left to the system's own cleaning
  each_in(directory, [&](const std::filesystem::path& file) {
    if (file.filename() != os::run_lock::name) std::filesystem::remove_all(file, ignored);
  });
  unlock();
  std::filesystem::remove_all(directory, ignored);
}

void remove_leftovers(const std::filesystem::path& place) {
  if (!os::is_guarded(place)) return;
  each_in(place, [](const std::filesystem::path& directory) {
    if (directory.filename().string().starts_with(prefix) && os::is_left_over(directory))
      remove_with_lock_last(directory);
  });
}

std::filesystem::path make_directory(const std::filesystem::path& place) {
  remove_leftovers(place);
  if (std::filesystem::path made = os::make_folder(place / prefix); !made.empty()) return made;
  throw error({errno, std::generic_category()}, "make files in", place.string(), std::nullopt,
              "set TMPDIR to another directory");
}

}  // namespace

std::filesystem::path temporary_place() {
  const char* const set = std::getenv("TMPDIR");
  return set != nullptr && *set != '\0' ? std::filesystem::path(set) : os::temporary_folder();
}

temporary_directory::temporary_directory(const std::filesystem::path& place)
    : path_(make_directory(place)), lock_(std::in_place, path_) {}

temporary_directory::~temporary_directory() {
  remove_with_lock_last(path_, [&] { lock_.reset(); });
}

}  // namespace riffle::bench
