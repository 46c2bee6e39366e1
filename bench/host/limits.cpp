/// Makes memory, the OS kernel and the device do one thing each, as fast as they can.
#include "bench/host/limits.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <functional>
#include <memory>
#include <riffle/anonymous_memory.hpp>
#include <riffle/blocks.hpp>
#include <riffle/scan.hpp>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/host/os/interrupt.hpp"
#include "bench/host/os/machine.hpp"
#include "bench/host/os/probes.hpp"
#include "bench/host/temporary_directory.hpp"
#include "bench/stats/random.hpp"
#include "os/file_system.hpp"
#include "os/page_cache.hpp"
#include "text/numbers.hpp"

namespace riffle::bench {

namespace {

using std::filesystem::path;

using text::kib;
using text::mib;

/// Does some work and returns how much: bytes, calls or faults. Throws if it cannot be done.
using work = std::function<double()>;

/// Two works may be for one limit: the faster of them sets it.
struct probe {
  std::optional<double> limits::* limit;
  bench::work work;
};

// Keeps the compiler from dropping the work on what is behind the pointer.
void look_at(const void* result) {
  asm volatile("" : : "r"(result) : "memory");
}

/// Memory on huge pages, far larger than the caches, all of it touched.
class large_memory {
 public:
  large_memory() : at_(static_cast<char*>(memory_.allocate(size_, huge_page))) { std::memset(at_, 1, size_); }
  large_memory(const large_memory&) = delete;
  large_memory& operator=(const large_memory&) = delete;
  ~large_memory() { memory_.deallocate(at_, size_, huge_page); }

  [[nodiscard]] std::string_view bytes() const noexcept { return {at_, size_}; }
  [[nodiscard]] std::span<const std::uint64_t> values() const noexcept {
    return {static_cast<const std::uint64_t*>(static_cast<const void*>(at_)), size_ / sizeof(std::uint64_t)};
  }

 private:
  static constexpr std::size_t huge_page = 2 * mib;
  anonymous_memory memory_{{.huge_pages = true, .populate = true}};
  std::size_t size_ = static_cast<std::size_t>(std::max<std::uint64_t>(
      huge_page, std::min<std::uint64_t>(256 * mib, os::memory_size() / 16) / huge_page * huge_page));
  char* at_;
};

double scan(const large_memory& memory) {
  const std::uint64_t count = scan::count_byte(memory.bytes(), '\n');
  look_at(&count);
  return static_cast<double>(memory.bytes().size());
}

double add_up(const large_memory& memory) {
  std::uint64_t sum = 0;
  for (const std::uint64_t value : memory.values()) sum += value;
  look_at(&sum);
  return static_cast<double>(memory.bytes().size());
}

double copy(const large_memory& memory) {
  static std::array<char, 256 * kib> buffer;
  const std::string_view bytes = memory.bytes();
  for (std::size_t at = 0; at < bytes.size(); at += buffer.size()) {
    std::memcpy(buffer.data(), bytes.data() + at, buffer.size());
    look_at(buffer.data());
  }
  return static_cast<double>(bytes.size());
}

double call_system() {
  constexpr unsigned calls = 100'000;
  os::call_system(calls);
  return calls;
}

double pipe() {
  constexpr std::uint64_t bytes = 64 * mib;
  if (!os::send_through_pipe(bytes)) throw error(errc::unexpected_end, "read", "a pipe");
  return bytes;
}

// Numbers that no device can compress. `piece` is what is written at a time. It goes to the device step by
// step, as no signal ends a long step.
void make_file(const path& name, std::uint64_t size, std::size_t piece) {
  constexpr std::uint64_t step = 16 * mib;
  random_numbers numbers(1);
  std::vector<std::uint64_t> values(piece / sizeof(std::uint64_t));
  std::ofstream out(name, std::ios::binary);
  for (std::uint64_t written = 0; written < size && out && !os::interrupted(); written += piece) {
    for (std::uint64_t& value : values) value = numbers.next();
    out.write(static_cast<const char*>(static_cast<const void*>(values.data())),
              static_cast<std::streamsize>(piece));
    if ((written + piece) % step == 0 && out.flush()) os::write_back(os::file::open(name));
  }
  out.close();
  if (!out) throw error(std::make_error_code(std::errc::io_error), "write", name.string());
}

/// The files that probes read, as long as there is a directory for them.
class probed_files {
 public:
  explicit probed_files(const path& directory) : directory_(directory) {
    make_file(small_folios_, walked, 8 * kib);
  }

  [[nodiscard]] double walk() const {
    return static_cast<double>(os::faults_of_walk(os::file::open(small_folios_), walked));
  }

  /// To be called before `read_device`. False: there is no device to read.
  [[nodiscard]] bool make_device_file() const {
    if (os::in_memory(os::file_system_of(os::file::open(small_folios_)))) return false;
    make_file(on_device_, read, mib);
    return true;
  }
  [[nodiscard]] double read_device(std::size_t block_size, unsigned queue_depth) const {
    std::uint64_t bytes = 0;
    for (const block part : blocks(
             on_device_, {.method = method::direct, .block_size = block_size, .queue_depth = queue_depth})) {
      bytes += part.size();
      if (os::interrupted()) break;
    }
    return static_cast<double>(bytes);
  }

 private:
  static constexpr std::size_t walked = 64 * mib;
  static constexpr std::uint64_t read = 256 * mib;
  temporary_directory directory_;
  path small_folios_ = directory_.path() / "small-folios";
  path on_device_ = directory_.path() / "on-device";
};

void add_memory(std::vector<probe>& to) {
  const auto memory = std::make_shared<large_memory>();
  to.push_back({&limits::ram_scan, [memory] { return scan(*memory); }});
  to.push_back({&limits::ram_scan, [memory] { return add_up(*memory); }});
  to.push_back({&limits::ram_copy, [memory] { return copy(*memory); }});
}

void add_files(std::vector<probe>& to, const path& directory) {
  const auto files = std::make_shared<probed_files>(directory);
  to.push_back({&limits::page_faults, [files] { return files->walk(); }});
  if (!files->make_device_file()) return;
  for (const auto& [block_size, queue_depth] : {std::pair{mib, 32U}, {256 * kib, 128U}, {4 * mib, 8U}})
    to.push_back({&limits::device, [=] { return files->read_device(block_size, queue_depth); }});
}

/// False: the system refuses.
template <class What>
bool attempt(What what) {
  try {
    what();
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

void run(const probe& one, const clock& now, limits& best) {
  const std::int64_t start = now();
  const double amount = one.work();
  const double seconds = static_cast<double>(now() - start) * 1e-9;
  std::optional<double>& limit = best.*one.limit;
  if (seconds > 0 && amount > 0) limit = std::max(limit.value_or(0), amount / seconds);
}

}  // namespace

limits measure_limits(const std::filesystem::path& directory, const clock& now, double seconds) {
  const std::int64_t start = now();
  std::vector<probe> probes{{&limits::system_calls, call_system}, {&limits::pipe, pipe}};
  attempt([&] { add_memory(probes); });
  attempt([&] { add_files(probes, directory); });
  limits best;
  // In turns, so that a moment in which the machine is busy spoils one try of each, not all tries of one.
  do {
    std::erase_if(probes, [&](const probe& one) {
      return os::interrupted() || !attempt([&] { run(one, now, best); });
    });
  } while (!os::interrupted() && static_cast<double>(now() - start) * 1e-9 < seconds);
  return best;
}

}  // namespace riffle::bench
