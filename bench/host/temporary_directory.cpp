/// Makes the directory in $TMPDIR, and removes it at the end.
#include "bench/host/temporary_directory.hpp"

#include <cstdlib>
#include <random>
#include <riffle/error.hpp>
#include <string>

namespace riffle::bench {

namespace {

std::filesystem::path make_directory(const std::filesystem::path& place) {
  std::random_device numbers;
  std::error_code failure;
  std::filesystem::path name;
  do {
    name = place / ("riffle-bench-" + std::to_string(numbers()));
  } while (!std::filesystem::create_directory(name, failure) && !failure);  // another has the name
  if (!failure) std::filesystem::permissions(name, std::filesystem::perms::owner_all, failure);
  if (failure)
    throw error(failure, "make files in", place.string(), std::nullopt, "set TMPDIR to another directory");
  return name;
}

}  // namespace

std::filesystem::path temporary_place() {
  std::error_code ignored;
  const char* const set = std::getenv("TMPDIR");
  return set != nullptr && *set != '\0' ? set : std::filesystem::temp_directory_path(ignored);
}

temporary_directory::temporary_directory(const std::filesystem::path& place) : path_(make_directory(place)) {}

temporary_directory::~temporary_directory() {
  std::error_code ignored;  // what cannot be removed is left to the system's own cleaning
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace riffle::bench
