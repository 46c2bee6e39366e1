/// The limits that bind a contender, measured on its own input in its own rounds: the fastest walk that
/// touches each byte, over memory that is mapped already, the copy that a read cannot avoid, and the device.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <memory>
#include <riffle/anonymous_memory.hpp>
#include <riffle/blocks.hpp>
#include <riffle/methods.hpp>
#include <riffle/parallel.hpp>
#include <riffle/scan.hpp>
#include <riffle/source.hpp>
#include <riffle/sum.hpp>
#include <string>

#include "bench/contenders/raw_input.hpp"
#include "bench/contenders/registry.hpp"
#include "bench/host/os/interrupt.hpp"
#include "bench/host/os/machine.hpp"
#include "os/file.hpp"
#include "os/file_system.hpp"
#include "text/numbers.hpp"

namespace riffle::bench {

namespace {

using text::kib;
using text::mib;
using scan_function = answer (*)(std::string_view);

/// One file's bytes, on huge pages where the system has them, so that nothing but the memory limits a scan.
class loaded_file {
 public:
  explicit loaded_file(const descriptor& file) {
    constexpr std::size_t huge_page = 2 * mib;
    const std::size_t page = file.size() < huge_page ? 4 * kib : huge_page;
    const std::size_t room = (file.size() / page + 1) * page;
    bytes_ = {static_cast<char*>(anonymous_memory({.huge_pages = true}).allocate(room, page)),
              [=](char* memory) { anonymous_memory({.huge_pages = true}).deallocate(memory, room, page); }};
    size_ = file.read_full(bytes_.get(), file.size());
  }
  [[nodiscard]] std::string_view bytes() const noexcept { return {bytes_.get(), size_}; }

 private:
  std::shared_ptr<char> bytes_;
  std::size_t size_;
};

/// The files' bytes, loaded by the first run, which is the one that is not timed.
using loaded_files = std::vector<loaded_file>;

const loaded_files& load(loaded_files& contents, input_files files) {
  if (contents.size() != files.size()) {
    contents.clear();
    for (const auto& name : files) contents.emplace_back(descriptor(name));
  }
  return contents;
}

std::optional<std::string> does_not_fit(input_files files) {
  std::uintmax_t size = 0;
  for (const auto& file : files) size += std::filesystem::file_size(file);
  // What is in the page cache counts as free, and the input has to stay there beside its copy.
  const std::uint64_t available = os::memory_available();
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
answer sum_over(const loaded_files& files, unsigned threads, Look look) {
  answer total;
  for (const loaded_file& file : files) {
    if (threads == 1) {
      total += look(file.bytes());
    } else {
      total +=
          parallel_reduce(memory(file.bytes()), answer{}, look, {}, {.threads = threads, .delimiter = {}});
    }
  }
  return total;
}

// The fastest by the shorter of two runs.
scan_function fastest_walk(const loaded_files& files, unsigned threads) {
  std::array<std::chrono::nanoseconds, walks.size()> times;
  times.fill(std::chrono::nanoseconds::max());
  for (std::size_t run = 0; run != 2 * walks.size(); ++run) {
    const std::size_t which = run % walks.size();
    const auto start = std::chrono::steady_clock::now();
    sum_over(files, threads, walks.at(which));
    times.at(which) =
        std::min<std::chrono::nanoseconds>(times.at(which), std::chrono::steady_clock::now() - start);
  }
  return walks.at(static_cast<std::size_t>(std::ranges::min_element(times) - times.begin()));
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

// Bytes a second, of a file read from its start for a quarter of a second at most.
double speed_of(const read_options& reading, const std::filesystem::path& file) {
  const auto start = std::chrono::steady_clock::now();
  const auto passed = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  double bytes = 0;
  for (const block part : blocks(file, reading)) {
    bytes += static_cast<double>(part.size());
    if (os::interrupted() || passed() > 0.25) break;
  }
  return bytes / std::max(passed(), 1e-9);
}

read_options fastest_on(input_files files) {
  read_options best = device_tries.front();
  double most = 0;
  for (const read_options& tried : device_tries) {
    const double speed = files.empty() ? 0 : speed_of(tried, files.front());
    if (speed > most) best = tried;
    most = std::max(most, speed);
  }
  return best;
}

// A limit over the files' bytes in memory.
template <class Run>
contender memory_limit(task which, limit_kind kind, const char* description, unsigned threads,
                       const std::shared_ptr<loaded_files>& files, const Run& run) {
  return {.task = which,
          .name = std::string(name_of(kind)),
          .program = "limit",
          .role = role::limit,
          .method = "memory",
          .description = description,
          .run = [=](input_files names) { return run(load(*files, names), threads); },
          .unavailable = does_not_fit,
          .forget = [files] { files->clear(); },
          .sets = kind,
          .threads = threads};
}

}  // namespace

std::optional<std::string> no_direct(input_files files) {
  if (auto reason = find_method(method::direct)->unavailable()) return reason;
  try {
    for (const auto& file : files.first(std::min<std::size_t>(files.size(), 1))) {
      const std::string file_system = os::file_system_of(os::file::open(file));
      if (os::in_memory(file_system)) return file_system + " keeps files in memory";
      source(file, device_tries.front()).next();  // one block tells
    }
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
                .run =
                    [best](input_files names) {
                      if (!*best) *best = fastest_on(names);
                      return read_only(names, **best);
                    },
                .unavailable = no_direct,
                .forget = [best] { best->reset(); },
                .sets = limit_kind::device,
                .for_storage = which == task::commands});
}

void add_decode_limit(task which, const contender_options& options, std::vector<contender>& to) {
  const auto files = std::make_shared<loaded_files>();
  read_options reading = options.reading;
  reading.method = method::automatic;  // of memory there is one
  for (const unsigned threads : options.threads) {
    to.push_back(memory_limit(which, limit_kind::decode,
                              "the decoder from memory into memory that nobody reads", threads, files,
                              [reading](const auto& contents, unsigned) {
                                for (const loaded_file& each : contents)
                                  read_only(memory(each.bytes()), reading);
                                return std::optional<answer>();
                              }));
  }
  add_device_limit(which, to);
}

void add_limit(task which, const contender_options& options, std::vector<contender>& to) {
  const auto files = std::make_shared<loaded_files>();
  for (const unsigned threads : options.threads) {
    if (threads != 1 && which == task::ints) continue;  // its arrays cannot be split
    // The first run, which is not timed, finds it.
    const auto best = std::make_shared<scan_function>(nullptr);
    to.push_back(
        memory_limit(which, limit_kind::scan,
                     "the fastest of three walks that touch each byte, over memory that is already mapped",
                     threads, files, [best](const auto& contents, unsigned count) -> std::optional<answer> {
                       if (*best == nullptr) *best = fastest_walk(contents, count);
                       sum_over(contents, count, *best);
                       return std::nullopt;
                     }));
    to.back().forget = [files, best] {
      files->clear();
      *best = nullptr;
    };
    if (which == task::commands) continue;  // a command may map its files
    to.push_back(memory_limit(which, limit_kind::copy,
                              "memory copied into a buffer of 256 KiB, which no read can avoid", threads,
                              files, [](const auto& contents, unsigned count) -> std::optional<answer> {
                                sum_over(contents, count, copied);
                                return std::nullopt;
                              }));
  }
  add_device_limit(which, to);
}

}  // namespace riffle::bench
