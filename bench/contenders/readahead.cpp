/// Contenders that ask for the bytes ahead of their read(2), as databases and backup tools do. On storage
/// that serves many requests at once, the depth and the step of the asking decide.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <thread>

#include "bench/contenders/published.hpp"
#include "bench/contenders/registry.hpp"
#include "text/typed.hpp"

namespace riffle::bench {

namespace {

using std::filesystem::path;
using text::kib;
using text::mib;

constexpr std::size_t step = 128 * kib;

// Calls `before(end of what was read)` before each read(2), and `use` with what it read.
template <class Before, class Use>
void read_each(const os::file& file, Before before, Use use) {
  constexpr std::size_t size = 256 * kib;
  const auto buffer = std::make_unique_for_overwrite<char[]>(size);
  std::uint64_t at = 0;
  for (std::size_t count = 1; count != 0; at += count) {
    before(at);
    count = file.read({buffer.get(), size}, at);
    use(std::string_view(buffer.get(), count));
  }
}

/// The hint alone: it doubles the OS kernel's own readahead.
constexpr auto by_sequential = [](const path& name, auto use) {
  const os::file file = os::file::open(name);
  file.advise_sequential();
  read_each(file, [](std::uint64_t) {}, use);
};

/// POSIX_FADV_WILLNEED for what lies up to `depth` bytes ahead.
template <std::uint64_t depth>
constexpr auto by_willneed = [](const path& name, auto use) {
  const os::file file = os::file::open(name);
  const std::uint64_t size = file.status().size;
  std::uint64_t asked = 0;
  const auto ask = [&](std::uint64_t at) {
    for (const std::uint64_t end = std::min(size, at + depth); asked < end; asked += step)
      file.advise_will_need(asked, step);
  };
  read_each(file, ask, use);
};

/// Threads that read up to 8 MiB ahead into buffers that nobody looks at: the bytes are then in the page
/// cache.
constexpr auto by_threads = [](const path& name, auto use) {
  constexpr std::uint64_t depth = 8 * mib;
  const os::file file = os::file::open(name);
  const os::file other = os::file::open(name);  // the OS kernel's own readahead goes by descriptors
  const std::uint64_t size = file.status().size;
  std::atomic<std::uint64_t> next = 0;
  std::atomic<std::uint64_t> reached = 0;  // by the reader
  const auto read_ahead = [&] {
    const auto buffer = std::make_unique_for_overwrite<char[]>(step);
    for (std::uint64_t at = next.fetch_add(step); at < size; at = next.fetch_add(step)) {
      for (std::uint64_t now = reached; at > now && at - now > depth; now = reached) reached.wait(now);
      // If it fails, the reader fails at the same place, and says so.
      if (::pread(other.descriptor(), buffer.get(), step, static_cast<off_t>(at)) < 0) return;
    }
  };
  const auto go_on_to = [&](std::uint64_t at) {
    reached = at;
    reached.notify_all();
  };
  std::array<std::jthread, 32> threads;
  const std::shared_ptr<void> ending(nullptr, [&](void*) {  // also if reading fails
    next = size;
    go_on_to(std::numeric_limits<std::uint64_t>::max());
  });
  for (std::jthread& each : threads) each = std::jthread(read_ahead);
  read_each(file, go_on_to, use);
};

constexpr contender_row rows[] = {
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
