/// What a command has counted so far: some threads count, another may ask at any time.
#ifndef RIFFLE_CLI_PROGRESS_SO_FAR_HPP
#define RIFFLE_CLI_PROGRESS_SO_FAR_HPP

#include <atomic>
#include <cstddef>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

namespace riffle::cli {

/// The results of the files in their order: of those that are finished together, and of the next one up to
/// some place. What is counted of later files is ignored, so that the results are those of a prefix of all
/// bytes. Thread safety: any number of threads.
template <class Value>
class so_far {
 public:
  struct file {
    std::string_view name;
    Value value;
  };
  struct snapshot {
    std::size_t finished = 0;
    Value total{};                // of the finished files
    std::optional<file> current;  // the next one, if its reading has begun
  };

  /// What was counted of the file with this index. Its name must live until it is finished.
  void update(std::size_t index, std::string_view name, const Value& value) {
    if (index != finished_.load(std::memory_order_relaxed)) return;
    const std::lock_guard lock(mutex_);
    if (index == known_.finished) known_.current = file{name, value};
  }
  /// Finishes the next file. `add(total)` adds what was counted of it.
  template <class Add>
  void finish(Add add) {
    const std::lock_guard lock(mutex_);
    add(known_.total);
    known_.current.reset();
    finished_.store(++known_.finished, std::memory_order_relaxed);
  }
  snapshot now() const {
    const std::lock_guard lock(mutex_);
    return known_;
  }

 private:
  mutable std::mutex mutex_;
  std::atomic<std::size_t> finished_ = 0;
  snapshot known_;
};

}  // namespace riffle::cli

#endif
