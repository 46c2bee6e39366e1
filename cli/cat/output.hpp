/// Writes the output of `cat` by few system calls, past stdio, which would copy every byte once more.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>

#include "cli/os/system.hpp"
#include "cli/output.hpp"

namespace riffle::cli {

/// Collects small pieces. Large ones are written as they are. All functions throw output_lost.
class cat_output {
 public:
  /// `to` is a descriptor.
  explicit cat_output(int to) : to_(to), collected_(std::make_unique_for_overwrite<char[]>(capacity)) {}

  /// Writes the bytes, now or later.
  void add(std::string_view bytes) {
    if (bytes.size() >= capacity - size_) {
      add_large(bytes);
    } else {
      std::memcpy(collected_.get() + size_, bytes.data(), bytes.size());
      size_ += bytes.size();
    }
  }
  void add(char byte) { add({&byte, 1}); }
  /// Writes what was added and is not written yet. Several threads may call it if there is nothing.
  void flush() {
    // Empty even if `write` throws, so that nothing is written twice.
    if (size_ != 0) write({collected_.get(), std::exchange(size_, 0)});
  }
  /// Writes the bytes now. Nothing that was added may wait.
  void write(std::string_view bytes) const {
    if (const int failure = os::write_all(to_, bytes); failure != 0) throw output_lost(failure);
  }
  int descriptor() const noexcept { return to_; }

 private:
  static constexpr std::size_t capacity = std::size_t{128} << 10U;

  // Apart, so that `add` is short enough to be inlined.
  [[gnu::noinline]] void add_large(std::string_view bytes) {
    flush();
    if (bytes.size() >= capacity) return write(bytes);
    std::memcpy(collected_.get(), bytes.data(), bytes.size());
    size_ = bytes.size();
  }

  int to_;
  std::unique_ptr<char[]> collected_;
  std::size_t size_ = 0;  // below `capacity`
};

}  // namespace riffle::cli
