/// Why this file exists: tests of the os layer need files of known bytes that vanish with the test.
#ifndef RIFFLE_TESTS_TEMPORARY_FILE_HPP
#define RIFFLE_TESTS_TEMPORARY_FILE_HPP

#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>

namespace riffle::testing {

/// `size` bytes in which no two pages are alike, and every page has spaces and newlines.
inline std::string patterned_bytes(std::size_t size) {
  std::string bytes(size, '\0');
  std::size_t state = 1;
  for (char& byte : bytes) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    byte = "acgtACGT \n"[(state >> 33) % 10];
  }
  return bytes;
}

/// A file with the bytes given, removed at the end.
class temporary_file {
 public:
  explicit temporary_file(std::string_view bytes) {
    std::string name = (std::filesystem::temp_directory_path() / "riffle-XXXXXX").string();
    const int descriptor = mkstemp(name.data());
    if (descriptor < 0) throw std::runtime_error("cannot make a temporary file");
    close(descriptor);
    path_ = name;
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  temporary_file(const temporary_file&) = delete;
  temporary_file& operator=(const temporary_file&) = delete;
  ~temporary_file() { std::filesystem::remove(path_); }

  const std::filesystem::path& path() const { return path_; }
  std::string contents() const {
    std::ifstream in(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void truncate(std::size_t size) const { std::filesystem::resize_file(path_, size); }

 private:
  std::filesystem::path path_;
};

}  // namespace riffle::testing

#endif
