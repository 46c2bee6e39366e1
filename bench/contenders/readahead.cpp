/// Contenders that ask for the bytes ahead of their read(2), as databases and backup tools do. On storage
/// that serves many requests at once, the depth and the step of the asking decide.
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>
#include <thread>
#include <vector>

#include "bench/contenders/block_loops.hpp"
#include "bench/contenders/raw_input.hpp"
#include "bench/contenders/registry.hpp"
#include "os/file.hpp"

namespace riffle::bench {

namespace {

using std::filesystem::path;

constexpr std::size_t read_size = 256 * kib;

// Calls `before(end of what was read)` before each read(2), and `use` with what it read.
template <class Before, class Use>
void read_each(const descriptor& file, Before before, Use use) {
  const auto buffer = std::make_unique_for_overwrite<char[]>(read_size);
  std::uint64_t at = 0;
  while (true) {
    before(at);
    const std::size_t count = file.read(buffer.get(), read_size);
    if (count == 0) return;
    use(std::string_view(buffer.get(), count));
    at += count;
  }
}

/// The hint alone: it doubles the OS kernel's own readahead.
constexpr auto by_sequential = [](const path& name, auto use) {
  const descriptor file(name);
  os::file::borrow(file.number(), {}).advise_sequential();
  read_each(file, [](std::uint64_t) {}, use);
};

/// POSIX_FADV_WILLNEED for what lies up to `depth` bytes ahead.
template <std::uint64_t depth>
constexpr auto by_willneed = [](const path& name, auto use) {
  constexpr std::uint64_t step = 128 * kib;
  const descriptor file(name);
  const os::file hinted = os::file::borrow(file.number(), {});
  const std::uint64_t size = file.size();
  std::uint64_t asked = 0;
  const auto ask = [&](std::uint64_t at) {
    for (const std::uint64_t end = std::min(size, at + depth); asked < end; asked += step) {
      hinted.advise_will_need(asked, step);
    }
  };
  read_each(file, ask, use);
};

/// Threads that read ahead into buffers of their own, which nobody looks at: the bytes are then in the page
/// cache.
class reading_threads {
 public:
  reading_threads(const descriptor& file, unsigned count) : file_(file), size_(file.size()) {
    for (unsigned i = 0; i < count; ++i) threads_.emplace_back([this] { run(); });
  }
  reading_threads(const reading_threads&) = delete;
  reading_threads& operator=(const reading_threads&) = delete;
  ~reading_threads() {
    next_ = size_;
    reached(std::numeric_limits<std::uint64_t>::max());
  }

  /// The reader is there: they may go on to `depth` bytes ahead of it.
  void reached(std::uint64_t at) {
    reached_ = at;
    reached_.notify_all();
  }

 private:
  static constexpr std::uint64_t piece = 128 * kib;
  static constexpr std::uint64_t depth = 8 * mib;

  void run() {
    const auto buffer = std::make_unique_for_overwrite<char[]>(piece);
    for (std::uint64_t at = next_.fetch_add(piece); at < size_; at = next_.fetch_add(piece)) {
      for (std::uint64_t now = reached_; at > now && at - now > depth; now = reached_) reached_.wait(now);
      // If it fails, the reader fails at the same place, and says so.
      if (::pread(file_.number(), buffer.get(), piece, static_cast<off_t>(at)) < 0) return;
    }
  }

  const descriptor& file_;
  std::uint64_t size_;
  std::atomic<std::uint64_t> next_{0};
  std::atomic<std::uint64_t> reached_{0};
  std::vector<std::jthread> threads_;  // last: they use the others
};

constexpr auto by_threads = [](const path& name, auto use) {
  const descriptor file(name);
  const descriptor other(name);
  reading_threads ahead(other, 32);
  read_each(file, [&](std::uint64_t at) { ahead.reached(at); }, use);
};

constexpr row rows[] = {
    {"sequential", by::read, "read(2), POSIX_FADV_SEQUENTIAL", by_blocks<task::lines, by_sequential>},
    {"willneed-8M", by::read, "WILLNEED 8 MiB ahead, 128 KiB a call",
     by_blocks<task::lines, by_willneed<8 * mib>>},
    {"willneed-32M", by::read, "WILLNEED 32 MiB ahead, 128 KiB a call",
     by_blocks<task::lines, by_willneed<32 * mib>>},
    {"threads-32", by::read, "32 threads of pread(2), 8 MiB ahead", by_blocks<task::lines, by_threads>}};

}  // namespace

void add_readahead(task which, std::vector<contender>& to) {
  if (which == task::lines) add_rows(which, "readahead", rows, to, true);
}

}  // namespace riffle::bench
