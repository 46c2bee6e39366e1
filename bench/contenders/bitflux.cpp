/// The contenders of "io_uring is faster than mmap" (bitflux, 2025) and of its critics: six workers that read
/// past the cache, and six threads that prefetch a mapping. One thread that faults it in is mapped/mmap.
#include <unistd.h>

#include <array>
#include <cerrno>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <new>
#include <thread>

#include "bench/contenders/block_loops.hpp"
#include "bench/contenders/raw_input.hpp"
#include "bench/contenders/registry.hpp"
#include "bench/contenders/scans.hpp"
#include "os/file.hpp"

namespace riffle::bench {

namespace {

using std::filesystem::path;

constexpr std::size_t workers = 6;
constexpr std::size_t slots = 2 * workers;
constexpr std::size_t piece = mib;
constexpr std::size_t page = 4 * kib;

// Sums the pieces of a file in order, while the workers fetch those ahead: `fetch(piece)` returns the bytes,
// which have to stay until `slots` pieces later.
template <class Fetch>
answer sum_fetched(std::size_t size, Fetch fetch) {
  const std::size_t pieces = (size + piece - 1) / piece;
  std::mutex lock;
  std::condition_variable moved;
  std::array<std::optional<std::string_view>, slots> fetched;
  std::size_t next = 0;
  std::size_t used = 0;
  std::exception_ptr failure;
  const auto work = [&] {
    std::unique_lock held(lock);
    while (true) {
      moved.wait(held, [&] { return failure || next == pieces || next < used + slots; });
      if (failure || next == pieces) return;
      const std::size_t mine = next++;
      held.unlock();
      std::string_view bytes;
      std::exception_ptr refused;
      try {
        bytes = fetch(mine);
      } catch (...) {
        refused = std::current_exception();
      }
      held.lock();
      if (refused) failure = refused;
      fetched[mine % slots] = bytes;
      moved.notify_all();
    }
  };
  answer total;
  {
    std::array<std::jthread, workers> threads;
    for (std::jthread& each : threads) each = std::jthread(work);
    std::unique_lock held(lock);
    for (; used < pieces; ++used, moved.notify_all()) {
      std::optional<std::string_view>& bytes = fetched[used % slots];
      moved.wait(held, [&] { return failure || bytes; });
      if (failure) break;
      held.unlock();
      total += sum_values(*bytes);
      held.lock();
      bytes.reset();
    }
  }
  if (failure) std::rethrow_exception(failure);
  return total;
}

std::size_t size_of_values(const path& name, std::size_t size) {
  if (size % sizeof(std::uint64_t) != 0)
    fail_on_format(name, size / sizeof(std::uint64_t) * sizeof(std::uint64_t));
  return size;
}

answer by_direct(const path& name) {
  struct aligned {
    void operator()(char* memory) const noexcept { ::operator delete(memory, std::align_val_t{page}); }
  };
  const os::file file = os::file::open(name).reopen_direct();
  const std::unique_ptr<char, aligned> buffers(
      static_cast<char*>(::operator new(slots * piece, std::align_val_t{page})));
  return sum_fetched(size_of_values(name, file.status().size), [&](std::size_t index) {
    char* const into = buffers.get() + index % slots * piece;
    const std::ptrdiff_t count = ::pread(file.descriptor(), into, piece, static_cast<off_t>(index * piece));
    if (count < 0) fail_with_errno("read", name);
    return std::string_view(into, static_cast<std::size_t>(count));
  });
}

answer by_prefetch(const path& name) {
  const whole_mapping file(name);
  return sum_fetched(size_of_values(name, file.bytes().size()), [&](std::size_t index) {
    const std::string_view bytes = file.bytes().substr(index * piece, piece);
    for (std::size_t at = 0; at < bytes.size(); at += page) [[maybe_unused]]
      const char touched = static_cast<const volatile char&>(bytes[at]);
    return bytes;
  });
}

constexpr row rows[] = {
    {"direct-6", by::direct, "six threads of pread(2) with O_DIRECT, one thread that sums", by_direct, piece,
     no_direct},
    {"mmap-prefetch-6", by::mmap, "one mapping, six threads touch the pages ahead of one that sums",
     by_prefetch},
};

}  // namespace

void add_bitflux(task which, std::vector<contender>& to) {
  if (which == task::primes) add_rows(which, "bitflux", rows, to, true);
}

}  // namespace riffle::bench
