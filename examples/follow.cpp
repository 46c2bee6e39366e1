/// Prints the lines of a log that grows, is rotated or cut, until one is "end": `riffle::lines`.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <iostream>
#include <riffle/riffle.hpp>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

// Prints the lines from the position of the descriptor to the end. `line` is the start of one whose rest is
// not written yet. Returns whether one was "end".
bool print_new_lines(int descriptor, std::string& line) {
  for (std::string_view part : riffle::lines(descriptor, {.keep_delimiter = true})) {
    line += part;
    if (!line.ends_with('\n')) continue;
    std::cout << line << std::flush;
    if (line == "end\n") return true;
    line.clear();
  }
  return false;
}

int main(int argc, char** argv) try {
  if (argc < 2) throw std::invalid_argument("usage: follow FILE [MILLISECONDS BETWEEN LOOKS]");
  const char* const path = argv[1];
  const std::chrono::milliseconds pause(argc > 2 ? std::stoi(argv[2]) : 100);
  int descriptor = ::open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) throw std::system_error(errno, std::generic_category(), path);
  std::string line;
  while (true) {
    // A writer that has begun the new file writes no more to the old one, which is read after this look.
    struct stat old{}, now{};
    const bool known = ::fstat(descriptor, &old) == 0 && ::stat(path, &now) == 0;
    const bool rotated = known && now.st_size != 0 && (now.st_ino != old.st_ino || now.st_dev != old.st_dev);
    bool cut = false;
    try {
      if (print_new_lines(descriptor, line)) return 0;
      cut = ::fstat(descriptor, &old) == 0 && old.st_size < ::lseek(descriptor, 0, SEEK_CUR);
    } catch (const riffle::error& failure) {
      if (failure.code() != riffle::errc::truncated) throw;
      cut = true;
    }
    const int next = rotated && !cut ? ::open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (!cut && next < 0) {
      std::this_thread::sleep_for(pause);
      continue;
    }
    if (!line.empty()) std::cout << line << '\n' << std::flush;  // nobody writes its rest
    line.clear();
    if (cut) ::lseek(descriptor, 0, SEEK_SET);
    if (next >= 0) ::close(std::exchange(descriptor, next));
  }
} catch (const std::exception& failure) {
  std::cerr << "follow: " << failure.what() << '\n';
  return 1;
}
