/// What the loops share: a file mapped in one piece, the answer of a loop over records, and `main`.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string_view>
#include <system_error>

namespace riffle::peers {

/// What a loop over lines or words answers: how many, and the sum of their lengths, without newlines.
struct records {
  std::uint64_t count = 0;
  std::uint64_t length = 0;

  void add(std::string_view record) noexcept {
    ++count;
    length += record.size();
  }
};

inline int print(const records& answer) {
  std::printf("%ju %ju\n", std::uintmax_t{answer.count}, std::uintmax_t{answer.length});
  return 0;
}

/// C, c, G and g are the bytes that equal 0x43 once bits 2 and 5 are cleared.
template <class Bytes>
int count_gc(Bytes&& bytes) {
  std::uint64_t count = 0;
  for (const char byte : bytes) count += (static_cast<unsigned char>(byte) & 0xDBU) == 0x43U ? 1U : 0U;
  std::printf("%ju\n", std::uintmax_t{count});
  return 0;
}

/// A whole file in one plain mapping, as most programs that map a file have it. Throws std::system_error.
class mapped {
 public:
  explicit mapped(const char* path) {
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    struct stat facts{};
    if (file < 0 || fstat(file, &facts) < 0) throw std::system_error(errno, std::generic_category(), path);
    size_ = static_cast<std::size_t>(facts.st_size);
    start_ = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
    const int error = errno;
    close(file);
    if (start_ == MAP_FAILED) throw std::system_error(error, std::generic_category(), path);
  }
  mapped(const mapped&) = delete;
  mapped& operator=(const mapped&) = delete;
  ~mapped() { munmap(start_, size_); }

  [[nodiscard]] std::string_view bytes() const noexcept { return {static_cast<const char*>(start_), size_}; }

 private:
  void* start_ = nullptr;
  std::size_t size_ = 0;
};

/// `main` of a program that runs the task of its first argument on the file of its second.
inline int run_task(const char* program, int (*run)(std::string_view task, const char* path), int count,
                    char** arguments) {
  try {
    if (count != 3) throw std::invalid_argument("two arguments are needed: TASK FILE");
    return run(arguments[1], arguments[2]);
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "%s: %s\n", program, failure.what());
    return 1;
  }
}

}  // namespace riffle::peers
