/// Fills the page cache by reading or by writing, or empties it, and checks that it worked.
#include "bench/host/cache.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <riffle/error.hpp>
#include <string>
#include <utility>
#include <vector>

#include "bench/host/os/eviction.hpp"
#include "os/file_system.hpp"
#include "os/mapping.hpp"
#include "os/page_cache.hpp"

namespace riffle::bench {

namespace {

using std::filesystem::path;

/// Nothing if the OS does not tell.
std::optional<bool> all_resident(const os::file& file, std::uint64_t measured) {
  const std::uint64_t size = std::min(file.status().size, measured);
  const auto resident = os::resident_pages(file, 0, size);
  if (!resident) return std::nullopt;
  return *resident >= os::page_count(size);
}

// The size of the reads decides how large the folios become that readahead makes, on Linux 6.18 with ext4:
// 0.7 faults per MiB of a mapping after reads of 4 KiB, 1.0 after 16 KiB, 1.6 after 128 KiB, 4.4 after 1 MiB.
void read_through(const os::file& file, std::uint64_t measured) {
  std::array<char, 16 << 10> piece;
  for (std::uint64_t offset = 0; offset < measured;) {
    const std::size_t count = file.read_at(piece, offset);
    if (count == 0) return;
    offset += count;
  }
}

// Where the system does not tell what is resident, one more reading is the only way to be sure.
void fill_again(const path& name, std::uint64_t measured) {
  const os::file file = os::file::open(name);
  if (!all_resident(file, measured).value_or(false)) read_through(file, measured);
}

void fill(const path& name, std::uint64_t measured) {
  const os::file file = os::file::open(name);
  os::evict(file);  // on tmpfs nothing happens, and there is nothing to gain
  read_through(file, measured);
}

// 8 KiB is what std::ofstream writes at a time. As with reading, larger pieces make larger folios: 16 faults
// per MiB up to 64 KiB, the smallest that fault-around allows, then 8 for 128 KiB and 1.2 for 1 MiB.
void write_anew(const path& name, std::uint64_t /*measured*/) {
  const os::file old = os::file::open(name);
  const path fresh = name.string() + ".riffle-fresh";  // in a directory that is removed whatever happens
  errno = 0;
  std::ofstream out(fresh, std::ios::binary);
  std::array<char, 8 << 10> piece;
  std::uint64_t offset = 0;
  while (const std::size_t count = old.read_at(piece, offset)) {
    out.write(piece.data(), static_cast<std::streamsize>(count));
    offset += count;
  }
  out.close();
  if (!out) throw error({errno, std::generic_category()}, "write", fresh.string());
  os::write_back(os::file::open(fresh));  // or the OS kernel would write while others are timed
  std::filesystem::rename(fresh, name);
}

void write_again(const path& name, std::uint64_t measured) {
  if (!all_resident(os::file::open(name), measured).value_or(true)) write_anew(name, measured);
}

[[noreturn]] void fail_to_evict(const path& name, const std::string& file_system, bool told) {
  if (!told) {
    throw error(std::make_error_code(std::errc::operation_not_permitted), "evict", name.string(),
                std::nullopt,
                "use a copy that you own, as the OS does not tell whether its pages left the page cache");
  }
  throw error(
      std::make_error_code(std::errc::device_or_resource_busy), "evict", name.string(), std::nullopt,
      os::in_memory(file_system)
          ? "use a file on a disk, as " + file_system + " keeps files in memory and has no cold state"
          : "its pages stay in the page cache; stop the programs that map or write it, or use a copy");
}

// POSIX_FADV_DONTNEED first, for root too: it takes 1 ms for 256 MiB and leaves nothing resident, and the
// cold runs after it are as slow as those after drop_caches. That took 390 ms with 4 GiB cached, all of which
// it took away from every other program, the contenders that are programs of their own included.
void empty(const path& name, std::uint64_t /*measured*/) {
  const os::file file = os::file::open(name);
  const std::uint64_t size = file.status().size;
  os::evict(file);
  auto resident = os::resident_pages(file, 0, size);
  if (resident == 0U) return;
  const std::string file_system = os::file_system_of(file);
  if (!os::in_memory(file_system) && os::evict_all_files()) resident = os::resident_pages(file, 0, size);
  if (resident != 0U) fail_to_evict(name, file_system, resident.has_value());
}

/// What shows that a file was changed under the measurement.
using look = std::pair<std::uintmax_t, std::filesystem::file_time_type>;

look look_at(const path& name) {
  std::error_code failure;
  look now;
  now.first = std::filesystem::file_size(name, failure);
  if (!failure) now.second = std::filesystem::last_write_time(name, failure);
  if (failure) throw error(failure, "open", name.string());
  return now;
}

[[noreturn]] void fail_changed(const path& name) {
  throw error(errc::invalid_argument, "measure", name.string(), std::nullopt,
              "it changed during the measurement; use a copy that no program writes");
}

using step = void (*)(const path&, std::uint64_t measured);

/// What brings a file into a state: at first, and before each run.
struct steps {
  step once;
  step before_each_run;
};

// In the order of the enumeration.
constexpr std::array<steps, all_cache_modes.size()> steps_into{{
    {fill, fill_again},
    {write_anew, write_again},
    {empty, empty},
}};

// Written by another program, and read again if pages were evicted.
constexpr steps left{fill_again, fill_again};

}  // namespace

std::function<void()> prepare_cache(cache_mode mode, input_files files, std::uint64_t measured,
                                    bool left_as_written) {
  std::vector<std::pair<path, look>> watched;
  for (const path& name : files) watched.emplace_back(name, look_at(name));
  auto bring = [mode, measured, watched = std::move(watched)](step into_state) mutable {
    for (auto& [name, before] : watched) {
      if (look_at(name) != before) fail_changed(name);
      into_state(name, measured);
      if (mode == cache_mode::written) before = look_at(name);  // it may be written anew, by us
    }
  };
  const steps& into =
      left_as_written && mode == cache_mode::written ? left : steps_into[static_cast<std::size_t>(mode)];
  bring(into.once);
  return [bring = std::move(bring), again = into.before_each_run]() mutable { bring(again); };
}

void evict(input_files files) {
  for (const path& name : files) os::evict(os::file::open(name));
}

}  // namespace riffle::bench
