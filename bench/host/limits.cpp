/// Makes memory, the OS kernel and the device do one thing each, as fast as they can.
#include "bench/host/limits.hpp"

#include <algorithm>
#include <chrono>
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

/// Far larger than the caches, all of it touched.
class large_memory {
 public:
  large_memory() { std::memset(memory_.data(), 1, size_); }
  [[nodiscard]] std::string_view bytes() const noexcept { return {memory_.data(), size_}; }

 private:
  std::size_t size_ = static_cast<std::size_t>(
      std::max<std::uint64_t>(2 * mib, std::min<std::uint64_t>(256 * mib, os::memory_size() / 16)));
  huge_memory memory_{size_};
};

double scan(std::string_view bytes) {
  const std::uint64_t count = scan::count_byte(bytes, '\n');
  look_at(&count);
  return static_cast<double>(bytes.size());
}

double add_up(std::string_view bytes) {
  const auto* const values = static_cast<const std::uint64_t*>(static_cast<const void*>(bytes.data()));
  std::uint64_t sum = 0;
  for (const std::uint64_t value : std::span(values, bytes.size() / sizeof(std::uint64_t))) sum += value;
  look_at(&sum);
  return static_cast<double>(bytes.size());
}

double copy(std::string_view bytes) {
  copy_as_read(bytes);
  return static_cast<double>(bytes.size());
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
  [[nodiscard]] double read_device(const read_options& reading) const {
    return read_for_a_moment(on_device_, reading);
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
  to.push_back({&limits::ram_scan, [memory] { return scan(memory->bytes()); }});
  to.push_back({&limits::ram_scan, [memory] { return add_up(memory->bytes()); }});
  to.push_back({&limits::ram_copy, [memory] { return copy(memory->bytes()); }});
}

void add_files(std::vector<probe>& to, const path& directory) {
  const auto files = std::make_shared<probed_files>(directory);
  to.push_back({&limits::page_faults, [files] { return files->walk(); }});
  if (!files->make_device_file()) return;
  for (const read_options& each : device_tries)
    to.push_back({&limits::device, [files, &each] { return files->read_device(each); }});
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

huge_memory::huge_memory(std::size_t size) {
  constexpr std::size_t huge_page = 2 * mib;
  const std::size_t page = size < huge_page ? 4 * kib : huge_page;
  const std::size_t room = (size / page + 1) * page;
  memory_ = {static_cast<char*>(anonymous_memory({.huge_pages = true}).allocate(room, page)), {room, page}};
}

void huge_memory::release::operator()(char* memory) const noexcept {
  anonymous_memory({.huge_pages = true}).deallocate(memory, size, alignment);
}

void copy_as_read(std::string_view bytes) {
  constexpr std::size_t size = 256 * kib;
  thread_local const auto buffer = std::make_unique<char[]>(size);
  for (; !bytes.empty(); bytes.remove_prefix(std::min(size, bytes.size()))) {
    std::memcpy(buffer.get(), bytes.data(), std::min(size, bytes.size()));
    look_at(buffer.get());
  }
}

double read_for_a_moment(const path& file, const read_options& reading) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(250);
  double bytes = 0;
  for (const block part : blocks(file, reading)) {
    bytes += static_cast<double>(part.size());
    if (os::interrupted() || std::chrono::steady_clock::now() > end) break;
  }
  return bytes;
}

limits measure_limits(const std::filesystem::path& directory, const clock& now, double seconds) {
  const std::int64_t start = now();
  std::vector<probe> probes;
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
