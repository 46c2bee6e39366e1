/// Starts riffle-slow-fs, and waits until it has mounted the file. It ends when nobody reads its output any
/// more.
#include "bench/host/slow_storage.hpp"

#include <fmt/core.h>

#include <array>
#include <optional>
#include <riffle/error.hpp>
#include <system_error>

#include "bench/host/command.hpp"

namespace riffle::bench {

namespace {

constexpr const char* program_name = "riffle-slow-fs";

// As a word of any shell; text::shell_quoted is for those of today.
std::string quoted(const std::string& word) {
  std::string text = "'";
  for (const char each : word) text += each == '\'' ? "'\\''" : std::string(1, each);
  return text + "'";
}

}  // namespace

std::filesystem::path find_slow_fs() {
  std::error_code ignored;
  const auto folder = std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
  for (const auto& place : {folder, folder.parent_path() / "libexec" / "riffle"}) {
    if (std::filesystem::is_regular_file(place / program_name, ignored)) return place / program_name;
  }
  if (std::optional<std::string> found = os::find_program(program_name)) return *std::move(found);
  throw error(
      std::make_error_code(std::errc::no_such_file_or_directory), "find", program_name, std::nullopt,
      "install the package riffle-slow-fs, build riffle with libfuse 3.12 or later, or put it on PATH");
}

std::string in_words(const slow_storage& storage) {
  return fmt::format("{}, {} us a request, {} at once", program_name, storage.latency, storage.served);
}

served_file::served_file(const std::filesystem::path& file, const slow_storage& storage,
                         const std::filesystem::path& place)
    : folder_(place) {
  const std::string command =
      fmt::format("exec {} --attached=1 --latency={} --served={} {} {} 2>&1",
                  quoted(storage.program.string()), storage.latency, storage.served,
                  quoted(std::filesystem::absolute(file).string()), quoted(folder_.path().string()));
  program_.reset(popen(command.c_str(), "r"));
  std::string said;
  std::array<char, 4096> line{};
  while (program_ && std::fgets(line.data(), line.size(), program_.get()) != nullptr) {
    said += line.data();
    if (said.find(" a request, ") != std::string::npos) return;
  }
  throw error(std::make_error_code(std::errc::not_supported), "mount", folder_.path().string(), std::nullopt,
              said.empty() ? std::string(program_name) + " ended at once"
                           : said.substr(0, said.find_last_not_of('\n') + 1));
}

}  // namespace riffle::bench
