/// Opens files ahead of a thread that reads many that are not cached.
#pragma once

#include <riffle/input.hpp>
#include <riffle/options.hpp>

#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "method/active_method.hpp"
#include "method/read_ahead.hpp"

namespace riffle::inline v0 {

/// Opens many inputs for one thread, which takes them in order.
///
/// Opening a small file and reading it takes two or three requests, one after another. Far storage answers
/// each after a millisecond, but serves many at once. So if the page cache does not hold the files, threads
/// of this object open the next ones and ask the OS kernel for their bytes, up to 64 files ahead. Only
/// regular files are opened ahead: opening a FIFO has an effect. Cached files are opened by the reader
/// itself, and no thread is started.
class files_ahead {
 public:
  /// `files` and `reading` must outlive this object. `readers` threads have such an object each: they share
  /// the threads and the descriptors.
  files_ahead(std::span<const input> files, const read_options& reading, unsigned readers);
  ~files_ahead();
  files_ahead(const files_ahead&) = delete;
  files_ahead& operator=(const files_ahead&) = delete;

  /// Says which inputs are taken next, in order: the indices from `begin` to `end`.
  void expect(std::size_t begin, std::size_t end);
  /// Opens the next input. Throws as `open_input` does.
  std::shared_ptr<open_file> take(std::size_t index);

 private:
  static constexpr std::size_t most = waiting_for_files.most;
  struct slot {
    bool opening = false;
    bool cold = false;
    std::shared_ptr<open_file> file = nullptr;  // null: the reader opens it
  };

  std::shared_ptr<open_file> open_here(std::size_t index);
  void note(std::size_t index, bool cold);
  void start_threads();
  void open_ahead();
  std::optional<std::size_t> next_path();

  std::span<const input> files_;
  const read_options& reading_;
  std::size_t readers_;
  std::size_t last_cold_ = 0;  // the index after the last file that was not cached

  std::mutex mutex_;
  std::condition_variable more_;  // files to open, or the end
  std::condition_variable done_;  // the file that the reader waits for is opened
  waiting waiting_ = waiting_for_files;
  std::size_t taken_ = 0;  // the index of the file taken last
  std::size_t next_ = 0;   // the index that is opened ahead next
  std::size_t end_ = 0;
  std::array<slot, most> slots_;  // by index modulo their number
  bool stop_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace riffle::inline v0
