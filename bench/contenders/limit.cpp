/// The limits that bind a contender, measured on its own input in its own rounds: the fastest walk that
/// touches each byte, over memory that is mapped already, the copy that a read cannot avoid, and the device.
#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <riffle/anonymous_memory.hpp>
#include <riffle/blocks.hpp>
#include <riffle/methods.hpp>
#include <riffle/parallel.hpp>
#include <riffle/scan.hpp>
#include <riffle/source.hpp>
#include <riffle/sum.hpp>
#include <string>

#include "bench/contenders/published.hpp"
#include "bench/contenders/registry.hpp"
#include "bench/host/machine.hpp"
#include "bench/host/system.hpp"
#include "os/facts.hpp"
#include "text/typed.hpp"

namespace riffle::bench {

namespace {

using text::kib;
using text::mib;
using scan_function = answer (*)(std::string_view);

/// One file's bytes, on huge pages where the system has them, so that nothing but the memory limits a scan.
struct loaded_file {
  explicit loaded_file(const os::file& file) {
    constexpr std::size_t huge_page = 2 * mib;
    const std::size_t size = size_of(file);
    const std::size_t page = size < huge_page ? 4 * kib : huge_page;
    const std::size_t room = (size / page + 1) * page;
    memory = {static_cast<char*>(anonymous_memory({.huge_pages = true}).allocate(room, page)), room};
    bytes = {memory.data(), read_full(file, memory.span().first(size))};
  }
  os::mapped_pages memory;
  std::string_view bytes;
};

/// What the limits of a table share. The first run, which is not timed, fills it.
struct loaded {
  std::vector<loaded_file> files = {};
  std::map<unsigned, scan_function> fastest = {};  // by the number of threads
};

std::optional<std::string> does_not_fit(input_files files) {
  std::uintmax_t size = 0;
  for (const auto& file : files) size += std::filesystem::file_size(file);
  // What is in the page cache counts as free, and the input has to stay there beside its copy.
  const std::uint64_t available = memory_available();
  if (available != 0 && size > available / 3) return "the input is larger than a third of the free memory";
  return std::nullopt;
}

// Walks that touch each byte, by the SIMD kernels of the processor. Which of them is fastest depends on it.
constexpr std::array<scan_function, 3> walks{
    [](std::string_view bytes) { return answer{scan::count_byte(bytes, '\n'), 0}; },
    [](std::string_view bytes) { return answer{scan::count_any_of(bytes, byte_set("cCgG")), 0}; },
    [](std::string_view bytes) {
      summer<std::uint8_t> sum;
      sum.add_bytes(bytes);
      return answer{sum.result(), 0};
    }};

template <class Look>
answer sum_over(const std::vector<loaded_file>& files, unsigned threads, Look look) {
  answer total;
  for (const loaded_file& file : files) {
    if (threads == 1) {
      total += look(file.bytes);
    } else {
      total += parallel_reduce(memory(file.bytes), answer{}, look, {}, {.threads = threads, .delimiter = {}});
    }
  }
  return total;
}

// The fastest by the shorter of two runs.
scan_function fastest_walk(const std::vector<loaded_file>& files, unsigned threads) {
  scan_function fastest = nullptr;
  auto least = std::chrono::steady_clock::duration::max();
  for (unsigned run = 0; run != 2; ++run) {
    for (const scan_function walk : walks) {
      const auto start = std::chrono::steady_clock::now();
      sum_over(files, threads, walk);
      const auto taken = std::chrono::steady_clock::now() - start;
      if (taken < least) fastest = walk;
      least = std::min(least, taken);
    }
  }
  return fastest;
}

// Copies into a buffer of 256 KiB, as read(2) would by a system call that costs nothing.
answer copied(std::string_view bytes) {
  constexpr std::size_t size = 256 * kib;
  thread_local const auto buffer = std::make_unique<char[]>(size);
  for (; !bytes.empty(); bytes.remove_prefix(std::min(size, bytes.size()))) {
    std::memcpy(buffer.get(), bytes.data(), std::min(size, bytes.size()));
    asm volatile("" : : "r"(buffer.get()) : "memory");  // or the compiler would drop the copy
  }
  return {};
}

// The block sizes and queue depths by which a device is tried.
constexpr std::array<read_options, 5> device_tries{
    {{.method = method::direct, .block_size = 1 << 20, .queue_depth = 32},
     {.method = method::direct, .block_size = 256 << 10, .queue_depth = 32},
     {.method = method::direct, .block_size = 256 << 10, .queue_depth = 128},
     {.method = method::direct, .block_size = 1 << 20, .queue_depth = 8},
     {.method = method::direct, .block_size = 4 << 20, .queue_depth = 8}}};

// The one of them that reads most in a second, by reading the file from its start for a quarter of one at
// most.
read_options fastest_on(const std::filesystem::path& file) {
  read_options best = device_tries.front();
  double most = 0;
  for (const read_options& tried : device_tries) {
    const auto start = std::chrono::steady_clock::now();
    std::chrono::duration<double> passed{0};
    double bytes = 0;
    for (const block part : blocks(file, tried)) {
      bytes += static_cast<double>(part.size());
      passed = std::chrono::steady_clock::now() - start;
      if (os::interrupted() || passed.count() > 0.25) break;
    }
    const double speed = bytes / std::max(passed.count(), 1e-9);
    if (speed > most) best = tried;
    most = std::max(most, speed);
  }
  return best;
}

// Reads an input and looks at no byte.
void read_only(const input& from, const read_options& reading) {
  for ([[maybe_unused]] const block part : blocks(from, reading)) {
  }
}

// A limit over the files' bytes in memory. `run` is given them and the number of threads.
template <class Run>
contender memory_limit(task which, limit_kind kind, const char* description, unsigned threads,
                       const std::shared_ptr<loaded>& all, const Run& run) {
  return {.task = which,
          .name = std::string(name_of(kind)),
          .program = "limit",
          .role = role::limit,
          .method = "memory",
          .description = description,
          .run = [=](input_files names) -> std::optional<answer> {
            if (all->files.size() != names.size()) {
              all->files.clear();
              for (const auto& name : names) all->files.emplace_back(os::file::open(name));
            }
            run(*all, threads);
            return std::nullopt;
          },
          .unavailable = does_not_fit,
          .forget = [all] { *all = {}; },
          .sets = kind,
          .threads = threads};
}

}  // namespace

std::optional<std::string> no_direct(input_files files) {
  if (auto reason = find_method(method::direct)->unavailable()) return reason;
  if (files.empty()) return std::nullopt;
  try {
    const std::string file_system = os::file_system_of(os::file::open(files.front()));
    if (os::in_memory(file_system)) return file_system + " keeps files in memory";
    source(files.front(), device_tries.front()).next();  // one block tells
    return std::nullopt;
  } catch (const std::exception& refused) {
    return std::string("the device cannot be read past the cache: ") + refused.what();
  }
}

void add_device_limit(task which, std::vector<contender>& to) {
  // Of several block sizes and depths. The first run, which is not timed, finds it.
  const auto best = std::make_shared<std::optional<read_options>>();
  to.push_back({.task = which,
                .name = "device",
                .program = "limit",
                .role = role::limit,
                .method = "direct",
                .description = "O_DIRECT, front to back, by the best block size and queue depth tried",
                .run = [best](input_files names) -> std::optional<answer> {
                  if (!*best) *best = fastest_on(names.front());
                  for (const auto& name : names) read_only(name, **best);
                  return std::nullopt;
                },
                .unavailable = no_direct,
                .forget = [best] { best->reset(); },
                .sets = limit_kind::device,
                .for_storage = which == task::commands});
}

void add_decode_limit(task which, const contender_options& options, std::vector<contender>& to) {
  const auto all = std::make_shared<loaded>();
  read_options reading = options.reading;
  reading.method = method::automatic;  // of memory there is one
  const auto decode = [reading](const loaded& from, unsigned) {
    for (const loaded_file& each : from.files) read_only(memory(each.bytes), reading);
  };
  for (const unsigned threads : options.threads)
    to.push_back(memory_limit(which, limit_kind::decode,
                              "the decoder from memory into memory that nobody reads", threads, all, decode));
  add_device_limit(which, to);
}

void add_limit(task which, const contender_options& options, std::vector<contender>& to) {
  const auto all = std::make_shared<loaded>();
  for (const unsigned threads : options.threads) {
    if (threads != 1 && which == task::ints) continue;  // its arrays cannot be split
    to.push_back(
        memory_limit(which, limit_kind::scan,
                     "the fastest of three walks that touch each byte, over memory that is already mapped",
                     threads, all, [](loaded& from, unsigned count) {
                       scan_function& walk = from.fastest[count];
                       if (walk == nullptr) walk = fastest_walk(from.files, count);
                       sum_over(from.files, count, walk);
                     }));
    if (which == task::commands) continue;  // a command may map its files
    to.push_back(memory_limit(
        which, limit_kind::copy, "memory copied into a buffer of 256 KiB, which no read can avoid", threads,
        all, [](const loaded& from, unsigned count) { sum_over(from.files, count, copied); }));
  }
  add_device_limit(which, to);
}

}  // namespace riffle::bench
