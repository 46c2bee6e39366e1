/// A descriptor that is closed with its owner, for system calls that os::file does not make.
#ifndef RIFFLE_BENCH_HOST_OS_DESCRIPTOR_HPP
#define RIFFLE_BENCH_HOST_OS_DESCRIPTOR_HPP

#include <unistd.h>

#include <utility>

namespace riffle::os {

class descriptor {
 public:
  descriptor() = default;
  explicit descriptor(int number) noexcept : number_(number) {}
  descriptor(descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  descriptor& operator=(descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~descriptor() { close(); }

  /// -1 if there is none.
  [[nodiscard]] int number() const noexcept { return number_; }
  [[nodiscard]] bool open() const noexcept { return number_ >= 0; }
  /// Returns what close(2) returns.
  int close() noexcept { return open() ? ::close(std::exchange(number_, -1)) : 0; }

 private:
  int number_ = -1;
};

}  // namespace riffle::os

#endif
