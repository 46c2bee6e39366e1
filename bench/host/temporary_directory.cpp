/// Makes the directory by mkdtemp, and removes it.
#include "bench/host/temporary_directory.hpp"

#include <cerrno>
#include <cstdlib>
#include <riffle/error.hpp>
#include <string>

namespace riffle::bench {

std::filesystem::path temporary_place() {
  const char* const set = std::getenv("TMPDIR");
  return set != nullptr && *set != '\0' ? set : "/tmp";
}

temporary_directory::temporary_directory(const std::filesystem::path& place) {
  std::string name = (place / "riffle-bench-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) {
    throw error({errno, std::generic_category()}, "make files in", place.string(), std::nullopt,
                "set TMPDIR to another directory");
  }
  path_ = name;
}

temporary_directory::~temporary_directory() {
  std::error_code ignored;  // what cannot be removed is left to the system's own cleaning
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace riffle::bench
