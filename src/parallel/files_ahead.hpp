/// Opens files ahead of a thread that reads many that are not cached.
#pragma once

#include <riffle/input.hpp>
#include <riffle/options.hpp>

#include <algorithm>
#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <system_error>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "method/active_method.hpp"
#include "method/read_ahead.hpp"
#include "os/facts.hpp"
#include "os/mapping.hpp"
#include "os/threads.hpp"
#include "source/source_state.hpp"

namespace riffle::inline v0 {

/// Opens many inputs for one thread, which takes them in order.
///
/// Opening a small file and reading it takes two or three requests, one after another. Far storage answers
/// each after a millisecond, but serves many at once. So if the page cache does not hold the files, threads
/// of this object open the files of the next slots and ask the OS kernel for their bytes, up to 64 files
/// ahead, and the reader waits for the slot of its file. Only regular files are opened ahead: opening a FIFO
/// has an effect. Cached files are opened by the reader itself, and no thread is started.
class files_ahead {
 public:
  /// `files` and `reading` must outlive this object. `readers` threads have such an object each: they share
  /// the threads and the descriptors.
  files_ahead(std::span<const input> files, const read_options& reading, unsigned readers)
      : files_(files), reading_(reading), readers_(readers) {}
  ~files_ahead() {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
    }
    more_.notify_all();
    for (std::thread& each : threads_) each.join();
  }
  files_ahead(const files_ahead&) = delete;
  files_ahead& operator=(const files_ahead&) = delete;

  /// Says which inputs are taken next, in order: the indices from `begin` to `end`.
  void expect(std::size_t begin, std::size_t end) {
    const std::lock_guard lock(mutex_);
    taken_ = next_ = begin;
    end_ = end;
    more_.notify_all();
  }
  /// Opens the next input. Throws as `open_input` does.
  std::shared_ptr<open_file> take(std::size_t index) {
    if (threads_.empty()) return open_here(index);
    std::unique_lock lock(mutex_);
    taken_ = index;
    if (next_ <= index) {
      next_ = index + 1;
      lock.unlock();
      return open_here(index);
    }
    slot& wanted = slots_[index % most];
    more_.notify_one();
    done_.wait(lock, [&] { return !wanted.opening; });
    std::shared_ptr<open_file> file = std::exchange(wanted.file, nullptr);
    note(index, wanted.cold);
    lock.unlock();
    return file ? file : std::make_shared<open_file>(open_input(files_[index], reading_));
  }

 private:
  static constexpr std::size_t most = waiting_for_files.most;
  static constexpr std::size_t probed_of = 64;

  struct opened_file {
    std::shared_ptr<open_file> file;
    bool cold;  // its bytes will be waited for, as far as it was looked at
  };
  struct slot {
    bool opening = false;
    bool cold = false;
    std::shared_ptr<open_file> file = nullptr;  // null: the reader opens it
  };

  // A method that reads on asks for the bytes behind these.
  static std::uint64_t asked_for(const open_file& opened) {
    return std::min<std::uint64_t>(opened.size(), copied_block);
  }

  // Returns whether the bytes of a file will be waited for. If the system does not tell, they will not.
  static bool is_cold(const open_file& opened) noexcept {
    const std::uint64_t first = asked_for(opened);
    const std::uint64_t pages = os::page_count(first);
    try {
      return os::resident_pages(opened.file, 0, first).value_or(pages) < pages;
    } catch (const std::exception&) {
      return false;
    }
  }

  // To look at the page cache takes a fifth of what a small file takes, so only files that opened late are
  // looked at, and those that are `probed`. A cached file may be late too, if its thread did not run.
  static opened_file timed_open(const input& from, bool probed, const read_options& given = {}) {
    const auto start = waiting::clock::now();
    auto opened = std::make_shared<open_file>(open_input(from, given));
    const bool late = waiting::is_late(start, 0);
    const bool cold = (late || probed) && opened->kind() == input_kind::regular_file && is_cold(*opened);
    return {std::move(opened), cold};
  }

  static const path_string* path_of(const input& from) { return std::get_if<path_string>(&from.where()); }

  // Opens a regular file and asks for its bytes. Returns nothing if that fails: the reader gets the error.
  static std::optional<opened_file> opened_ahead(const input& from) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(*path_of(from), ignored)) return std::nullopt;
    try {
      opened_file opened = timed_open(from, true);
      if (opened.cold) opened.file->file.advise_will_need(0, asked_for(*opened.file));
      return opened;
    } catch (const std::exception&) {
      return std::nullopt;
    }
  }

  std::shared_ptr<open_file> open_here(std::size_t index) {
    const bool probed = index % probed_of == 0 && files_.size() > probed_of;  // a single probe tells nothing
    opened_file opened = timed_open(files_[index], probed, reading_);
    if (opened.cold || !threads_.empty()) {
      const std::lock_guard lock(mutex_);
      taken_ = index;
      next_ = std::max(next_, index + 1);
      note(index, opened.cold);
      more_.notify_one();
    }
    return std::move(opened.file);
  }

  // A single cold file may have been evicted, so the second one starts the threads.
  void note(std::size_t index, bool cold) {
    if (!cold) {
      if (waiting_.is_calm_after(1)) waiting_.ahead = 0;
      return;
    }
    if (last_cold_ != 0 && index < last_cold_ + probed_of) {
      if (threads_.empty()) {
        waiting_.most = std::min<std::size_t>(os::free_descriptors() / readers_ / 4, most);
      }
      waiting_.go_further();
      start_threads();
      more_.notify_all();
    }
    last_cold_ = index + 1;
  }

  // Starts fewer if the system has no more. The threads call no function of the user, so they take no signal.
  void start_threads() {
    const os::without_signals inherited;
    try {
      const std::size_t share = std::max<std::size_t>(waiting::threads / readers_, 1);
      while (threads_.size() < std::min<std::uint64_t>(waiting_.ahead / 2, share)) {
        threads_.emplace_back([this] { open_ahead(); });
      }
    } catch (const std::exception&) {
      waiting_.ahead = waiting_.most = std::min<std::uint64_t>(waiting_.most, 2 * threads_.size());
    }
  }

  // Other inputs than paths are open already, or not to be opened before their turn.
  std::optional<std::size_t> next_path() {
    while (next_ < std::min<std::uint64_t>(taken_ + waiting_.ahead, end_)) {
      const std::size_t index = next_++;
      if (path_of(files_[index]) != nullptr) return index;
    }
    return std::nullopt;
  }

  void open_ahead() {
    std::optional<std::size_t> index;
    std::unique_lock lock(mutex_);
    while (true) {
      more_.wait(lock, [&] { return stop_ || (index = next_path()).has_value(); });
      if (stop_) return;
      slot& mine = slots_[*index % most];
      mine = {.opening = true};
      lock.unlock();
      std::optional<opened_file> opened = opened_ahead(files_[*index]);
      lock.lock();
      mine.opening = false;
      if (opened) {
        mine.cold = opened->cold;
        mine.file = std::move(opened->file);
      }
      if (*index == taken_) done_.notify_one();
    }
  }

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
