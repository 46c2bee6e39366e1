/// Starts riffle-slow-fs, and waits until it has mounted the file.
#include "bench/host/slow_storage.hpp"

#include <fmt/core.h>

#include <array>
#include <optional>
#include <riffle/error.hpp>
#include <system_error>

#include "bench/host/os/process.hpp"

namespace riffle::bench {

namespace {

constexpr const char* program_name = "riffle-slow-fs";

}  // namespace

std::filesystem::path find_slow_fs() {
  std::error_code ignored;
  const auto folder = std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
  for (const auto& place : {folder, folder.parent_path() / "libexec" / "riffle"}) {
    if (std::filesystem::is_regular_file(place / program_name, ignored)) return place / program_name;
  }
  if (std::optional<std::string> found = os::find_program(program_name)) return *std::move(found);
  throw error(std::make_error_code(std::errc::no_such_file_or_directory), "find", program_name, std::nullopt,
              "build riffle with libfuse 3.12 or later (Debian: libfuse3-dev), or put it on PATH");
}

std::string in_words(const slow_storage& storage) {
  return fmt::format("{}, {} us a request, {} at once", program_name, storage.latency, storage.served);
}

served_file::served_file(const std::filesystem::path& file, const slow_storage& storage,
                         const std::filesystem::path& place)
    : folder_(place),
      program_({storage.program.string(), fmt::format("--latency={}", storage.latency),
                fmt::format("--served={}", storage.served), std::filesystem::absolute(file).string(),
                folder_.path().string()}) {
  std::string said;
  while (const std::optional<std::string> line = program_.next_line()) {
    if (line->find(" a request, ") != std::string::npos) return;
    said += said.empty() ? *line : "; " + *line;
  }
  throw error(std::make_error_code(std::errc::not_supported), "mount", folder_.path().string(), std::nullopt,
              said.empty() ? std::string(program_name) + " ended at once" : said);
}

}  // namespace riffle::bench
