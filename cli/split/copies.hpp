/// Threads that copy parts of a file into files of their own, while the next parts are still looked for.
#pragma once

#include <riffle/source.hpp>

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace riffle::cli {

/// Copies the parts that it is given. Those that wait are copied also if this is destroyed early.
class file_copies {
 public:
  struct part {
    std::string name;  // of the new file
    std::uint64_t offset;
    std::uint64_t size;
  };

  /// `from` is a regular file that is not decoded. It and `header`, which each file starts with, must outlive
  /// this. With no thread it copies nothing: see `can_copy`.
  file_copies(const source& from, const std::string& header, unsigned threads);
  ~file_copies();
  file_copies(const file_copies&) = delete;
  file_copies& operator=(const file_copies&) = delete;

  /// Returns whether the system gave it a thread.
  bool can_copy() const noexcept { return !threads_.empty(); }
  /// Copies a part, now or later. Throws `riffle::error` if copying has failed.
  void add(part next);
  /// Waits until all parts are copied. Throws as `add`.
  void finish();

 private:
  void run();
  void join();

  const source& from_;
  const std::string& header_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<part> waiting_ = {};
  std::exception_ptr failure_ = {};  // of the first part of those that failed
  std::uint64_t failed_at_ = 0;      // its offset
  bool ended_ = false;
  std::vector<std::thread> threads_ = {};
};

}  // namespace riffle::cli
