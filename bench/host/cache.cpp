/// Fills the page cache by reading or by writing, or empties it, and checks that it worked.
#include "bench/host/cache.hpp"

#include <unistd.h>
#include <riffle/error.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "os/facts.hpp"
#include "os/mapping.hpp"

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

// POSIX_FADV_DONTNEED, for root too: it takes 1 ms for 256 MiB and leaves nothing resident, and the cold runs
// after it are as slow as those after drop_caches. That took 390 ms with 4 GiB cached, all of which it took
// away from every other program, the contenders that are programs of their own included.
void evict(const os::file& file) {
  fsync(file.descriptor());  // dirty pages are not given up
  file.drop_cache(0, 0);
}

// Only root may, and not in every container.
bool evict_all_files() {
  return static_cast<bool>(std::ofstream("/proc/sys/vm/drop_caches") << '3' << std::flush);
}

// 8 KiB is what std::ofstream writes at a time. As with reading, larger pieces make larger folios: 16 faults
// per MiB up to 64 KiB, the smallest that fault-around allows, then 8 for 128 KiB and 1.2 for 1 MiB.
void write_anew(const path& name, const os::file& old) {
  const path fresh = name.string() + ".riffle-fresh";  // in a directory that is removed whatever happens
  const os::file out = os::file::open(fresh, os::open_mode::create);
  std::array<char, 8 << 10> piece;
  std::uint64_t offset = 0;
  while (const std::size_t count = old.read_at(piece, offset)) {
    out.write({piece.data(), count});
    offset += count;
  }
  fsync(out.descriptor());  // or the OS kernel would write while others are timed
  std::filesystem::rename(fresh, name);
}

[[noreturn]] void fail_to_evict(const path& name, const std::string& file_system, bool told) {
  const std::string remedy =
      !told ? "use a copy that you own, as the OS does not tell whether its pages left the page cache"
      : os::in_memory(file_system)
          ? "use a file on a disk, as " + file_system + " keeps files in memory and has no cold state"
          : "its pages stay in the page cache; stop the programs that map or write it, or use a copy";
  throw error(
      std::make_error_code(told ? std::errc::device_or_resource_busy : std::errc::operation_not_permitted),
      "evict", name.string(), std::nullopt, remedy);
}

void empty(const path& name, const os::file& file) {
  const std::uint64_t size = file.status().size;
  evict(file);
  auto resident = os::resident_pages(file, 0, size);
  if (resident == 0U) return;
  const std::string file_system = os::file_system_of(file);
  if (!os::in_memory(file_system) && evict_all_files()) resident = os::resident_pages(file, 0, size);
  if (resident != 0U) fail_to_evict(name, file_system, resident.has_value());
}

/// A file, and what it was when it was last looked at.
struct watched_file {
  path name;
  os::file_status seen;

  explicit watched_file(path file) : name(std::move(file)), seen(os::file::open(name).status()) {}

  // The first time, and before each run.
  void bring(cache_mode mode, std::uint64_t measured, bool first) {
    const os::file file = os::file::open(name);
    const os::file_status now = file.status();
    if (now.size != seen.size || now.modified != seen.modified) {
      throw error(errc::invalid_argument, "measure", name.string(), std::nullopt,
                  "it changed during the measurement; use a copy that no program writes");
    }
    if (mode == cache_mode::cold) return empty(name, file);
    if (mode == cache_mode::hot) {
      if (first) evict(file);  // on tmpfs nothing happens, and there is nothing to gain
      // Where the system does not tell what is resident, one more reading is the only way to be sure.
      if (first || !all_resident(file, measured).value_or(false)) read_through(file, measured);
    } else if (first || !all_resident(file, measured).value_or(true)) {
      write_anew(name, file);
      *this = watched_file(name);
    }
  }
};

}  // namespace

std::function<void()> prepare_cache(cache_mode mode, input_files files, std::uint64_t measured,
                                    bool left_as_written) {
  std::vector<watched_file> watched(files.begin(), files.end());
  const bool filled = left_as_written && mode == cache_mode::written;  // by another program
  const auto bring = [=](std::vector<watched_file>& all, bool first) {
    for (watched_file& each : all) each.bring(filled ? cache_mode::hot : mode, measured, first && !filled);
  };
  bring(watched, true);
  return [bring, watched]() mutable { bring(watched, false); };
}

void evict(input_files files) {
  for (const path& name : files) evict(os::file::open(name));
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

}  // namespace riffle::bench
