/// Reads the small text files in which the OS kernel gives its facts.
#ifndef RIFFLE_BENCH_HOST_OS_TEXT_FILE_HPP
#define RIFFLE_BENCH_HOST_OS_TEXT_FILE_HPP

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace riffle::os {

/// The file's text without white space at its end; empty if it cannot be read.
inline std::string text_of_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  text.erase(text.find_last_not_of(" \n") + 1);
  return text;
}

}  // namespace riffle::os

#endif
